//! Both engines side by side: do they agree?
//!
//! Where the self-test passes, they must agree to the last bit over any number of steps. Where it does not, two long
//! runs part as any two runs do that differ in the last place, so each stage is compared by itself from equal inputs,
//! to a stated tolerance.

use std::fmt;

use glam::Vec2;

use crate::exact::canonical_bits;
use crate::{
    Arithmetic, CpuEngine, Engine, Error, Gpu, GpuEngine, Home, Record, Result, SelfTest, Settings, Spin, Stage, World,
};

#[cfg(test)]
mod parity;

/// Place that a stage may leave a ball from where its velocity says, px.
const PLACE_TOLERANCE_PX: f32 = 1e-3;
/// Speed that a stage may differ by, px/s, and as a share of the speed.
const SPEED_TOLERANCE_PX_S: f32 = 0.1;
const SPEED_TOLERANCE_SHARE: f32 = 1e-4;
/// Balls in a thousand whose velocity or crowding may differ by more: at a threshold, rounding decides, and it decides
/// for both balls of a pair.
const PER_THOUSAND_AT_THRESHOLD: usize = 3;
/// How far a nudged ball is moved where stages are compared to a tolerance, px.
const NUDGE_PX: f32 = 100.0 * PLACE_TOLERANCE_PX;

/// How engines are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Whole steps, to the last bit.
    Exact,
    /// Stage by stage from equal inputs, to a tolerance.
    Stages,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("whole steps, to the last bit"),
            Self::Stages => write!(
                f,
                "stage by stage from equal inputs: places to {PLACE_TOLERANCE_PX} px, velocities to \
                 {SPEED_TOLERANCE_PX_S} px/s and {SPEED_TOLERANCE_SHARE} of the speed but for \
                 {PER_THOUSAND_AT_THRESHOLD} balls in 1000, or two"
            ),
        }
    }
}

/// Where two engines differ: the ball with the lowest id.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Steps made, this one included.
    pub step: u64,
    /// The stage, where stages are compared.
    pub stage: Option<Stage>,
    /// The ball.
    pub id: usize,
    /// What differs of it.
    pub quantity: &'static str,
    /// The CPU engine's value.
    pub cpu: f32,
    /// The GPU engine's value.
    pub gpu: f32,
    /// Balls that differ.
    pub differing: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { step, id, quantity, cpu, gpu, differing, .. } = self;
        let stage = self.stage.map(|stage| format!(", {}", stage.name())).unwrap_or_default();
        let (cpu_bits, gpu_bits) = (cpu.to_bits(), gpu.to_bits());
        write!(
            f,
            "step {step}{stage}: {quantity} of ball {id} is {cpu} ({cpu_bits:08x}) on the CPU engine and {gpu} \
             ({gpu_bits:08x}) on the GPU engine; {}",
            if *differing == 1 { "no other ball differs".into() } else { format!("{differing} balls differ") }
        )
    }
}

/// Two engines with one world.
pub struct Comparison {
    cpu: CpuEngine,
    gpu: GpuEngine,
    self_test: SelfTest,
    method: Method,
    nudged: Option<usize>,
    step_s: f32,
}

impl Comparison {
    /// Gives both engines the world; the self-test of the device decides how they are compared.
    ///
    /// # Errors
    /// As [`CpuEngine::new`] and [`GpuEngine::new`].
    pub fn new(gpu: &Gpu, world: World, settings: &Settings, arithmetic: Arithmetic) -> Result<Self> {
        let self_test = gpu.self_test(arithmetic)?;
        Ok(Self {
            gpu: GpuEngine::new(gpu, world.clone(), settings.clone(), arithmetic)?,
            cpu: CpuEngine::new(world, settings.clone())?,
            method: if self_test.is_exact() { Method::Exact } else { Method::Stages },
            self_test,
            nudged: None,
            step_s: settings.step_s(),
        })
    }

    /// Compares stage by stage whatever the self-test says.
    pub fn by_stage(&mut self) {
        self.method = Method::Stages;
    }

    /// Makes the comparison fail: from the next step on, ball `id` stands elsewhere on the GPU, by one unit in the last
    /// place where whole steps are compared and by a hundred tolerances where stages are. What does not fail then
    /// compares nothing.
    pub fn nudge(&mut self, id: usize) {
        self.nudged = Some(id);
    }

    /// Sends the actors that follow in a direction, on both engines.
    ///
    /// # Errors
    /// As [`Engine::steer`].
    pub fn steer(&mut self, direction: Vec2) -> Result<()> {
        self.cpu.steer(direction)?;
        self.gpu.steer(direction)
    }

    /// How the engines are compared.
    pub fn method(&self) -> Method {
        self.method
    }

    /// What the device's self-test said.
    pub fn self_test(&self) -> &SelfTest {
        &self.self_test
    }

    /// Makes one step on both engines; the difference, if there is one.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails, [`Error::NotFinite`] if a ball's state is no longer a number: two that
    /// are none can't be compared.
    pub fn step(&mut self) -> Result<Option<Difference>> {
        let difference = match self.method {
            Method::Exact => self.step_exactly(),
            Method::Stages => self.step_by_stages(),
        }?;
        let slots = self.cpu.slots();
        match slots.bodies.iter().position(|body| !(body.x + body.y + body.vx + body.vy).is_finite()) {
            Some(slot) => Err(Error::NotFinite { id: slots.homes[slot].id as usize, step: self.cpu.steps() }),
            None => Ok(difference),
        }
    }

    /// Both engines' worlds, the CPU's first.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails.
    pub fn worlds(&mut self) -> Result<(World, World)> {
        Ok((self.cpu.world()?, self.gpu.world()?))
    }

    fn step_exactly(&mut self) -> Result<Option<Difference>> {
        if let Some(id) = self.nudged.take() {
            self.load_nudged(id, |x| f32::from_bits(x.to_bits() + 1));
        }
        self.cpu.step(1, self.step_s)?;
        self.gpu.step(1, self.step_s)?;
        let (bodies, homes) = self.gpu.read_slots()?;
        let ours = self.cpu.slots();
        let spins = self.gpu.read_spins()?;
        let same = |a: &Ball, b: &Ball| {
            fields(a).iter().zip(fields(b)).all(|((_, a), (_, b))| canonical_bits(*a) == canonical_bits(b))
        };
        let step = self.cpu.steps();
        let pairs = Pairs::by_id((ours.bodies, ours.spins, ours.homes), (&bodies, &spins, &homes));
        Ok(pairs.first(step, None, same).or_else(|| misordered(step, ours.homes, &homes)))
    }

    fn step_by_stages(&mut self) -> Result<Option<Difference>> {
        let substep_s = self.cpu.course().params().substep_s;
        for turn in self.cpu.course().turns() {
            // From the count to the reorder the grid's stages pass whole numbers on, which must stay one engine's own.
            let within_grid = matches!(turn.stage, Stage::GridSums | Stage::GridScan | Stage::GridScatter);
            match self.nudged {
                _ if within_grid || turn.stage == Stage::GridReorder => {}
                Some(id) => self.load_nudged(id, |x| x + NUDGE_PX),
                None => self.gpu.load(&self.cpu.slots()),
            }
            self.cpu.run(turn);
            self.gpu.run(turn);
            if within_grid || matches!(turn.stage, Stage::GridCount | Stage::FindGround) {
                continue;
            }
            let (bodies, homes) = self.gpu.read_slots()?;
            let ours = self.cpu.slots();
            let spins = self.gpu.read_spins()?;
            let pairs = Pairs::by_id((ours.bodies, ours.spins, ours.homes), (&bodies, &spins, &homes));
            let step = self.cpu.steps() + 1;
            let misplaced = pairs.first(step, Some(turn.stage), |a, b| in_place(a, b, substep_s));
            if misplaced.is_some() {
                return Ok(misplaced);
            }
            let deviating = pairs.first(step, Some(turn.stage), in_tolerance);
            let at_threshold = (bodies.len() * PER_THOUSAND_AT_THRESHOLD / 1000).max(2);
            if deviating.as_ref().is_some_and(|difference| difference.differing > at_threshold) {
                return Ok(deviating);
            }
        }
        self.cpu.count_step();
        self.gpu.count_steps(1);
        Ok(None)
    }

    fn load_nudged(&mut self, id: usize, nudge: impl Fn(f32) -> f32) {
        let slots = self.cpu.slots();
        let mut bodies = slots.bodies.to_vec();
        for (body, home) in bodies.iter_mut().zip(slots.homes) {
            if home.id as usize == id {
                body.x = nudge(body.x);
            }
        }
        self.gpu.load(&crate::engine::Slots { bodies: &bodies, ..slots });
    }
}

/// A ball and how it turns.
type Ball = (Record, Spin);

/// What is compared of a ball.
fn fields((body, spin): &Ball) -> [(&'static str, f32); 8] {
    let Record { x, y, vx, vy, split, flags, .. } = *body;
    let Spin { rate, angle, .. } = *spin;
    [("x", x), ("y", y), ("vx", vx), ("vy", vy), ("split", split), ("flags", flags), ("spin", rate), ("angle", angle)]
}

/// The first slot that holds another ball on the GPU: the state is the same, but the next step's would not be.
fn misordered(step: u64, cpu: &[Home], gpu: &[Home]) -> Option<Difference> {
    let mut differing = cpu.iter().zip(gpu).enumerate().filter(|(_, (ours, theirs))| ours.id != theirs.id);
    let (slot, (ours, _)) = differing.next()?;
    Some(Difference {
        step,
        stage: None,
        id: ours.id as usize,
        quantity: "the slot",
        cpu: slot as f32,
        gpu: gpu.iter().position(|home| home.id == ours.id).map_or(f32::NAN, |slot| slot as f32),
        differing: 1 + differing.count(),
    })
}

/// Whether the places differ by no more than the velocities explain.
fn in_place((a, _): &Ball, (b, _): &Ball, substep_s: f32) -> bool {
    let off = |place: f32, velocity: f32| (place - velocity * substep_s).abs() <= PLACE_TOLERANCE_PX;
    off(b.x - a.x, b.vx - a.vx) && off(b.y - a.y, b.vy - a.vy)
}

/// Whether velocity, crowding and the speed of the rim agree to the tolerance.
fn in_tolerance((a, turning): &Ball, (b, also): &Ball) -> bool {
    let near = |a: f32, b: f32| (b - a).abs() <= SPEED_TOLERANCE_PX_S + SPEED_TOLERANCE_SHARE * a.abs();
    near(a.vx, b.vx)
        && near(a.vy, b.vy)
        && near(a.split, b.split)
        && near(turning.rate * a.radius, also.rate * b.radius)
}

/// The two engines' balls, by id.
struct Pairs(Vec<(Ball, Ball)>);

impl Pairs {
    fn by_id(cpu: (&[Record], &[Spin], &[Home]), gpu: (&[Record], &[Spin], &[Home])) -> Self {
        let mut pairs = vec![(Ball::default(), Ball::default()); cpu.0.len()];
        // Where nothing rubs there are no spins.
        let spin = |spins: &[Spin], slot: usize| spins.get(slot).copied().unwrap_or_default();
        // The pieces of segments, whose ids are far above the balls', fill the list from its end.
        let last = pairs.len().saturating_sub(1);
        let place = |home: &Home| match (home.id as usize).checked_sub(World::MOST_BODIES) {
            Some(piece) => last.saturating_sub(piece),
            None => home.id as usize,
        };
        for (slot, (body, home)) in cpu.0.iter().zip(cpu.2).enumerate() {
            pairs[place(home)].0 = (*body, spin(cpu.1, slot));
        }
        for (slot, (body, home)) in gpu.0.iter().zip(gpu.2).enumerate() {
            // A device that loses count of its balls must show as a difference, not end the program.
            if let Some(pair) = pairs.get_mut(place(home)) {
                pair.1 = (*body, spin(gpu.1, slot));
            }
        }
        Self(pairs)
    }

    /// The first pair that does not agree, and how many don't.
    fn first(&self, step: u64, stage: Option<Stage>, agree: impl Fn(&Ball, &Ball) -> bool) -> Option<Difference> {
        let mut differing = self.0.iter().enumerate().filter(|(_, (a, b))| !agree(a, b));
        let (id, (a, b)) = differing.next()?;
        let pairs = fields(a).into_iter().zip(fields(b));
        // The quantity that is furthest off, as a share of its size.
        let share = |a: f32, b: f32| (a - b).abs() / a.abs().max(1.0);
        let ((quantity, cpu), (_, gpu)) =
            pairs.max_by(|x, y| share(x.0.1, x.1.1).total_cmp(&share(y.0.1, y.1.1))).unwrap_or_default();
        Some(Difference { step, stage, id, quantity, cpu, gpu, differing: 1 + differing.count() })
    }
}

#[cfg(test)]
mod order {
    use super::*;

    #[test]
    fn two_balls_in_each_others_slots_are_a_difference() {
        let homes: Vec<Home> = (0..5).map(|id| Home { id, ..Home::default() }).collect();
        let mut swapped = homes.clone();
        assert_eq!(misordered(7, &homes, &swapped), None);
        swapped.swap(1, 3);
        let difference = misordered(7, &homes, &swapped).unwrap();
        assert_eq!((difference.id, difference.cpu, difference.gpu, difference.differing), (1, 1.0, 3.0, 2));
    }
}
