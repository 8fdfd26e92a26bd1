//! An open window: its sandbox, its interface, and what happens in a frame.

use std::path::Path;
use std::time::{Duration, Instant};

use ballpit::render::{Margins, Renderer};
use ballpit::{Gpu, Result};
use egui::Popup;
use wgpu::{LoadOp, Operations, RenderPassColorAttachment, RenderPassDescriptor, StoreOp, SurfaceTexture};
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;

use super::film::{Film, Pace};
use super::help::Help;
use super::input::{Deed, Input};
use super::keys::Action;
use super::open::OpenFile;
use super::overlay::{Overlay, Painted};
use super::panel::{self, Panel, Wish};
use super::readout::{self, Facts, Line};
use super::sandbox::{Change, Sandbox};
use super::window::{Acquired, Screen};
use super::{counters, cursor, exit, legend, plots, screenshot, theme};
use crate::console::note;
use crate::engines::Maker;
use crate::launch::Launch;
use crate::numbers::counted;
use crate::uploads::Uploads;

/// How soon a paused window looks again whether it has something to do.
const IDLE: Duration = Duration::from_millis(250);

/// The title while a world is built: no frame is drawn meanwhile.
const BUILDING: &str = "ballpit: building the world…";

/// How long news are shown, and trouble, which takes longer to read and to understand.
const NEWS: Duration = Duration::from_secs(5);
const TROUBLE: Duration = Duration::from_secs(12);

/// Least time from a frame to the next where no display sets it.
const LEAST_FRAME: Duration = Duration::from_micros(16_667);

/// What the event loop is to do after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Draw as soon as the display takes a frame.
    Draw,
    /// Draw after this time, or earlier if something happens.
    Wait(Duration),
    Quit,
}

/// What of the interface is shown.
struct Shown {
    /// Whether the panel is, beside the world, and over it in a window that has no room for both.
    panel: [bool; 2],
    help: Help,
    /// What was said last, and until when it is shown.
    notice: Option<(Line, Instant)>,
}

/// Everything of an open window.
pub(crate) struct Live {
    screen: Screen,
    overlay: Overlay,
    renderer: Renderer,
    uploads: Uploads,
    sandbox: Sandbox,
    input: Input,
    panel: Panel,
    open: OpenFile,
    shown: Shown,
    film: Option<Film>,
    facts: Facts,
    /// When the last frame was drawn; none while nobody sees the window, so that no time has passed for its balls.
    last_frame: Option<Instant>,
    frames: u64,
    steps: u64,
}

impl Live {
    /// Opens the window and builds the world. On a software adapter it says what it takes instead.
    pub(crate) fn open(event_loop: &ActiveEventLoop, launch: Launch) -> Result<Self> {
        let mut screen = Screen::open(event_loop)?;
        let gpu = screen.gpu.clone();
        let maker = Maker::new(&launch, &gpu);
        let exact = maker.is_gpu().then(|| gpu.self_test(launch.arithmetic)).transpose()?;
        let facts = Facts {
            adapter: format!("{} ({})", gpu.info().name, gpu.info().backend),
            software: gpu.is_software(),
            exact: exact.map(|exact| exact.to_string()),
        };
        let is_gpu = maker.is_gpu();
        screen.announce(BUILDING);
        let mut sandbox = Sandbox::new(launch, maker, gpu.is_software())?;
        if gpu.is_software() {
            let (engine, balls) = (if is_gpu { "GPU" } else { "CPU" }, counted(sandbox.run.balls, "ball"));
            note(format_args!(
                "{} is a software adapter; running {balls} on the {engine} engine (--balls and --engine choose)",
                gpu.describe()
            ));
        }
        screen.announce("");
        sandbox.eye.resize(viewport(&screen));
        exit::watch();
        let notices = std::mem::take(&mut screen.notices);
        notices.iter().for_each(note);
        // They have the line until something is said.
        let line = (!notices.is_empty()).then(|| Line { text: notices.join("; "), colour: theme::AMBER });
        Ok(Self {
            overlay: Overlay::new(&screen),
            renderer: Renderer::new(&gpu, screen.format()),
            uploads: Uploads::new(&gpu),
            screen,
            sandbox,
            input: Input::default(),
            panel: Panel::new(),
            open: OpenFile::default(),
            shown: Shown {
                panel: [true, false],
                help: Help::default(),
                notice: line.map(|line| (line, Instant::now() + TROUBLE)),
            },
            film: None,
            facts,
            last_frame: None,
            frames: 0,
            steps: 0,
        })
    }

    /// Frames drawn and steps made since the window opened.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.frames, self.steps)
    }

    /// Takes in an event.
    pub(crate) fn event(&mut self, event: &WindowEvent) -> Result<Next> {
        match event {
            WindowEvent::RedrawRequested => return self.draw(),
            WindowEvent::CloseRequested | WindowEvent::Destroyed => return Ok(Next::Quit),
            WindowEvent::Resized(size) => {
                self.screen.resize(*size);
                self.sandbox.eye.resize(viewport(&self.screen));
            }
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => {
                // On a new scale the window takes the size that winit gives it. One that is told twice, as X11 does where
                // there is a window manager, resizes it once.
                let is_new = self.overlay.rescale(*scale_factor);
                if !is_new {
                    let _ = inner_size_writer.clone().request_inner_size(self.screen.window.inner_size());
                }
            }
            WindowEvent::Occluded(occluded) => self.screen.set_occluded(*occluded),
            WindowEvent::DroppedFile(path) => self.change(Change::Scene(path.clone())),
            _ => {}
        }
        self.input.set_steered(self.sandbox.steered(), self.sandbox.shots());
        if let WindowEvent::CursorMoved { position, .. } = event {
            let shield = self.overlay.shield(glam::Vec2::new(position.x as f32, position.y as f32));
            self.overlay.event(&self.screen, event, shield);
            return Ok(self.input.deed(event, shield).map_or(Next::Draw, |deed| self.perform(deed)));
        }
        let shield = self.overlay.shield(self.input.pixel);
        self.overlay.event(&self.screen, event, shield);
        Ok(self.input.deed(event, shield).map_or(Next::Draw, |deed| self.perform(deed)))
    }

    fn perform(&mut self, deed: Deed) -> Next {
        match deed {
            Deed::Act(action) => return self.act(action),
            Deed::Press(pixel) => self.sandbox.press(pixel),
            Deed::Drag(pixel) => self.sandbox.drag(pixel),
            Deed::Release => self.sandbox.release(),
            Deed::LetGo => self.sandbox.let_go(),
            Deed::Pan(delta) => self.sandbox.eye.pan(delta),
            Deed::Zoom(pixel, factor) => self.sandbox.eye.zoom_at(pixel, factor),
            Deed::Steer(direction) => self.sandbox.steer(direction),
            Deed::Wheel(pixel, factor) => self.sandbox.wheel(pixel, factor),
        }
        Next::Draw
    }

    fn act(&mut self, action: Action) -> Next {
        match action {
            Action::Quit => return self.escape(),
            Action::Help => self.shown.help.toggle(),
            Action::Panel => {
                let shown = &mut self.shown.panel[usize::from(panel::is_narrow(&self.overlay.context))];
                *shown = !*shown;
            }
            Action::Fullscreen => self.screen.toggle_fullscreen(),
            Action::Screenshot => self.take_picture(),
            Action::Film => self.toggle_film(),
            Action::Open => self.open.toggle(Path::new(".")),
            action => self.sandbox.act(action),
        }
        Next::Draw
    }

    /// Closes the foremost of what lies over the world, or the window where nothing does.
    fn escape(&mut self) -> Next {
        if Popup::is_any_open(&self.overlay.context) {
            Popup::close_all(&self.overlay.context);
        } else if !self.open.hide() && !self.shown.help.hide() {
            return Next::Quit;
        }
        Next::Draw
    }

    fn change(&mut self, change: Change) {
        let builds = change.builds();
        if builds {
            self.screen.announce(BUILDING);
            // What is said next is of this change.
            self.sandbox.trouble = None;
        }
        self.sandbox.change(change);
        if builds {
            self.screen.announce("");
        }
        if builds && self.open.is_shown() {
            self.open.settle(self.sandbox.trouble.take());
        }
    }

    /// Says what the sandbox has to say, over the world: no control of the panel moves under the pointer.
    fn pass_on(&mut self) {
        if let Some(news) = self.sandbox.news.take() {
            self.say(news);
        }
        if let Some(trouble) = self.sandbox.trouble.take() {
            self.complain(trouble);
        }
    }

    fn say(&mut self, text: String) {
        self.shown.notice = Some((Line { text, colour: theme::TEXT }, Instant::now() + NEWS));
    }

    fn complain(&mut self, text: String) {
        self.shown.notice = Some((Line { text, colour: theme::RED }, Instant::now() + TROUBLE));
    }

    /// What is to be done before the window closes; a world whose window has `failed` is saved.
    pub(crate) fn close(&mut self, failed: bool) {
        if failed && let Some(saved) = self.sandbox.rescue(Path::new(".")) {
            note(saved);
        }
        // If the program is ended before this line, `exit` saves the state that was kept.
        exit::forget();
        if self.sandbox.tape.is_recording() {
            self.sandbox.trouble = None;
            self.sandbox.end_recording();
            let said = [self.sandbox.news.take(), self.sandbox.trouble.take()];
            said.into_iter().flatten().for_each(note);
        }
        if let Some(film) = self.film.take() {
            note(film.end().unwrap_or_else(|error| error.to_string()));
        }
    }

    fn take_picture(&mut self) {
        let balls = self.uploads.balls(&self.sandbox.run.engine);
        let written = screenshot::write(&self.screen.gpu, &balls, &self.sandbox.view(), Path::new("."));
        self.tell(written.map(|path| format!("wrote {}", path.display())));
    }

    /// Begins a film of pictures of the window's size, or ends the one under way.
    fn toggle_film(&mut self) {
        if self.film.is_some() {
            return self.end_film();
        }
        let folder = self.sandbox.new_path(Path::new("."), Film::EXTENSION);
        match Film::begin(&self.screen.gpu, folder, self.screen.size()) {
            Ok(film) => (self.film, self.sandbox.pace) = (Some(film), Some(Pace::default())),
            Err(error) => self.complain(error.to_string()),
        }
    }

    fn end_film(&mut self) {
        self.sandbox.pace = None;
        if let Some(film) = self.film.take() {
            self.tell(film.end());
        }
    }

    /// Draws a film's picture of the frame that has been shown, if it is one. Time that stands still makes none.
    fn shoot(&mut self) -> Result<()> {
        let Self { film: Some(film), sandbox, uploads, .. } = self else { return Ok(()) };
        let is_due = sandbox.pace.as_ref().is_some_and(Pace::is_due) && !sandbox.clock.is_paused();
        if is_due && !film.shoot(&uploads.balls(&sandbox.run.engine), &sandbox.view())? {
            self.end_film();
        }
        Ok(())
    }

    /// Says what came of something.
    fn tell(&mut self, outcome: Result<String>) {
        match outcome {
            Ok(news) => self.say(news),
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Draws a frame, if anybody sees it.
    fn draw(&mut self) -> Result<Next> {
        self.screen.gpu.check()?;
        let frame = match self.screen.acquire()? {
            Acquired::Frame(frame) => frame,
            Acquired::Again => return Ok(Next::Draw),
            Acquired::Later(pause) => {
                self.last_frame = None;
                return Ok(Next::Wait(pause));
            }
        };
        let now = Instant::now();
        let since = self.last_frame.replace(now).map_or(Duration::ZERO, |last| now - last);
        self.sandbox.look_at_file(since);
        self.pass_on();
        let (painted, wishes) = self.lay_out(now);
        let made = self.render(frame, &painted, since)?;
        self.shoot()?;
        self.frames += 1;
        self.steps += made;
        let mut next = self.rest(&painted, now);
        for wish in wishes {
            next = match wish {
                Wish::Act(action) => self.act(action),
                Wish::Change(change) => {
                    self.change(change);
                    Next::Draw
                }
            };
            // Building a world takes time that its balls have not lived through.
            self.last_frame = self.last_frame.map(|_| Instant::now());
        }
        Ok(next)
    }

    /// A world that stands still is drawn again only when something happens. A software adapter, or a display that sets no
    /// pace, shows frames as fast as they are drawn: more than a display's would only take time from the steps.
    fn rest(&self, painted: &Painted, drawn_since: Instant) -> Next {
        if self.sandbox.clock.is_paused() {
            return Next::Wait(painted.again_in.min(IDLE));
        }
        let spare = LEAST_FRAME.saturating_sub(drawn_since.elapsed());
        let sets_pace = self.screen.is_in_step() && !self.facts.software;
        if !sets_pace && !spare.is_zero() { Next::Wait(spare) } else { Next::Draw }
    }

    fn lay_out(&mut self, now: Instant) -> (Painted, Vec<Wish>) {
        let Self { screen, overlay, sandbox, panel, open, shown, film, facts, input, .. } = self;
        let brush_at = (!overlay.shield(input.pixel).pointer).then_some(input.pixel);
        shown.notice = shown.notice.take().filter(|(_, until)| now < *until);
        let mut lines = readout::lines(sandbox, facts);
        if let Some(film) = film {
            lines.insert(1, readout::film(film));
        }
        let (mut wishes, mut margins) = (Vec::new(), None);
        let painted = overlay.lay_out(screen, |context| {
            let width = context.content_rect().width();
            counters::show(context, sandbox);
            if let Some(pixel) = brush_at {
                cursor::show(context, sandbox, pixel);
            }
            if shown.help.begins(context) {
                return shown.help.lay_out(context, (sandbox.steered(), sandbox.shots()));
            }
            let narrow = panel::is_narrow(context);
            let is_shown = shown.panel[usize::from(narrow)];
            let (asked, taken) = if is_shown { panel.show(context, sandbox) } else { (Vec::new(), 0.0) };
            wishes = asked;
            wishes.extend(open.show(context).map(|path| Wish::Change(Change::Scene(path))));
            let notice = shown.notice.as_ref().map(|(line, _)| line);
            if is_shown && narrow {
                // Over the world, which stays where it was, and over all that is written there.
                notice.into_iter().for_each(|notice| readout::notice(context, notice, (width, 0.0)));
            } else {
                let mut left = readout::show(context, &lines, notice, (sandbox.tools.tool, width - taken));
                let (legend, room) = ((&sandbox.legend(), sandbox.eye.look.map), (width - taken, left.bottom - 4.0));
                legend::show(context, legend, room);
                left.bottom += legend::HEIGHT;
                if sandbox.times.as_ref().is_some_and(|times| plots::show(context, times, left.top)) {
                    wishes.push(Wish::Act(Action::Plots));
                }
                left.right = taken.max(left.right);
                margins = Some(left);
            }
            shown.help.lay_out(context, (sandbox.steered(), sandbox.shots()));
        });
        if let Some(Margins { left, top, right, bottom }) = margins {
            let scale = overlay.context.pixels_per_point();
            let [left, top, right, bottom] = [left, top, right, bottom].map(|points| points * scale);
            sandbox.eye.set_margins(Margins { left, top, right, bottom });
        }
        (painted, wishes)
    }

    /// Steps, draws and presents: one submission. Answers with the steps made.
    fn render(&mut self, frame: SurfaceTexture, painted: &Painted, since: Duration) -> Result<u64> {
        let Self { screen, overlay, renderer, uploads, sandbox, film, .. } = self;
        let Gpu { device, queue, .. } = &screen.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        let before = sandbox.run.engine.get().steps();
        sandbox.frame(since, Some(&mut encoder))?;
        exit::keep(sandbox.last_good());
        let made = sandbox.run.engine.get().steps() - before;
        uploads.send_seen(&mut sandbox.run.engine, &mut encoder, &sandbox.eye.look)?;
        if std::mem::take(&mut sandbox.run.is_new) {
            renderer.forget();
            film.iter_mut().for_each(Film::forget);
        }
        renderer.prepare(queue, &mut encoder, &uploads.balls(&sandbox.run.engine), &sandbox.view());
        overlay.upload(screen, &mut encoder, painted);
        let target = frame.texture.create_view(&Default::default());
        let attachment = RenderPassColorAttachment {
            view: &target,
            depth_slice: None,
            resolve_target: None,
            ops: Operations { load: LoadOp::Clear(renderer.background()), store: StoreOp::Store },
        };
        let descriptor = RenderPassDescriptor {
            label: Some("frame"),
            color_attachments: &[Some(attachment)],
            ..RenderPassDescriptor::default()
        };
        {
            let mut pass = encoder.begin_render_pass(&descriptor).forget_lifetime();
            renderer.draw(&mut pass, &uploads.balls(&sandbox.run.engine));
            overlay.paint(&mut pass, painted);
        }
        queue.submit([encoder.finish()]);
        sandbox.run.engine.submitted()?;
        screen.present(frame);
        overlay.free(painted);
        Ok(made)
    }

    pub(crate) fn request_redraw(&self) {
        self.screen.window.request_redraw();
    }
}

fn viewport(screen: &Screen) -> glam::Vec2 {
    let (width, height) = screen.size();
    glam::Vec2::new(width as f32, height as f32)
}
