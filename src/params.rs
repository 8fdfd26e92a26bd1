//! What the kernels are told: derived from a world and its settings, laid out for WGSL by encase.

use std::f32::consts::TAU;

use encase::ShaderType;
use glam::Vec2;

use crate::grid::{Grid, LEVELS, MARGIN, MOST_MARGIN};
use crate::portable::exp;
use crate::stage::find_ground::GROUND;
use crate::stage::{NONE, friction_pass};
use crate::{Counter, Material, Settings, Surface, Wheel, World};

/// Declares a struct once, for Rust and as WGSL source.
macro_rules! shared_struct {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $rust:ty = $wgsl:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, ShaderType)]
        pub(crate) struct $name { $($(#[$field_doc])* pub(crate) $field: $rust,)* }

        impl $name {
            /// The same struct in WGSL.
            pub(crate) const WGSL: &str =
                concat!("struct ", stringify!($name), " {\n", $("    ", stringify!($field), ": ", $wgsl, ",\n",)* "}\n");
        }
    };
}
pub(crate) use shared_struct;

mod steering;
pub(crate) use steering::{CharacterParams, Steering};

shared_struct! {
    /// A material, as the kernels read it.
    MaterialParams {
        /// Share of the approach speed given back.
        restitution: f32 = "f32",
        /// √(Coulomb's coefficient): a pair's coefficient is the product of its two.
        roughness: f32 = "f32",
        /// Pads the array's stride to the 16 bytes that a uniform array wants.
        unused_x: f32 = "f32",
        /// See `unused_x`.
        unused_y: f32 = "f32",
    }
}

shared_struct! {
    /// A surface, as the kernels read it: allowed where normal · x ≥ offset.
    SurfaceParams {
        /// Unit normal toward the balls.
        normal_x: f32 = "f32",
        /// Unit normal toward the balls.
        normal_y: f32 = "f32",
        /// normal · point, px.
        offset: f32 = "f32",
        /// Restitution, or −1 for the ball's own.
        restitution: f32 = "f32",
        /// Coulomb coefficient, or −1 for the ball's own.
        friction: f32 = "f32",
        /// The surface's own velocity at p is (drift_x − turn·p.y, drift_y + turn·p.x), px/s.
        drift_x: f32 = "f32",
        /// See `drift_x`.
        drift_y: f32 = "f32",
        /// Turn, rad/s.
        turn: f32 = "f32",
    }
}

shared_struct! {
    /// A wheel, as the kernels read it: at p, its pegs have the velocity along·d + across·(−d.y, d.x), d = p − centre.
    WheelParams {
        /// Centre, px.
        centre_x: f32 = "f32",
        /// Centre, px.
        centre_y: f32 = "f32",
        /// See the struct, 1/s.
        along: f32 = "f32",
        /// See the struct, 1/s.
        across: f32 = "f32",
    }
}

shared_struct! {
    /// A counter, as the kernels read it.
    CounterParams {
        /// Smaller corner, px.
        min_x: f32 = "f32",
        /// Smaller corner, px.
        min_y: f32 = "f32",
        /// Larger corner, px.
        max_x: f32 = "f32",
        /// Larger corner, px.
        max_y: f32 = "f32",
    }
}

shared_struct! {
    /// A level of the grid, as the kernels read it.
    LevelParams {
        /// Greatest reach of a ball in the level, px.
        reach: f32 = "f32",
        /// One over the cell side, 1/px.
        inverse_side: f32 = "f32",
        /// Greatest column, as a float to clamp with.
        last_column: f32 = "f32",
        /// Greatest row, as a float to clamp with.
        last_row: f32 = "f32",
        /// Cells in x.
        columns: u32 = "u32",
        /// Index of the first cell.
        first: u32 = "u32",
        /// Index past the last cell.
        end: u32 = "u32",
        /// Pads to the 16 bytes that a uniform array's stride is a multiple of.
        unused: u32 = "u32",
    }
}

shared_struct! {
    /// Constants of every kernel for as long as world, settings and step length stay the same.
    Params {
        /// Levels of the grid, finest first.
        levels: [LevelParams; LEVELS] = "array<LevelParams, LEVELS>",
        /// Surfaces of the world.
        surfaces: [SurfaceParams; Surface::MOST] = "array<SurfaceParams, SURFACES>",
        /// Materials of the world.
        materials: [MaterialParams; Material::MOST] = "array<MaterialParams, MATERIALS>",
        /// Wheels of the world.
        wheels: [WheelParams; Wheel::MOST] = "array<WheelParams, WHEELS>",
        /// Counters of the world.
        counters: [CounterParams; Counter::MOST] = "array<CounterParams, COUNTERS>",
        /// 0, though no shader compiler can know it: the rounding barriers are made of it.
        zero: u32 = "u32",
        /// Slots in use: balls, then the pieces of segments.
        count: u32 = "u32",
        /// Balls.
        balls: u32 = "u32",
        /// Slots that there is room for: what lies item after item of all balls is so far apart.
        capacity: u32 = "u32",
        /// Cells of all levels, and limbo.
        cells: u32 = "u32",
        /// The cell of erased balls.
        limbo: u32 = "u32",
        /// Levels in use.
        level_count: u32 = "u32",
        /// Levels that balls are in; a last one holds the segments.
        ball_levels: u32 = "u32",
        /// A bit for each surface in use.
        all_surfaces: u32 = "u32",
        /// Counters in use.
        counter_count: u32 = "u32",
        /// Contact passes a step.
        passes: u32 = "u32",
        /// Step h, s.
        step_s: f32 = "f32",
        /// Substep h / passes, s.
        substep_s: f32 = "f32",
        /// Speed that the spring of a slip gives in a substep, per slip, 1/s.
        pull_of_slip: f32 = "f32",
        /// One over `pull_of_slip`, s.
        slip_of_pull: f32 = "f32",
        /// One over the moment of inertia of a ball of mass and radius 1: 2 with rotation, 0 without.
        spin_share: f32 = "f32",
        /// |g|·h, px/s.
        gravity_step: f32 = "f32",
        /// What a substep adds to a velocity, px/s: g·hs, less what the air takes of it.
        kick_x: f32 = "f32",
        /// See `kick_x`.
        kick_y: f32 = "f32",
        /// Half a kick, px/s.
        half_kick_x: f32 = "f32",
        /// See `half_kick_x`.
        half_kick_y: f32 = "f32",
        /// exp(−drag·h).
        drag_factor: f32 = "f32",
        /// −1/hs, 1/s, softer without gravity: a gap times this is the approach that closes it, an overlap the speed
        /// that parts it.
        push_rate: f32 = "f32",
        /// An approach below this (negative) speed is an impact, px/s.
        impact_speed: f32 = "f32",
        /// An impact's contact was open within this time, s.
        impact_window_s: f32 = "f32",
        /// Unit vector of gravity; zero without.
        down_x: f32 = "f32",
        /// Unit vector of gravity; zero without.
        down_y: f32 = "f32",
        /// The length of the kick, px/s.
        gravity_kick: f32 = "f32",
        /// Half the share of the load that a grounded ball is relieved of in a pass; 0 without gravity.
        relief: f32 = "f32",
        /// Share of a relieved ball's vertical speed that its drag takes in a pass.
        relief_drag: f32 = "f32",
        /// What a ball that stands on nothing stands on: NONE, or GROUND if all are relieved.
        afloat: u32 = "u32",
        /// Share of the presplit that counts: 1, or 0 without it.
        presplit: f32 = "f32",
        /// Whether impacts wait for the earliest.
        first_impact: u32 = "u32",
        /// (greatest speed of a push)², px²/s².
        push_speed_squared: f32 = "f32",
        /// (greatest speed)², px²/s².
        most_speed_squared: f32 = "f32",
        /// (sleep speed)², px²/s²; 0 where no ball sleeps.
        sleep_speed_squared: f32 = "f32",
        /// (wake speed)², px²/s².
        wake_speed_squared: f32 = "f32",
        /// Quiet steps after which a ball sleeps.
        quiet_steps: u32 = "u32",
        /// Time ahead for which a ball's reach holds what it may meet, s.
        horizon_s: f32 = "f32",
        /// Margin of a ball at rest, in radii.
        margin: f32 = "f32",
        /// Greatest margin, in radii.
        most_margin: f32 = "f32",
        /// Speed, in radii a second, above which a ball is hurried.
        hurry_rate: f32 = "f32",
        /// Stiffness of the pointer's spring.
        spring_stiffness: f32 = "f32",
        /// Damping of the pointer's spring.
        spring_damping: f32 = "f32",
        /// Circumference of a circle, in radii.
        circumference: f32 = "f32",
        /// Corner of the grid, px.
        origin_x: f32 = "f32",
        /// Corner of the grid, px.
        origin_y: f32 = "f32",
    }
}

shared_struct! {
    /// What changes from turn to turn of a step: what a pass leaves in the velocities for the next one, which is
    /// nothing after the last one, and how far the step has come.
    Kick {
        /// The coming substep's share of gravity, px/s.
        x: f32 = "f32",
        /// See `x`.
        y: f32 = "f32",
        /// Time over which the pointer's spring acts, s.
        spring_s: f32 = "f32",
        /// Time since the step began, s.
        elapsed_s: f32 = "f32",
    }
}

shared_struct! {
    /// A stroke of the brush: see `stage::brush`.
    Stroke {
        /// What it does.
        kind: u32 = "u32",
        /// Of ids, the first.
        first: u32 = "u32",
        /// Of ids, the one past the last.
        end: u32 = "u32",
        /// What an erasure is called.
        stamp: u32 = "u32",
        /// Middle, px.
        x: f32 = "f32",
        /// Middle, px.
        y: f32 = "f32",
        /// (radius)², px².
        radius_squared: f32 = "f32",
        /// (distance from the middle below which sleepers wake)², px².
        wake_squared: f32 = "f32",
        /// Speed away from the middle that a push adds, px/s.
        speed: f32 = "f32",
        /// Speed toward the middle that a push adds a px from it, 1/s.
        rate: f32 = "f32",
    }
}

shared_struct! {
    /// The pointer.
    Pointer {
        /// Place in the world, px.
        x: f32 = "f32",
        /// Place in the world, px.
        y: f32 = "f32",
        /// Share of the way from the last place to the current one at which balls are drawn.
        alpha: f32 = "f32",
    }
}

/// What a world has that most have not: the stages and buffers that only it needs. A world without it pays nothing;
/// kernels are compiled with segments and without.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Traits {
    /// Whether any material has friction, or balls turn.
    pub(crate) rubs: bool,
    /// Whether balls turn.
    pub(crate) rolls: bool,
    /// Whether there are segments.
    pub(crate) segments: bool,
    /// Whether there are actors.
    pub(crate) acts: bool,
    /// Whether any actor is carried by a ball.
    pub(crate) carries: bool,
}

impl Traits {
    pub(crate) fn of(world: &World, settings: &Settings) -> Self {
        Self {
            rubs: settings.rotation || world.materials.iter().any(|material| material.friction > 0.0),
            rolls: settings.rotation,
            segments: !world.segments.is_empty(),
            acts: !world.actors.is_empty(),
            carries: world.actors.iter().any(|actor| actor.parent.is_some()),
        }
    }

    /// The same in WGSL.
    pub(crate) fn wgsl(self) -> String {
        format!("const SEGMENTS = {};\n", self.segments)
    }
}

impl SurfaceParams {
    fn new(surface: &Surface, materials: &[Material]) -> Self {
        let Surface { point, normal, material, motion, .. } = surface.now();
        let of_material = |value: fn(&Material) -> f32| material.map_or(-1.0, |index| value(&materials[index]));
        Self {
            normal_x: normal.x,
            normal_y: normal.y,
            offset: normal.dot(point),
            restitution: of_material(|material| material.restitution),
            friction: of_material(|material| material.friction),
            drift_x: motion.velocity.x + motion.turn_rad_s * point.y,
            drift_y: motion.velocity.y - motion.turn_rad_s * point.x,
            turn: motion.turn_rad_s,
        }
    }
}

impl WheelParams {
    fn new(wheel: &Wheel, step_s: f32) -> Self {
        let carry = wheel.carry(step_s).as_vec2();
        Self { centre_x: wheel.centre.x, centre_y: wheel.centre.y, along: carry.x, across: carry.y }
    }
}

impl From<&Counter> for CounterParams {
    fn from(&Counter { min, max }: &Counter) -> Self {
        Self { min_x: min.x, min_y: min.y, max_x: max.x, max_y: max.y }
    }
}

impl Params {
    /// The constants of a step of `step_s` seconds.
    pub(crate) fn new(world: &World, settings: &Settings, grid: &Grid, step_s: f32) -> Self {
        let substep_s = step_s / settings.passes as f32;
        let sleeps = settings.sleeps();
        let pull = world.gravity.length();
        let (drag_factor, in_air) = air(world.drag_per_s, step_s);
        let kick = world.gravity * (substep_s * in_air);
        let rules = settings.rules;
        let half_kick = if rules.half_kick { 0.5 * kick } else { Vec2::ZERO };
        let pushed_out = if pull > 0.0 { 1.0 } else { settings.soft_push / settings.passes as f32 };
        Self {
            zero: 0,
            count: world.bodies.len() as u32,
            balls: world.bodies.len() as u32,
            capacity: world.bodies.len() as u32,
            cells: grid.cells,
            limbo: grid.limbo,
            // Without contacts there is nothing to walk and no surface to meet.
            level_count: if settings.contacts { grid.levels.len() as u32 } else { 0 },
            ball_levels: grid.ball_levels as u32,
            all_surfaces: if settings.contacts { ((1u64 << world.surfaces.len()) - 1) as u32 } else { 0 },
            counter_count: world.counters.len() as u32,
            passes: settings.passes,
            step_s,
            substep_s,
            pull_of_slip: friction_pass::SPRING / substep_s,
            slip_of_pull: substep_s / friction_pass::SPRING,
            spin_share: if settings.rotation { 2.0 } else { 0.0 },
            gravity_step: pull * step_s,
            kick_x: kick.x,
            kick_y: kick.y,
            half_kick_x: half_kick.x,
            half_kick_y: half_kick.y,
            drag_factor,
            push_rate: -pushed_out / substep_s,
            // Without gravity every meeting is an impact; the floor keeps its duration finite.
            impact_speed: -(if pull > 0.0 { settings.bounce_speed_px_s } else { 0.0 }).max(1e-6),
            impact_window_s: if pull > 0.0 && rules.impact_window { 2.0 * substep_s } else { 1e9 },
            down_x: if pull > 0.0 { world.gravity.x / pull } else { 0.0 },
            down_y: if pull > 0.0 { world.gravity.y / pull } else { 0.0 },
            gravity_kick: pull * (substep_s * in_air),
            relief: if pull > 0.0 { 0.5 * settings.relief / settings.passes as f32 } else { 0.0 },
            relief_drag: (settings.relief_drag_per_s * substep_s).min(1.0),
            afloat: if rules.ground { NONE } else { GROUND },
            presplit: if rules.presplit { 1.0 } else { 0.0 },
            first_impact: u32::from(rules.first_impact),
            push_speed_squared: if pull > 0.0 { settings.push_speed_px_s * settings.push_speed_px_s } else { f32::MAX },
            most_speed_squared: settings.most_speed_px_s * settings.most_speed_px_s,
            sleep_speed_squared: if sleeps { settings.sleep_speed_px_s * settings.sleep_speed_px_s } else { 0.0 },
            wake_speed_squared: settings.wake_speed_px_s() * settings.wake_speed_px_s(),
            quiet_steps: settings.quiet_steps_of(step_s),
            // A sleeper must be seen a step before it is hit.
            horizon_s: if sleeps { 2.0 * step_s } else { step_s },
            margin: MARGIN,
            most_margin: MOST_MARGIN,
            hurry_rate: MOST_MARGIN / step_s,
            spring_stiffness: settings.spring_stiffness,
            spring_damping: settings.spring_damping,
            circumference: TAU,
            origin_x: grid.origin.x,
            origin_y: grid.origin.y,
            levels: array(grid.levels.iter().map(|level| LevelParams {
                reach: level.reach,
                inverse_side: level.inverse_side,
                last_column: (level.columns - 1) as f32,
                last_row: (level.rows - 1) as f32,
                columns: level.columns,
                first: level.first,
                end: level.first + level.columns * level.rows,
                ..LevelParams::default()
            })),
            surfaces: array(world.surfaces.iter().map(|surface| SurfaceParams::new(surface, &world.materials))),
            counters: array(world.counters.iter().map(CounterParams::from)),
            wheels: array(world.wheels.iter().map(|wheel| WheelParams::new(wheel, step_s))),
            materials: array(world.materials.iter().map(|material| MaterialParams {
                restitution: material.restitution,
                roughness: material.friction.sqrt(),
                ..MaterialParams::default()
            })),
        }
    }

    /// What a turn is told after `substeps` substeps of the step; `is_last` if no substep follows it.
    pub(crate) fn kick(&self, substeps: u32, is_last: bool) -> Kick {
        let elapsed_s = substeps as f32 * self.substep_s;
        if is_last {
            return Kick { elapsed_s, ..Kick::default() };
        }
        Kick { x: self.kick_x, y: self.kick_y, spring_s: self.substep_s, elapsed_s }
    }
}

/// exp(−drag·h), and what gravity adds over a step in such air as a share of g·h: exact, so that a fall ends at g/drag.
fn air(drag_per_s: f32, step_s: f32) -> (f32, f32) {
    let loss = f64::from(drag_per_s) * f64::from(step_s);
    let drag_factor = exp(-loss);
    let in_air = if loss > 0.0 { (1.0 - drag_factor) / loss } else { 1.0 };
    (drag_factor as f32, in_air as f32)
}

impl Pointer {
    pub(crate) fn at(place: Vec2, alpha: f32) -> Self {
        // Nowhere, until it is somewhere: no ball is picked there.
        Self { x: f32::NAN, y: f32::NAN, alpha }.moved_to(place)
    }

    /// The same pointer at another place; one that is none leaves it where it is.
    pub(crate) fn moved_to(self, place: Vec2) -> Self {
        reachable(place).map_or(self, |place| Self { x: place.x, y: place.y, ..self })
    }
}

/// A place of the pointer, as far away as a ball may be; none for one that is no place.
pub(crate) fn reachable(place: Vec2) -> Option<Vec2> {
    const FARTHEST_PX: f32 = 1e9;
    (!place.is_nan()).then(|| place.clamp(Vec2::splat(-FARTHEST_PX), Vec2::splat(FARTHEST_PX)))
}

fn array<T: Copy + Default, const N: usize>(items: impl Iterator<Item = T>) -> [T; N] {
    let mut all = [T::default(); N];
    for (slot, item) in all.iter_mut().zip(items) {
        *slot = item;
    }
    all
}
