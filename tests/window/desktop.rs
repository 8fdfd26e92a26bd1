//! A window on a display of its own, with a hand on its keys and its pointer.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ballpit::Snapshot;
use tempfile::TempDir;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, CONFIGURE_NOTIFY_EVENT, ConfigureNotifyEvent, ConfigureWindowAux, ConnectionExt, CreateWindowAux, EventMask,
    ImageFormat, PropMode, Window, WindowClass,
};
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;
use x11rb::{COPY_DEPTH_FROM_PARENT, COPY_FROM_PARENT, CURRENT_TIME};

use crate::shot::{Area, Shot};

/// What a display shows at a scale factor of 1, points.
const SCREEN: (usize, usize) = (1280, 800);
/// Between the panel's left edge and the window's right one, points.
const PANEL: usize = 346;
/// How long anything may take, even on a machine that is busy with other tests.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// One large ball in the middle of a box, with nothing that moves it, and air that brings it to rest.
pub(crate) const LONE: &str = "version = 1\ntitle = \"Lone\"\nseed = 1\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 0]\n\
                               drag = 8\n[[spawn]]\nkind = \"single\"\nradius = 50\nposition = [200, 150]\n";

/// What the window is opened on.
pub(crate) enum Start<'a> {
    /// A scene file of this text.
    File(&'a str),
    /// A scene by its name, and flags.
    Named(&'a str),
}

/// A child that ends with the test.
pub(crate) struct Owned(pub(crate) Child);

impl Drop for Owned {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The window on a display of its own. The window is first, so that it ends first.
pub(crate) struct Desktop {
    pub(crate) window: Owned,
    server: Owned,
    display: String,
    pub(crate) connection: RustConnection,
    pub(crate) root: Window,
    /// What says how many pixels a point has.
    settings: Window,
    /// The window's name in the display's protocol.
    pub(crate) id: Window,
    /// Size of the window, pixels.
    pub(crate) size: (usize, usize),
    /// How many times as large as [`SCREEN`] the display is.
    screen: usize,
    /// Pixels a point.
    scale: usize,
    /// Where the world is drawn: left of the panel, below the readout, above the hints.
    pub(crate) world: Area,
    /// Where it runs.
    pub(crate) folder: TempDir,
}

impl Desktop {
    /// Opens the window on a display that is so many times as large as [`SCREEN`] and has so many pixels for a point, or says
    /// what is missing.
    fn open(start: &Start, screen: usize, scale: usize) -> Result<Self, String> {
        for tool in ["Xvfb", "xdotool"] {
            if !is_installed(tool) {
                return Err(tool.into());
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let (server, display) = serve(screen);
        let (connection, number) = RustConnection::connect(Some(&display)).unwrap();
        let root = connection.setup().roots[number].root;
        let settings = settings(&connection, root, scale);
        let window = launch(start, folder.path(), &display);
        let world = Area { x: (0, 1), y: (0, 1) };
        let (id, size) = (0, (screen * SCREEN.0, screen * SCREEN.1));
        let (window, server) = (Owned(window), server);
        let mut desktop =
            Self { window, server, display, connection, root, settings, id, size, screen, scale, world, folder };
        desktop.wait_for_text()?;
        desktop.measure();
        desktop.focus();
        Ok(desktop)
    }

    /// Waits until the first frame has been drawn.
    fn wait_for_text(&mut self) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < 3 * PATIENCE {
            if let Some(status) = self.window.0.try_wait().unwrap() {
                let mut text = String::new();
                self.window.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
                assert!(text.contains("no GPU adapter"), "the window ended with {status}: {text}");
                return Err("a Vulkan driver".into());
            }
            if self.mode_text() > 300 {
                return Ok(());
            }
            sleep(Duration::from_millis(100));
        }
        panic!("no frame was drawn within 90 s");
    }

    /// Takes in the window's name and size, which depends on the adapter.
    pub(crate) fn measure(&mut self) {
        let output = self.tool("xdotool").args("search --onlyvisible --name ^ballpit$".split(' ')).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        self.id = text.lines().next().and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("{text}"));
        self.size = self.geometry();
        let top = 130 * self.scale;
        self.world = Area { x: (0, self.size.0 - PANEL * self.scale), y: (top, self.size.1 - 40 * self.scale) };
    }

    /// Gives the display another number of pixels for a point, as a desktop's settings do, and waits until the window has taken
    /// the size that goes with it.
    pub(crate) fn rescale(&mut self, scale: usize) {
        let wanted = (self.size.0 * scale / self.scale, self.size.1 * scale / self.scale);
        set_scale(&self.connection, self.settings, scale);
        self.wait("the other size", || (self.geometry() == wanted).then_some(()));
        self.scale = scale;
        self.measure();
    }

    /// Width and height of the window now, pixels.
    pub(crate) fn geometry(&self) -> (usize, usize) {
        let shape = self.connection.get_geometry(self.id).unwrap().reply().unwrap();
        (shape.width.into(), shape.height.into())
    }

    /// Gives the window another size, pixels.
    pub(crate) fn resize(&self, (width, height): (u32, u32)) {
        let size = ConfigureWindowAux::new().width(width).height(height);
        self.connection.configure_window(self.id, &size).unwrap();
        self.connection.flush().unwrap();
    }

    /// Tells the window where it is, as a window manager does after it has moved or resized it.
    pub(crate) fn tell_place(&self) {
        let (width, height) = self.geometry();
        let event = ConfigureNotifyEvent {
            response_type: CONFIGURE_NOTIFY_EVENT,
            sequence: 0,
            event: self.id,
            window: self.id,
            above_sibling: 0,
            x: 0,
            y: 0,
            width: width as u16,
            height: height as u16,
            border_width: 0,
            override_redirect: false,
        };
        self.connection.send_event(false, self.id, EventMask::STRUCTURE_NOTIFY, event).unwrap();
        self.connection.flush().unwrap();
    }

    /// A name's number in the display's protocol.
    pub(crate) fn atom(&self, name: &str) -> Atom {
        atom(&self.connection, name)
    }

    /// Gives the window the keyboard: without a window manager nobody else does. A key that comes before the window has
    /// taken that in is lost, so that one is sent until it shows.
    pub(crate) fn focus(&self) {
        self.xdotool(&format!("windowfocus --sync {}", self.id));
        let is_helped = || self.shot().covered(&self.world) > 50_000;
        let is_heard = (0..20).any(|_| {
            self.key("F1");
            (0..10).any(|_| {
                sleep(Duration::from_millis(100));
                is_helped()
            })
        });
        assert!(is_heard, "the window takes no keys");
        self.key("F1");
        self.wait("no help", || (!is_helped()).then_some(()));
    }

    /// Files of an ending where the window runs.
    pub(crate) fn files(&self, extension: &str) -> Vec<PathBuf> {
        let paths = fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        paths.filter(|path| path.extension().is_some_and(|end| end == extension)).collect()
    }

    /// The world as the window saves it now; the file is gone again.
    pub(crate) fn saved(&self) -> Snapshot {
        let before = self.files("ballpit");
        self.key("ctrl+s");
        let new = || self.files("ballpit").into_iter().find(|path| !before.contains(path));
        let path = self.wait("a saved world", new);
        let saved = Snapshot::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        saved
    }

    /// Waits until the saved world is as it should be; answers with it.
    #[track_caller]
    pub(crate) fn saved_until(&self, what: &str, is_so: impl Fn(&Snapshot) -> bool) -> Snapshot {
        self.wait(what, || Some(self.saved()).filter(&is_so))
    }

    /// Waits for something that is not there at once.
    #[track_caller]
    pub(crate) fn wait<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(found) = look() {
                return found;
            }
            sleep(Duration::from_millis(50));
        }
        panic!("waited in vain for {what}");
    }

    /// Waits until a picture shows what it should.
    #[track_caller]
    pub(crate) fn see(&self, what: &str, is_shown: impl Fn(&Shot) -> bool) -> Shot {
        self.wait(what, || Some(self.shot()).filter(&is_shown))
    }

    /// Presses a key and waits until a picture shows what it should.
    #[track_caller]
    pub(crate) fn key_shows(&self, key: &str, what: &str, is_shown: impl Fn(&Shot) -> bool) -> Shot {
        self.key(key);
        self.see(what, is_shown)
    }

    /// Pixels of the mode line that are text.
    pub(crate) fn mode_text(&self) -> usize {
        self.shot().find(&self.mode_line(), |[red, green, blue]| red + green + blue > 400).0
    }

    /// Where the mode line is.
    pub(crate) fn mode_line(&self) -> Area {
        Area { x: (0, 600 * self.scale), y: (0, 30 * self.scale) }
    }

    pub(crate) fn ball(&self) -> (usize, [f64; 2]) {
        self.shot().ball(&self.world)
    }

    /// The display as it is now.
    pub(crate) fn shot(&self) -> Shot {
        let (width, height) = (SCREEN.0 * self.screen, SCREEN.1 * self.screen);
        let image =
            self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, 0, 0, width as u16, height as u16, u32::MAX);
        let bytes = image.unwrap().reply().unwrap().data;
        assert_eq!(bytes.len(), 4 * width * height, "the display has other pixels than expected");
        Shot { width, bytes }
    }

    /// Waits until pictures show the ball in one place.
    pub(crate) fn settle(&self) -> [f64; 2] {
        let (mut last, mut same) = (self.ball(), 0);
        for _ in 0..600 {
            sleep(Duration::from_millis(100));
            let now = self.ball();
            same = if now == last { same + 1 } else { 0 };
            if same == 4 && now.0 > 0 {
                return now.1;
            }
            last = now;
        }
        panic!("the ball does not come to rest");
    }

    pub(crate) fn xdotool(&self, words: &str) {
        let status = self.tool("xdotool").args(words.split(' ')).status().unwrap();
        assert!(status.success(), "xdotool {words}");
    }

    pub(crate) fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env("DISPLAY", &self.display);
        command
    }

    pub(crate) fn key(&self, key: &str) {
        self.xdotool(&format!("key {key}"));
    }

    /// Holds a key while something is looked at.
    pub(crate) fn held<T>(&self, key: &str, look: impl FnOnce() -> T) -> T {
        self.xdotool(&format!("keydown {key}"));
        let seen = look();
        self.xdotool(&format!("keyup {key}"));
        seen
    }

    pub(crate) fn point(&self, place: [f64; 2]) {
        self.xdotool(&format!("mousemove {:.0} {:.0}", place[0], place[1]));
    }

    /// Presses and lets go of the left button at a place.
    pub(crate) fn click(&self, place: [f64; 2]) {
        self.point(place);
        sleep(Duration::from_millis(300));
        self.xdotool("click 1");
    }

    /// Drags with a button from one place to another, holds still, and lets go.
    pub(crate) fn drag(&self, button: u32, from: [f64; 2], to: [f64; 2]) {
        self.point(from);
        sleep(Duration::from_millis(200));
        self.xdotool(&format!("mousedown {button}"));
        sleep(Duration::from_millis(300));
        self.point(to);
        sleep(Duration::from_millis(if button == 1 { 1000 } else { 300 }));
        self.xdotool(&format!("mouseup {button}"));
    }

    /// Drags with the left button from one place to another and holds still there until a picture shows what it should.
    #[track_caller]
    pub(crate) fn drag_until(&self, [from, to]: [[f64; 2]; 2], what: &str, is_shown: impl Fn(&Shot) -> bool) {
        self.point(from);
        sleep(Duration::from_millis(200));
        self.xdotool("mousedown 1");
        sleep(Duration::from_millis(300));
        self.point(to);
        self.see(what, is_shown);
        self.xdotool("mouseup 1");
    }

    /// Takes a tool: its key gives the mode line more text, that of the tool in hand being longer than none.
    #[track_caller]
    pub(crate) fn take(&self, key: &str) {
        self.key("q");
        sleep(Duration::from_millis(300));
        let before = self.mode_text();
        self.key(key);
        self.wait("a tool's name", || (self.mode_text() > before + 100).then_some(()));
    }

    /// Holds the left button down at a place for some time, then moves the pointer into a corner.
    pub(crate) fn hold(&self, place: [f64; 2], seconds: f32) {
        self.hold_while(place, || sleep(Duration::from_secs_f32(seconds)));
    }

    /// The same for as long as something is looked at: however long a busy machine takes for a frame.
    #[track_caller]
    pub(crate) fn hold_while<T>(&self, place: [f64; 2], look: impl FnOnce() -> T) {
        self.point(place);
        sleep(Duration::from_millis(300));
        self.xdotool("mousedown 1");
        look();
        self.xdotool("mouseup 1");
        self.xdotool("mousemove 5 5");
        sleep(Duration::from_millis(300));
    }

    /// Types a text and Enter.
    pub(crate) fn enter(&self, text: &str) {
        self.xdotool(&format!("type --delay 60 {text}"));
        sleep(Duration::from_millis(200));
        self.key("Return");
    }

    /// Waits until the window has closed; answers with what it has printed.
    pub(crate) fn closed(&mut self) -> String {
        let (code, text) = self.ended();
        assert_eq!(code, Some(0), "{text}");
        text
    }

    /// Kills the display under the window; answers with the code that this ends with and what it has printed.
    pub(crate) fn killed_under_it(&mut self) -> (Option<i32>, String) {
        self.server.0.kill().unwrap();
        self.ended()
    }

    fn ended(&mut self) -> (Option<i32>, String) {
        let start = Instant::now();
        let status = loop {
            if let Some(status) = self.window.0.try_wait().unwrap() {
                break status;
            }
            assert!(start.elapsed() < PATIENCE, "the window does not close");
            sleep(Duration::from_millis(50));
        };
        let mut text = String::new();
        self.window.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (status.code(), text)
    }
}

/// A window that says how many pixels a point has, as a desktop's settings do for all programs: by the XSETTINGS protocol.
fn settings(connection: &RustConnection, root: Window, scale: usize) -> Window {
    let window = connection.generate_id().unwrap();
    let (depth, class, look) = (COPY_DEPTH_FROM_PARENT, WindowClass::INPUT_OUTPUT, CreateWindowAux::new());
    connection.create_window(depth, window, root, 0, 0, 1, 1, 0, class, COPY_FROM_PARENT, &look).unwrap();
    set_scale(connection, window, scale);
    let owned = connection.set_selection_owner(window, atom(connection, "_XSETTINGS_S0"), CURRENT_TIME);
    owned.unwrap().check().unwrap();
    window
}

/// Has the settings say how many pixels a point has.
fn set_scale(connection: &RustConnection, settings: Window, scale: usize) {
    let (name, dpi) = (b"Xft/DPI\0", 1024 * 96 * scale as u32);
    // Little-endian, with a serial number; one setting, a number with its name, padded to four bytes, and its own serial number.
    let head = [[0; 4], [0; 4], 1u32.to_le_bytes(), [0, 0, 7, 0]];
    let bytes = [head.as_flattened(), name, &[0; 4], &dpi.to_le_bytes()].concat();
    let kind = atom(connection, "_XSETTINGS_SETTINGS");
    connection.change_property8(PropMode::REPLACE, settings, kind, kind, &bytes).unwrap();
    connection.flush().unwrap();
}

fn atom(connection: &RustConnection, name: &str) -> Atom {
    connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom
}

/// A display server, so many times as large as [`SCREEN`], and the display's name.
fn serve(screen: usize) -> (Owned, String) {
    let screen = format!("{}x{}x24", SCREEN.0 * screen, SCREEN.1 * screen);
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

/// Starts the program in a folder.
fn launch(start: &Start, folder: &Path, display: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ballpit"));
    match start {
        Start::File(text) => {
            let scene = folder.join("lone.toml");
            fs::write(&scene, text).unwrap();
            command.arg(scene);
        }
        Start::Named(words) => {
            command.args(words.split(' '));
        }
    }
    command
        .current_dir(folder)
        .env("DISPLAY", display)
        .env("XDG_RUNTIME_DIR", folder)
        .env_remove("WINIT_X11_SCALE_FACTOR")
        .env_remove("WAYLAND_DISPLAY")
        // A test that hangs leaves no window behind.
        .env("BALLPIT_SECONDS", "240")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

pub(crate) fn is_installed(tool: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(tool).is_file())
}

/// Says that what a test needs is missing, or fails where `BALLPIT_GPU=required`.
pub(crate) fn skip(missing: &str) {
    let required = std::env::var("BALLPIT_GPU").is_ok_and(|value| value == "required");
    assert!(!required, "the window can't be tested without {missing}");
    let _ = writeln!(std::io::stderr(), "skipped: the window can't be tested without {missing}");
}

/// Runs `test` with a window; without the means to open one, says so or fails.
pub(crate) fn with_window(start: &Start, test: impl FnOnce(&mut Desktop)) {
    with_window_on(start, (1, 1), test);
}

/// As [`with_window`], on a display that is so many times as large, with so many pixels for a point.
pub(crate) fn with_window_on(start: &Start, (screen, scale): (usize, usize), test: impl FnOnce(&mut Desktop)) {
    match Desktop::open(start, screen, scale) {
        Ok(mut desktop) => test(&mut desktop),
        Err(missing) => skip(&missing),
    }
}
