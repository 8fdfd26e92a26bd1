//! What the window writes and opens.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::desktop::{Desktop, LONE, Start, with_window};
use crate::shot::{Area, Shot, apart, by};
use crate::time::TO_AND_FRO;

/// A written picture, as the display's are.
fn picture(path: &Path) -> (Shot, (usize, usize)) {
    let mut reader = png::Decoder::new(BufReader::new(fs::File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    bytes.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
    let size = (info.width as usize, info.height as usize);
    (Shot { width: size.0, bytes }, size)
}

impl Desktop {
    /// Types a path into the dialog of Ctrl+O.
    fn type_path(&self, path: &str) {
        self.key("ctrl+o");
        sleep(Duration::from_millis(500));
        self.enter(path);
    }
}

#[test]
fn a_world_is_saved_read_again_recorded_opened_and_played() {
    with_window(&Start::File(LONE), |desktop| {
        let start = desktop.settle();
        let file = |name: &str| desktop.folder.path().join(name);
        desktop.key("ctrl+s");
        desktop.wait("a saved world", || file("Lone-1.ballpit").exists().then_some(()));

        fs::write(file("lone.toml"), LONE.replace("[200, 150]", "[120, 150]")).unwrap();
        desktop.see("the changed file to be read again", |shot| shot.ball(&desktop.world).1[0] < start[0] - 60.0);
        let moved = desktop.settle();

        desktop.key("F9");
        desktop.wait("a recording", || file("Lone-1.recording").exists().then_some(()));
        desktop.drag(1, moved, by(moved, 120.0, 50.0));
        let dragged = desktop.settle();
        desktop.key("F9");
        let recorded = || fs::read_to_string(file("Lone-1.recording")).ok().filter(|text| text.contains("\"end\""));
        assert!(desktop.wait("the recording's end", recorded).contains("\"press\""));

        desktop.type_path("Lone-1.ballpit");
        let world = desktop.world;
        let is_at = |place: [f64; 2]| move |shot: &Shot| apart(shot.ball(&world).1, place) < 2.0;
        desktop.see("the saved ball in its place", is_at(start));
        desktop.type_path("Lone-1.recording");
        desktop.see("the recording's end", is_at(dragged));
        assert!(apart(desktop.settle(), dragged) < 2.0);

        let mut replay = Command::new(env!("CARGO_BIN_EXE_ballpit"));
        replay.args(["simulate", "--engine", "cpu", "--replay"]).arg(file("Lone-1.recording"));
        let output = replay.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
}

#[test]
fn the_dialog_keeps_a_wrong_path_with_its_reason_until_it_opens_or_escape_closes_it() {
    with_window(&Start::File(LONE), |desktop| {
        fs::write(desktop.folder.path().join("b.toml"), LONE.replace("Lone", "Other")).unwrap();
        let (width, height) = desktop.size;
        let dialog = Area { x: (width / 2 - 220, width / 2 + 220), y: (height / 2 - 150, height / 2 + 150) };
        let red = |shot: &Shot| shot.find(&dialog, |[r, g, b]| r > 180 && g < 150 && b < 130).0;
        desktop.type_path("b.tom");
        desktop.see("the reason", |shot| red(shot) > 200);
        // The field has the keyboard still, behind what was typed.
        desktop.enter("l");
        desktop.see("no reason", |shot| red(shot) == 0);
        desktop.saved_until("the opened scene", |saved| saved.title == "Other");

        desktop.type_path("nowhere.toml");
        desktop.see("the reason", |shot| red(shot) > 200);
        desktop.key_shows("Escape", "no dialog", |shot| red(shot) == 0);
        assert_eq!(desktop.saved().title, "Other", "the window is still there");
    });
}

#[test]
fn a_key_takes_a_picture_of_what_is_seen_and_a_button_writes_a_table() {
    with_window(&Start::File(LONE), |desktop| {
        let seen = desktop.settle();
        desktop.key("F12");
        let path = desktop.wait("a picture", || desktop.files("png").pop());
        assert!(path.ends_with("ballpit-1.png"));
        let (shot, size) = picture(&path);
        assert_eq!((size, shot.ball(&desktop.world).1), (desktop.size, seen));

        // The third of the first row of four buttons.
        let shot = desktop.shot();
        let is_button = |x: usize, y: usize| shot.at(x, y) == [33, 39, 49];
        let ends = |y: usize| -> Vec<usize> {
            let panel = desktop.world.x.1..desktop.size.0;
            panel.filter(|&x| is_button(x, y) && !is_button(x + 1, y)).collect()
        };
        let row = (0..desktop.size.1).find(|&y| ends(y).len() == 4).expect("there are four buttons");
        desktop.click([ends(row)[2] as f64 - 6.0, row as f64 + 6.0]);
        let path = desktop.wait("a table", || desktop.files("csv").pop());
        let table = fs::read_to_string(path).unwrap();
        assert!(table.starts_with("id,x,y,vx,vy,radius") && table.lines().count() == 2, "{table}");
    });
}

#[test]
fn a_film_has_every_picture_at_even_times_in_the_windows_size() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let line = Area { x: (0, 600), y: (30, 50) };
        let red = |shot: &Shot| shot.find(&line, |[r, g, b]| r > 180 && g < 150 && b < 130).0;
        assert_eq!(red(&desktop.shot()), 0);
        desktop.key_shows("shift+F12", "the film in the readout", |shot| red(shot) > 100);
        let folder = desktop.folder.path().join("Lone-1.frames");
        let frames = || fs::read_dir(&folder).map_or(0, Iterator::count);
        desktop.wait("forty frames", || (frames() > 40).then_some(()));
        desktop.key_shows("shift+F12", "no film in the readout", |shot| red(shot) == 0);
        let count = frames();
        sleep(Duration::from_millis(500));
        assert_eq!(frames(), count, "it films on");
        assert!(desktop.files("png").is_empty(), "Shift+F12 takes no picture beside");

        let places: Vec<f64> = (1..=count)
            .map(|number| {
                let (shot, size) = picture(&folder.join(format!("frame-{number:06}.png")));
                assert_eq!(size, desktop.size);
                let whole = Area { x: (0, size.0), y: (0, size.1) };
                shot.ball(&whole).1[0]
            })
            .collect();
        // 120 px/s make 2 px of the world a picture: the ball's diameter of 100 says how many pixels that is.
        let (pixels, _) = picture(&folder.join("frame-000001.png")).0.ball(&desktop.world);
        let way = 2.0 * 2.0 * (pixels as f64 / std::f64::consts::PI).sqrt() / 100.0;
        let uneven = places.windows(2).filter(|pair| ((pair[1] - pair[0]).abs() - way).abs() > 0.15).count();
        // One or two where it bounces.
        assert!(uneven <= 3, "{uneven} of {count} ways are not of {way} pixels: {places:?}");
    });
}
