//! The bytes that the stages of a step must move at least: what a device's memory sets a floor under.

use crate::actor::{ActorRecord, OrderRecord};
use crate::stage::friction_pass::Grip;
use crate::stage::list_contacts::Nearby;
use crate::stage::{Access, Buffer};
use crate::step::Turn;
use crate::{CpuEngine, Engine, Home, Record, Result, Settings, Spin, Stage, World};

/// Bytes a ball and step that each stage must move: every buffer that it binds once, twice what it updates in place, and
/// lists as far as they are filled. What a cache spares, as neighbours that are read again, is not in it.
///
/// ```
/// use ballpit::{Overrides, Scene, Stage, Traffic};
///
/// let scene = Scene::named("impulse")?;
/// let traffic = Traffic::of(&scene.build(&Overrides::default())?, &scene.settings())?;
/// let bytes = traffic.bytes_a_ball(Stage::ContactPass);
/// assert!((8.0 * 76.0..8.0 * 140.0).contains(&bytes), "two records and a list in each of eight passes: {bytes}");
/// # Ok::<(), ballpit::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Traffic {
    turns: Vec<Turn>,
    /// Candidates a ball.
    listed: f64,
    /// Cells of the grid a ball.
    cells: f64,
}

impl Traffic {
    /// What a step of a world moves. It is stepped once, on the CPU.
    ///
    /// # Errors
    /// Those of [`CpuEngine::new`] and of a step.
    pub fn of(world: &World, settings: &Settings) -> Result<Self> {
        let mut engine = CpuEngine::new(world.clone(), settings.clone())?;
        engine.step(1, settings.step_s())?;
        let listed: u64 = engine.nearby().iter().map(|&[candidates, _]| u64::from(candidates)).sum();
        let balls = f64::from(engine.balls().max(1));
        Ok(Self {
            turns: engine.course().turns().collect(),
            listed: listed as f64 / balls,
            cells: engine.cell_start().len() as f64 / balls,
        })
    }

    /// Of one stage, in all its turns of a step; 0 if the step has none.
    pub fn bytes_a_ball(&self, stage: Stage) -> f64 {
        let turns = self.turns.iter().filter(|turn| turn.stage == stage).count();
        let bytes = stage.bindings().iter().map(|&(buffer, access)| match access {
            Access::Update => 2.0 * self.bytes(buffer),
            Access::Seldom => 0.0,
            _ => self.bytes(buffer),
        });
        (turns * stage.rounds()) as f64 * bytes.sum::<f64>()
    }

    fn bytes(&self, buffer: Buffer) -> f64 {
        let each = |bytes: usize| bytes as f64;
        match buffer {
            Buffer::Bodies | Buffer::BodiesOut => each(size_of::<Record>()),
            Buffer::Homes | Buffer::HomesOut => each(size_of::<Home>()),
            Buffer::CellCount | Buffer::CellStart => each(size_of::<u32>()) * self.cells,
            Buffer::CellOf | Buffer::Members => each(size_of::<[u32; 2]>()),
            Buffer::Candidates => each(size_of::<u32>()) * self.listed,
            Buffer::Grips | Buffer::GripsOut => each(size_of::<Grip>()) * self.listed,
            Buffer::Nearby => each(size_of::<Nearby>()),
            Buffer::Spins | Buffer::SpinsOut => each(size_of::<Spin>()),
            Buffer::Actors => each(size_of::<ActorRecord>()),
            Buffer::Orders => each(size_of::<OrderRecord>()),
            Buffer::Supporter
            | Buffer::SupporterOut
            | Buffer::Wake
            | Buffer::SlotOf
            | Buffer::Stamps
            | Buffer::Load => each(size_of::<u32>()),
            // A few words for all balls, or for a block of them.
            Buffer::Params | Buffer::Kick | Buffer::Pointer | Buffer::Stroke | Buffer::Held | Buffer::Steering => 0.0,
            Buffer::BlockSum | Buffer::AwakeBlocks | Buffer::Calm | Buffer::Deferred | Buffer::Measures => 0.0,
        }
    }
}
