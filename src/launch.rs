//! What the command line asks for, resolved: a scene, its world and its settings.

use std::path::{Path, PathBuf};

use ballpit::{Arithmetic, Error, Overrides, Recording, Result, Scene, Settings, Solver, StageOrder, World};

/// Balls of the default pile on a software adapter, where drawing and stepping share the processor.
pub(crate) const SOFTWARE_BALLS: usize = 5_000;

/// Which engine to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineChoice {
    /// The GPU engine on a hardware adapter, the CPU engine otherwise.
    #[default]
    Auto,
    /// The GPU engine on whatever adapter there is.
    Gpu,
    /// The CPU engine.
    Cpu,
}

/// What to run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Launch {
    /// A scene's name or file; the default pile without.
    pub(crate) scene: Option<PathBuf>,
    /// Balls, instead of the scene's own count.
    pub(crate) balls: Option<usize>,
    /// Seed, instead of the scene's own.
    pub(crate) seed: Option<u64>,
    /// Steps a second, instead of the scene's own.
    pub(crate) rate_hz: Option<u32>,
    /// Passes a step, instead of the scene's own.
    pub(crate) passes: Option<u32>,
    /// Whether balls turn even where the scene does not say so.
    pub(crate) rotation: bool,
    /// Who answers contacts, instead of the scene's own.
    pub(crate) solver: Option<Solver>,
    /// Order of the sequential solver's stages, instead of the scene's own.
    pub(crate) stages: Option<StageOrder>,
    /// Whether balls at rest fall asleep where the scene does not say so.
    pub(crate) sleep: bool,
    /// Which engine.
    pub(crate) engine: EngineChoice,
    /// How its kernels compute.
    pub(crate) arithmetic: Arithmetic,
    /// Where to write what is done to the world, for a replay.
    pub(crate) record: Option<PathBuf>,
    /// A recording to play in a scene's place.
    pub(crate) replay: Option<PathBuf>,
}

impl Launch {
    /// The scene asked for, as [`Launch::of`] makes it.
    pub(crate) fn scene(&self) -> Result<Scene> {
        let opened = Scene::open(self.scene.as_deref().unwrap_or(Path::new(Scene::DEFAULT)));
        let scene =
            opened.map_err(|error| unreadable(error, "give a scene file, or a name that `ballpit scenes` lists"))?;
        Ok(self.of(scene))
    }

    /// A scene that has been read; with other balls or another seed, that which a saved world came from.
    pub(crate) fn of(&self, scene: Scene) -> Scene {
        let is_another = self.balls.is_some() || self.seed.is_some();
        if is_another { scene.anew() } else { scene }
    }

    /// A recording.
    pub(crate) fn recording(&self, path: &Path) -> Result<Recording> {
        Recording::read(path).map_err(|error| unreadable(error, "give a file that --record has written"))
    }

    /// The scene's world, with the count and seed asked for; `fewer` is the count where neither a scene nor a count was
    /// asked for.
    pub(crate) fn world(&self, scene: &Scene, fewer: Option<usize>) -> Result<World> {
        scene.build(&self.overrides(fewer))
    }

    /// The count and seed asked for; see [`Launch::world`].
    pub(crate) fn overrides(&self, fewer: Option<usize>) -> Overrides {
        Overrides { balls: self.balls.or(fewer.filter(|_| self.scene.is_none())), seed: self.seed }
    }

    /// The scene's settings, with what was asked for in their place.
    pub(crate) fn settings(&self, scene: &Scene) -> Result<Settings> {
        let mut settings = scene.settings();
        settings.rate_hz = self.rate_hz.unwrap_or(settings.rate_hz);
        settings.passes = self.passes.unwrap_or(settings.passes);
        settings.rotation |= self.rotation;
        let another = |solver: &&Solver| solver.is_sequential() != settings.solver.is_sequential();
        if let Some(solver) = self.solver.as_ref().filter(another) {
            settings.solver = solver.clone();
        }
        if let Some(order) = &self.stages {
            settings.solver = settings.solver.in_order(order.clone())?;
        }
        self.check(&settings)?;
        let keeps_sleep = self.stages.is_none() && settings.sleeps();
        let ordered = matches!(&settings.solver, Solver::Sequential(order) if order.sleeps());
        if self.sleep || ordered || keeps_sleep {
            settings = settings.with_sleep();
        }
        settings.validate()?;
        Ok(settings)
    }

    /// Refuses plain arithmetic where the GPU engine is not asked for: the CPU engine has no other than exact.
    pub(crate) fn check_arithmetic(&self) -> Result<()> {
        let plain = self.arithmetic == Arithmetic::Plain;
        if plain && self.engine != EngineChoice::Gpu { Err(plain_without_gpu()) } else { Ok(()) }
    }

    /// Refuses settings that the engine asked for can't run.
    pub(crate) fn check(&self, settings: &Settings) -> Result<()> {
        let refused = settings.solver.is_sequential() && self.engine == EngineChoice::Gpu;
        if refused { Err(sequential_on_gpu()) } else { Ok(()) }
    }
}

/// To whoever started the program a file that can't be read is a wrong one.
fn unreadable(error: Error, remedy: &str) -> Error {
    match error {
        Error::File { path, source } => {
            Error::Scene { place: path.display().to_string(), message: format!("can't be read ({source}); {remedy}") }
        }
        error => error,
    }
}

/// Plain arithmetic is that of a GPU's own compiler.
pub(crate) fn plain_without_gpu() -> Error {
    let accepted = "exact unless --engine gpu is given, too: the CPU engine has no other".into();
    Error::Value { name: "--arithmetic".into(), value: "plain".into(), accepted }
}

/// A GPU engine can't run the sequential solver; said here, before anybody looks for an adapter.
pub(crate) fn sequential_on_gpu() -> Error {
    Error::Value {
        name: "the solver".into(),
        value: "sequential".into(),
        accepted: "jacobi on the GPU engine: a sequential pass answers contacts one after another, which only the \
                   CPU can do; take --solver jacobi, or a command and an --engine that need no GPU"
            .into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(launch: Launch) -> Result<Settings> {
        launch.settings(&Scene::named("impulse").unwrap())
    }

    #[test]
    fn the_gpu_refuses_the_sequential_solver_with_the_reason() {
        let sequential = Launch { solver: Some(Solver::Sequential(StageOrder::default())), ..Launch::default() };
        let on_gpu = Launch { engine: EngineChoice::Gpu, ..sequential.clone() };
        let message = settings(on_gpu).unwrap_err().to_string();
        assert!(message.contains("solver is sequential") && message.contains("one after another"), "{message}");
        assert!(settings(sequential).unwrap().solver.is_sequential());
    }

    #[test]
    fn plain_arithmetic_wants_the_gpu_engine_by_name() {
        let plain = |engine| Launch { arithmetic: Arithmetic::Plain, engine, ..Launch::default() };
        assert!(plain(EngineChoice::Gpu).check_arithmetic().is_ok());
        for engine in [EngineChoice::Auto, EngineChoice::Cpu] {
            let message = plain(engine).check_arithmetic().unwrap_err().to_string();
            assert!(message.contains("--arithmetic is plain") && message.contains("--engine gpu"), "{message}");
            assert!(Launch { engine, ..Launch::default() }.check_arithmetic().is_ok());
        }
    }

    #[test]
    fn a_stage_of_sleep_puts_balls_to_sleep() {
        let ordered = |order: &str| Launch {
            solver: Some(Solver::Sequential(StageOrder::default())),
            stages: order.parse().ok(),
            ..Launch::default()
        };
        assert!(settings(ordered("kcbs")).unwrap().sleeps());
        assert!(!settings(ordered("kcb")).unwrap().sleeps());
    }

    #[test]
    fn an_order_of_stages_needs_the_sequential_solver() {
        let ordered = Launch { stages: "bck".parse().ok(), ..Launch::default() };
        let message = settings(ordered.clone()).unwrap_err().to_string();
        assert!(message.contains("jacobi") && message.contains("bck"), "{message}");
        let court = Scene::named("court").unwrap();
        assert_eq!(ordered.settings(&court).unwrap().solver, Solver::Sequential("bck".parse().unwrap()));
        let jacobi = Launch { solver: Some(Solver::Jacobi), ..Launch::default() };
        assert_eq!(jacobi.settings(&court).unwrap().solver, Solver::Jacobi);
    }
}
