//! The real window, under a display server of its own: what the pointer and the keys do, as pictures show it.
//!
//! Needs Xvfb, xdotool, ImageMagick's `import` and a Vulkan driver; without them it says what was skipped, and fails where
//! `BALLPIT_GPU=required`.
#![cfg(all(feature = "app", target_os = "linux"))]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const WIDTH: usize = 1280;
const HEIGHT: usize = 800;
/// Between the panel's left edge and the window's right one.
const PANEL: usize = 346;
/// Where the mode line is.
const MODE_LINE: Area = Area { x: (0, 600), y: (0, 30) };

/// One large ball in the middle of a box, with nothing that moves it, and air that brings it to rest.
const SCENE: &str = "version = 1\ntitle = \"Lone\"\nseed = 1\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 0]\ndrag = 3\n\
                     [[spawn]]\nkind = \"single\"\nradius = 50\nposition = [200, 150]\n";

struct Area {
    x: (usize, usize),
    y: (usize, usize),
}

/// A picture of the display: red, green, blue.
struct Shot(Vec<u8>);

impl Shot {
    /// How many pixels of `area` have a colour, and their middle.
    fn find(&self, area: &Area, is_it: impl Fn([i32; 3]) -> bool) -> (usize, [f64; 2]) {
        let (mut count, mut sum) = (0, [0.0, 0.0]);
        for y in area.y.0..area.y.1 {
            for x in area.x.0..area.x.1 {
                if is_it(self.at(x, y)) {
                    count += 1;
                    sum = [sum[0] + x as f64, sum[1] + y as f64];
                }
            }
        }
        (count, sum.map(|total| total / count.max(1) as f64))
    }

    /// The colour of a pixel.
    fn at(&self, x: usize, y: usize) -> [i32; 3] {
        [0, 1, 2].map(|channel| i32::from(self.0[3 * (y * WIDTH + x) + channel]))
    }

    /// The blue ball: its pixels and its middle.
    fn ball(&self, world: &Area) -> (usize, [f64; 2]) {
        self.find(world, |[red, _, blue]| blue > 120 && blue > red + 60)
    }
}

/// A child that ends with the test.
struct Owned(Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The window on a display of its own. The window is first, so that it ends first.
struct Desktop {
    window: Owned,
    _server: Owned,
    display: String,
    /// Where the world is drawn: left of the panel, below the readout, above the hints.
    world: Area,
    /// Where it runs.
    folder: TempDir,
}

impl Desktop {
    /// Opens the window on the scene, or says what is missing.
    fn open() -> Result<Self, String> {
        for tool in ["Xvfb", "xdotool", "import"] {
            let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
                .any(|folder| folder.join(tool).is_file());
            if !found {
                return Err(tool.into());
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let scene = folder.path().join("lone.toml");
        fs::write(&scene, SCENE).unwrap();
        let (server, display) = serve();
        let window = Command::new(env!("CARGO_BIN_EXE_ballpit"))
            .arg(&scene)
            .current_dir(folder.path())
            .env("DISPLAY", &display)
            .env("XDG_RUNTIME_DIR", folder.path())
            .env_remove("WAYLAND_DISPLAY")
            // A test that hangs leaves no window behind.
            .env("BALLPIT_SECONDS", "240")
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let world = Area { x: (0, WIDTH - PANEL), y: (130, HEIGHT - 40) };
        let mut desktop = Self { window: Owned(window), _server: server, display, world, folder };
        desktop.wait_for_ball()?;
        desktop.measure();
        desktop.settle();
        Ok(desktop)
    }

    fn wait_for_ball(&mut self) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(90) {
            if let Some(status) = self.window.0.try_wait().unwrap() {
                let mut text = String::new();
                self.window.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
                assert!(text.contains("no GPU adapter"), "the window ended with {status}: {text}");
                return Err("a Vulkan driver".into());
            }
            if self.ball().0 > 10_000 {
                return Ok(());
            }
            sleep(Duration::from_millis(200));
        }
        panic!("no ball was drawn within 90 s");
    }

    /// Takes in the window's size, which depends on the adapter.
    fn measure(&mut self) {
        let output = self.tool("xdotool").args("search --name ^ballpit$ getwindowgeometry --shell".split(' ')).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        let value = |key: &str| -> usize {
            let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_else(|| panic!("{text}"));
            line.parse().unwrap()
        };
        self.world = Area { x: (0, value("WIDTH=") - PANEL), y: (130, value("HEIGHT=") - 40) };
    }

    fn ball(&self) -> (usize, [f64; 2]) {
        self.shot().ball(&self.world)
    }

    fn shot(&self) -> Shot {
        let output = self.tool("import").args(["-window", "root", "-depth", "8", "rgb:-"]).output().unwrap();
        assert_eq!(output.stdout.len(), 3 * WIDTH * HEIGHT, "{}", String::from_utf8_lossy(&output.stderr));
        Shot(output.stdout)
    }

    /// Waits until two pictures show the ball in one place.
    fn settle(&self) -> [f64; 2] {
        let mut last = self.ball();
        for _ in 0..60 {
            sleep(Duration::from_millis(300));
            let now = self.ball();
            if now == last {
                return now.1;
            }
            last = now;
        }
        panic!("the ball does not come to rest");
    }

    fn xdotool(&self, words: &str) {
        let status = self.tool("xdotool").args(words.split(' ')).status().unwrap();
        assert!(status.success(), "xdotool {words}");
    }

    fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("DISPLAY", &self.display);
        command
    }

    /// Drags with a button from one place to another, holds still, and lets go.
    fn drag(&self, button: u32, from: [f64; 2], to: [f64; 2]) {
        let at = |place: [f64; 2]| format!("mousemove {:.0} {:.0}", place[0], place[1]);
        self.xdotool(&format!("{} mousedown {button}", at(from)));
        sleep(Duration::from_millis(500));
        self.xdotool(&at(to));
        sleep(Duration::from_millis(2500));
        self.xdotool(&format!("mouseup {button}"));
    }

    /// Takes a tool: sends its key until the mode line has another text, that of the tool in hand being longer than none.
    fn take(&self, key: &str) {
        let text = || self.shot().find(&MODE_LINE, |[red, green, blue]| red + green + blue > 400).0;
        self.key("q");
        sleep(Duration::from_millis(800));
        let before = text();
        let taken = (0..6).any(|_| {
            self.key(key);
            (0..10).any(|_| {
                sleep(Duration::from_millis(200));
                text() > before + 100
            })
        });
        assert!(taken, "{key} takes no tool");
    }

    /// Holds the left button down at a place for some time, then moves the pointer into a corner.
    fn hold(&self, place: [f64; 2], seconds: f32) {
        self.xdotool(&format!("mousemove {:.0} {:.0}", place[0], place[1]));
        sleep(Duration::from_millis(400));
        self.xdotool("mousedown 1");
        sleep(Duration::from_secs_f32(seconds));
        self.xdotool("mouseup 1");
        self.xdotool("mousemove 5 5");
        sleep(Duration::from_millis(800));
    }

    /// Pixels of the world that differ from the background.
    fn drawn(&self) -> usize {
        sleep(Duration::from_millis(600));
        let shot = self.shot();
        let background = shot.at(self.world.x.0 + 30, self.world.y.0 + 40);
        shot.find(&self.world, |pixel| (0..3).any(|channel| (pixel[channel] - background[channel]).abs() > 30)).0
    }

    /// Fails unless so many more pixels come to be drawn than `before`, give or take a third; answers with how many are.
    #[track_caller]
    fn expect_more(&self, before: usize, more: f64, what: &str) -> usize {
        let mut now = 0;
        for _ in 0..15 {
            now = self.drawn();
            if (now as f64 - before as f64 - more).abs() < more.abs().mul_add(0.33, 300.0) {
                return now;
            }
        }
        panic!("{what}: {before} pixels became {now}, not {more} more");
    }

    fn key(&self, key: &str) {
        // Without a window manager nobody gives the window the focus.
        self.xdotool("search --sync --onlyvisible --name ^ballpit$ windowfocus --sync");
        self.xdotool(&format!("key {key}"));
    }

    /// Whether a key shows what it should. One that is sent before the window has taken in its focus is lost: on a busy
    /// machine, it is sent again.
    fn key_shows(&self, key: &str, is_shown: impl Fn(&Self) -> bool) -> bool {
        (0..6).any(|_| {
            self.key(key);
            (0..20).any(|_| {
                sleep(Duration::from_millis(200));
                is_shown(self)
            })
        })
    }
}

/// A display server, and the display's name.
fn serve() -> (Owned, String) {
    let screen = format!("{WIDTH}x{HEIGHT}x24");
    let server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", &screen, "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut server = Owned(server);
    let mut number = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    assert!(!number.trim().is_empty(), "Xvfb did not start");
    (server, format!(":{}", number.trim()))
}

/// Runs `test` with a window; without the means to open one, says so or fails.
fn with_window(test: impl FnOnce(&mut Desktop)) {
    match Desktop::open() {
        Ok(mut desktop) => test(&mut desktop),
        Err(missing) => {
            let required = std::env::var("BALLPIT_GPU").is_ok_and(|value| value == "required");
            assert!(!required, "the window can't be tested without {missing}");
            let _ = writeln!(std::io::stderr(), "skipped: the window can't be tested without {missing}");
        }
    }
}

fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn by(place: [f64; 2], x: f64, y: f64) -> [f64; 2] {
    [place[0] + x, place[1] + y]
}

#[test]
fn a_drag_moves_the_ball_under_it_and_one_on_empty_space_moves_nothing() {
    with_window(|desktop| {
        let start = desktop.settle();
        let empty = by(start, -300.0, -150.0);
        desktop.drag(1, empty, by(empty, 250.0, 150.0));
        assert!(apart(desktop.settle(), start) < 1.0, "a drag on empty space moved the ball");
        desktop.drag(1, start, by(start, 150.0, 60.0));
        let end = desktop.settle();
        assert!(apart(end, by(start, 150.0, 60.0)) < 40.0, "the ball went from {start:?} to {end:?}");
    });
}

#[test]
fn the_panel_takes_the_pointer_and_the_right_button_moves_the_picture() {
    with_window(|desktop| {
        let start = desktop.settle();
        let empty = by(start, -300.0, -150.0);
        // The picture moves until the ball's middle is at the panel's edge: half of it lies under the panel.
        let edge = desktop.world.x.1 as f64;
        desktop.drag(3, empty, by(empty, edge - start[0], 0.0));
        let start = desktop.settle();
        assert!(start[0] > edge - 110.0, "{start:?}");
        // Beside a label of the panel, where there is no control.
        let panel = [edge + 66.0, start[1]];
        desktop.drag(1, panel, by(panel, -300.0, 0.0));
        assert!(apart(desktop.settle(), start) < 1.0, "a ball was grabbed through the panel");
        let visible = [edge - 40.0, start[1]];
        desktop.drag(1, visible, by(visible, -200.0, 0.0));
        let end = desktop.settle();
        assert!(end[0] < start[0] - 80.0, "the ball went from {start:?} to {end:?}");
    });
}

#[test]
fn keys_reach_the_world_and_escape_closes_the_window() {
    with_window(|desktop| {
        let amber = |desktop: &Desktop| {
            desktop.shot().find(&MODE_LINE, |[red, green, blue]| red > 180 && green > 110 && blue < 90).0
        };
        assert_eq!(amber(desktop), 0);
        assert!(
            desktop.key_shows("space", |desktop| amber(desktop) > 0),
            "the mode line does not warn of variable steps"
        );
        let start = Instant::now();
        desktop.key("Escape");
        let status = loop {
            if let Some(status) = desktop.window.0.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < Duration::from_secs(20), "Escape does not close the window");
            sleep(Duration::from_millis(100));
        };
        assert!(status.success(), "{status}");
    });
}

#[test]
fn attract_repel_and_explode_move_the_ball_in_their_ring() {
    with_window(|desktop| {
        let start = desktop.settle();
        desktop.take("e");
        // The ring is narrower than the way to the ball until the wheel has widened it.
        let beside = by(start, 150.0, 0.0);
        desktop.hold(beside, 1.0);
        assert!(apart(desktop.settle(), start) < 1.0, "the ring reaches farther than it is wide");
        desktop.xdotool(&format!("mousemove {:.0} {:.0}", beside[0], beside[1]));
        (0..17).for_each(|_| desktop.xdotool("click 4"));
        sleep(Duration::from_millis(800));
        desktop.hold(beside, 2.5);
        let near = desktop.settle();
        assert!(near[0] > start[0] + 60.0, "attracted from {start:?} to {near:?}");
        desktop.take("t");
        desktop.hold(by(near, 60.0, 0.0), 1.0);
        let away = desktop.settle();
        assert!(away[0] < near[0] - 40.0, "repelled from {near:?} to {away:?}");
        desktop.take("x");
        desktop.hold(by(away, -60.0, 0.0), 0.1);
        let blown = desktop.settle();
        assert!(blown[0] > away[0] + 40.0, "blown from {away:?} to {blown:?}");
    });
}

#[test]
fn balls_pegs_and_walls_come_go_and_come_back() {
    with_window(|desktop| {
        let start = desktop.settle();
        let (pixels, _) = desktop.ball();
        let ball = pixels as f64;
        let before = desktop.drawn();
        desktop.take("w");
        let place = by(start, -240.0, 0.0);
        desktop.hold(place, 1.0);
        let poured = desktop.expect_more(before, ball, "a poured ball");
        desktop.key("ctrl+z");
        let undone = desktop.expect_more(poured, -ball, "undo");
        desktop.key("ctrl+y");
        let again = desktop.expect_more(undone, ball, "redo");
        desktop.take("z");
        desktop.hold(place, 0.3);
        let erased = desktop.expect_more(again, -ball, "an erased ball");
        // Pegs are as large as the ring: 15 px to the ball's 50.
        desktop.take("n");
        desktop.hold(by(start, -240.0, -100.0), 0.1);
        let pegged = desktop.expect_more(erased, 0.09 * ball, "a peg");
        desktop.take("b");
        desktop.xdotool(&format!("mousemove {:.0} {:.0} mousedown 1", start[0] - 250.0, start[1] + 200.0));
        for step in 1..=10 {
            sleep(Duration::from_millis(200));
            desktop.xdotool(&format!(
                "mousemove {:.0} {:.0}",
                start[0] - 250.0 + 50.0 * f64::from(step),
                start[1] + 200.0
            ));
        }
        sleep(Duration::from_millis(400));
        desktop.xdotool("mouseup 1 mousemove 5 5");
        let zoom = (ball / std::f64::consts::PI).sqrt() / 50.0;
        let walled = desktop.expect_more(pegged, 500.0 * 4.0 * zoom, "a wall");
        desktop.key("ctrl+z");
        desktop.expect_more(walled, -500.0 * 4.0 * zoom, "a wall undone");
    });
}

#[test]
fn keys_choose_colours_draw_over_the_balls_and_show_the_plots() {
    with_window(|desktop| {
        let (width, height) = (desktop.world.x.1, desktop.world.y.1 + 40);
        let bottom = Area { x: (0, width), y: (height - 70, height) };
        let plots = Area { x: (0, 340), y: (100, 500) };
        let all = Area { x: (0, width), y: (130, height - 75) };
        let yellow = |desktop: &Desktop| desktop.shot().find(&bottom, |[r, g, b]| r > 230 && g > 210 && b < 90).0;
        let amber = |desktop: &Desktop, area| desktop.shot().find(area, |[r, g, b]| r > 200 && g > 120 && b < 110).0;
        assert_eq!((yellow(desktop), amber(desktop, &all)), (0, 0));
        assert!(desktop.key_shows("2", |desktop| yellow(desktop) > 30), "no legend of speeds, which ends in yellow");
        assert!(desktop.key_shows("j", |desktop| amber(desktop, &all) > 300), "no arrows on the walls");
        assert!(desktop.key_shows("j", |desktop| amber(desktop, &all) == 0), "the arrows stay");
        assert!(desktop.key_shows("F10", |desktop| amber(desktop, &plots) > 10), "no curve of the steps' times");
    });
}

#[test]
fn a_world_is_saved_read_again_recorded_opened_and_played() {
    with_window(|desktop| {
        let start = desktop.settle();
        let file = |desktop: &Desktop, name: &str| desktop.folder.path().join(name);
        let appears = |desktop: &Desktop, name: &str| {
            (0..50).any(|_| {
                sleep(Duration::from_millis(100));
                file(desktop, name).exists()
            })
        };
        let saved = (0..6).any(|_| {
            desktop.key("ctrl+s");
            appears(desktop, "Lone-1.ballpit")
        });
        assert!(saved, "Ctrl+S saves nothing");

        fs::write(file(desktop, "lone.toml"), SCENE.replace("[200, 150]", "[120, 150]")).unwrap();
        sleep(Duration::from_millis(1500));
        let moved = desktop.settle();
        assert!(moved[0] < start[0] - 60.0, "the changed file was not read again: {start:?}, {moved:?}");

        desktop.key("F9");
        assert!(appears(desktop, "Lone-1.recording"), "F9 records nothing");
        desktop.drag(1, moved, by(moved, 120.0, 50.0));
        let dragged = desktop.settle();
        desktop.key("F9");
        sleep(Duration::from_millis(1000));
        let text = fs::read_to_string(file(desktop, "Lone-1.recording")).unwrap();
        assert!(text.contains("\"press\"") && text.lines().last().unwrap().contains("\"end\""), "{text}");

        let open = |desktop: &Desktop, name: &str| {
            desktop.key("ctrl+o");
            sleep(Duration::from_millis(1000));
            desktop.xdotool(&format!("type --delay 120 {name}"));
            sleep(Duration::from_millis(500));
            desktop.key("Return");
            sleep(Duration::from_millis(2500));
        };
        open(desktop, "Lone-1.ballpit");
        let opened = desktop.settle();
        assert!(apart(opened, start) < 2.0, "the saved ball is at {opened:?} and not at {start:?}");
        open(desktop, "Lone-1.recording");
        let played = desktop.settle();
        assert!(apart(played, dragged) < 2.0, "the played ball is at {played:?} and not at {dragged:?}");

        let mut replay = Command::new(env!("CARGO_BIN_EXE_ballpit"));
        replay.args(["simulate", "--engine", "cpu", "--replay"]).arg(file(desktop, "Lone-1.recording"));
        let output = replay.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    });
}
