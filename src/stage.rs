//! The stages of a step. Each file states a stage's maths, what it binds and how the CPU runs it; the shader of
//! the same name runs it on a GPU.

pub(crate) mod apply_forces;
pub(crate) mod brush;
pub(crate) mod carry_grips;
pub(crate) mod carry_spins;
pub(crate) mod contact;
pub(crate) mod contact_pass;
pub(crate) mod find_awake;
pub(crate) mod find_ground;
pub(crate) mod follow;
pub(crate) mod friction_pass;
pub(crate) mod grid_count;
pub(crate) mod grid_reorder;
pub(crate) mod grid_scan;
pub(crate) mod grid_scatter;
pub(crate) mod grid_sums;
pub(crate) mod lanes;
pub(crate) mod list_contacts;
pub(crate) mod measure;
pub(crate) mod note_slots;
pub(crate) mod pick;
#[cfg(test)]
mod reflection;
pub(crate) mod steer;
pub(crate) mod sweep;
pub(crate) mod wake_up;
pub(crate) mod weigh;

use crate::actor::{ActorRecord, OrderRecord};
use crate::exact;
use crate::grid::{LEVELS, LIMBO_IDS};
use crate::params::{
    CharacterParams, CounterParams, Kick, LevelParams, MaterialParams, Params, Pointer, Steering, Stroke,
    SurfaceParams, Traits, WheelParams,
};
use crate::segment::CORNER;
use crate::{Actor, Character, Counter, Material, Record, Surface, Wheel};

/// Bodies that one workgroup of a kernel takes.
pub(crate) const WORKGROUP: u32 = 64;
/// Cells that one workgroup of the scan takes: four an invocation.
pub(crate) const SCAN_BLOCK: u32 = 1024;
/// Invocations of a workgroup of the scan.
pub(crate) const SCAN_WORKGROUP: u32 = SCAN_BLOCK / 4;
/// Candidates that a ball's list holds; a *crowded* ball has more, and walks the grid in every pass instead.
pub(crate) const SLOTS: u32 = 16;
/// No candidate, no partner, no ball.
pub(crate) const NONE: u32 = u32::MAX;

/// A buffer that stages share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Buffer {
    /// [`Params`].
    Params,
    /// [`Kick`] of the pass at hand.
    Kick,
    /// [`Pointer`].
    Pointer,
    /// [`Stroke`].
    Stroke,
    /// [`Record`]s as the stage finds them.
    Bodies,
    /// [`Record`]s as the stage leaves them.
    BodiesOut,
    /// [`crate::Home`]s as the stage finds them.
    Homes,
    /// [`crate::Home`]s as the stage leaves them.
    HomesOut,
    /// Balls in each cell; all zero between steps.
    CellCount,
    /// Balls in each block of [`SCAN_BLOCK`] cells.
    BlockSum,
    /// First slot of each cell in cell order, and one past the last.
    CellStart,
    /// Cell of each ball and the place it drew in it.
    CellOf,
    /// Id and old slot of each ball, gathered by cell in the order drawn.
    Members,
    /// Candidates of each ball: on a GPU, number s of ball i at s · capacity + i; the CPU keeps [`list_contacts::lists::Lists`].
    Candidates,
    /// Candidates of each ball, counted even where the list is too short, and the surfaces near it, a bit each.
    Nearby,
    /// The ball that each ball stands on as the stage finds it: a slot, GROUND or NONE.
    Supporter,
    /// The same as the stage leaves it.
    SupporterOut,
    /// What each ball remembers of its contacts, laid out as the candidates: see [`carry_grips`].
    Grips,
    /// The same in the slots of the new step.
    GripsOut,
    /// [`crate::Spin`]s as the stage finds them.
    Spins,
    /// [`crate::Spin`]s as the stage leaves them.
    SpinsOut,
    /// What the pointer holds: id + 1 of the ball, then its slot.
    Held,
    /// [`Steering`].
    Steering,
    /// What actors are told, by id.
    Orders,
    /// [`ActorRecord`]s, by id.
    Actors,
    /// Slots of the balls, by id, where there are children.
    SlotOf,
    /// For each slot, 1 if a sleeper in it wakes as the next step begins, else 0.
    Wake,
    /// Where balls sleep: a dispatch of as many workgroups as there are blocks of [`WORKGROUP`] slots with a ball awake
    /// (three words), that number, and then by turns one of those blocks and, for each block in its order, 1 if it is one
    /// of them, else 0.
    AwakeBlocks,
    /// For each id, the stamp under which the ball was last erased: see [`brush`].
    Stamps,
    /// Measures of the readout: see [`measure`].
    Measures,
    /// What presses on each ball: see [`weigh`].
    Load,
}

/// How a stage uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Uniform,
    /// A uniform that each turn has its own of.
    PerTurn,
    Read,
    /// Read, but by few balls only.
    Seldom,
    Write,
    /// Read and written in place.
    Update,
}

/// A stage's bindings in order: index in the list = `@binding` in its shader.
pub(crate) type Bindings = &'static [(Buffer, Access)];

/// How many workgroups a stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One invocation a ball.
    Balls,
    /// One invocation a ball in those blocks that [`Buffer::AwakeBlocks`] lists; of all where no ball sleeps.
    Awake,
    /// One workgroup a block of cells.
    Blocks,
}

/// Declares the stages, each under the one name of its file, its shader, its entry point, its label and its scope.
macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident = $name:ident,)*) => {
        /// A stage of a step, or of what is asked beside it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Stage { $($(#[$doc])* $stage,)* }

        impl Stage {
            /// Every stage; `step.rs` says in which order they run.
            pub const ALL: &[Self] = &[$(Self::$stage,)*];

            /// The stage's one name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$stage => stringify!($name),)* }
            }

            pub(crate) fn bindings(self) -> Bindings {
                match self { $(Self::$stage => $name::BINDINGS,)* }
            }

            fn shader(self) -> &'static str {
                match self {
                    $(Self::$stage => include_str!(concat!("../shaders/", stringify!($name), ".wgsl")),)*
                }
            }
        }
    };
}

stages! {
    /// Actors' own speed, where they are sent.
    Steer = steer,
    /// Drag, the pointer's spring and the first substep's share of gravity.
    ApplyForces = apply_forces,
    /// The cell of each ball, and how many each cell holds.
    GridCount = grid_count,
    /// Totals of blocks of cells.
    GridSums = grid_sums,
    /// Prefix sum: where each cell's balls start.
    GridScan = grid_scan,
    /// Balls gathered by cell.
    GridScatter = grid_scatter,
    /// Records into cell order, by id inside a cell.
    GridReorder = grid_reorder,
    /// Which balls are awake.
    FindAwake = find_awake,
    /// The balls that each ball may meet in the step, and how crowded it is.
    ListContacts = list_contacts,
    /// Which sleepers wake as the next step begins.
    WakeUp = wake_up,
    /// Which balls stand on the ground, over whatever lies between.
    FindGround = find_ground,
    /// Each ball's turning into its new slot.
    CarrySpins = carry_spins,
    /// What each ball remembers of its contacts, for the new list.
    CarryGrips = carry_grips,
    /// What a substep's contacts do along themselves.
    FrictionPass = friction_pass,
    /// One substep: contacts answered, balls moved.
    ContactPass = contact_pass,
    /// Balls that have crossed a segment put back.
    Sweep = sweep,
    /// The slot of each ball, by id.
    NoteSlots = note_slots,
    /// Children to where their parents have come.
    Follow = follow,
    /// The ball under the pointer.
    Pick = pick,
    /// A push, or balls erased and brought back.
    Brush = brush,
    /// Deepest overlap, fastest ball, contacts.
    Measure = measure,
    /// What presses on each ball.
    Weigh = weigh,
}

impl Stage {
    pub(crate) fn extent(self) -> Extent {
        match self {
            Self::GridSums | Self::GridScan => Extent::Blocks,
            Self::ListContacts | Self::WakeUp | Self::FindGround | Self::ContactPass => Extent::Awake,
            _ => Extent::Balls,
        }
    }

    /// Dispatches of one turn, each over what the one before has written.
    pub(crate) fn rounds(self) -> usize {
        if self == Self::FindGround { find_ground::ROUNDS } else { 1 }
    }

    /// Shared WGSL that the stage's shader calls.
    fn includes(self) -> &'static [&'static str] {
        const AWAKE: &str = include_str!("../shaders/awake.wgsl");
        const SCAN: &str = include_str!("../shaders/scan.wgsl");
        const FORCES: &str = include_str!("../shaders/forces.wgsl");
        const CELLS: &str = include_str!("../shaders/cells.wgsl");
        const WALK: &str = include_str!("../shaders/walk.wgsl");
        const GEOMETRY: &str = include_str!("../shaders/geometry.wgsl");
        const SPLIT: &str = include_str!("../shaders/split.wgsl");
        const ORIGIN: &str = include_str!("../shaders/origin.wgsl");
        const GRIP: &str = include_str!("../shaders/grip.wgsl");
        const CONTACT: &str = include_str!("../shaders/contact.wgsl");
        const REST: &str = include_str!("../shaders/rest.wgsl");
        const ACTOR: &str = include_str!("../shaders/actor.wgsl");
        match self {
            Self::Steer => &[ACTOR, REST],
            Self::ApplyForces => &[FORCES, REST],
            Self::GridCount | Self::GridReorder | Self::Sweep => &[CELLS],
            Self::GridSums | Self::GridScan => &[SCAN],
            Self::Follow => &[ACTOR],
            Self::GridScatter | Self::FindAwake | Self::NoteSlots | Self::Pick => &[],
            Self::FindGround => &[AWAKE],
            Self::Brush => &[REST],
            Self::WakeUp => &[AWAKE, CELLS, WALK, GEOMETRY],
            Self::ListContacts => &[AWAKE, CELLS, WALK, GEOMETRY, SPLIT],
            Self::CarrySpins => &[CELLS, ORIGIN],
            Self::CarryGrips => &[CELLS, ORIGIN, GEOMETRY, GRIP],
            Self::FrictionPass => &[GEOMETRY, CONTACT, GRIP],
            Self::ContactPass => &[AWAKE, FORCES, CELLS, WALK, GEOMETRY, SPLIT, CONTACT],
            Self::Measure | Self::Weigh => &[CELLS, WALK, GEOMETRY, CONTACT],
        }
    }

    /// The stage's whole WGSL, with one arithmetic or the other, for worlds of one kind.
    pub(crate) fn wgsl(self, arithmetic: Arithmetic, traits: Traits, words: Words) -> String {
        let mut source = prelude(arithmetic, traits) + words.wgsl();
        for part in self.includes() {
            source += part;
        }
        source + self.shader()
    }
}

/// How kernels multiply, add and take roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The CPU engine's bits, held by barriers that no compiler can look through.
    #[default]
    Exact,
    /// The device's own: faster, near the CPU engine's results but not equal to them.
    Plain,
}

/// How the kernels that look at neighbours read records and homes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    /// As they are.
    Single,
    /// By words of 64 bits, which want `SHADER_INT64`.
    Double,
}

impl Words {
    fn wgsl(self) -> &'static str {
        match self {
            Self::Single => include_str!("../shaders/words_single.wgsl"),
            Self::Double => include_str!("../shaders/words_double.wgsl"),
        }
    }
}

/// What every kernel begins with: constants and structs from Rust, then the arithmetic.
pub(crate) fn prelude(arithmetic: Arithmetic, traits: Traits) -> String {
    let constants = [
        ("WORKGROUP", WORKGROUP),
        ("SCAN_WORKGROUP", SCAN_WORKGROUP),
        ("SLOTS", SLOTS),
        ("GRIPS", friction_pass::GRIPS),
        ("NONE", NONE),
        ("GROUND", find_ground::GROUND),
        ("HOPS", find_ground::HOPS),
        ("LISTED", find_awake::LISTED),
        ("BLOCKS", find_awake::BLOCKS),
        ("ROOT_GUESS", exact::ROOT_GUESS),
        ("RECIP_GUESS", exact::RECIP_GUESS),
        ("HELD", Record::HELD),
        ("HURRIED", Record::HURRIED),
        ("QUIET", Record::QUIET),
        ("DRIVEN", Record::DRIVEN),
        ("LAYER", ActorRecord::LAYER),
        ("LAYERS", Actor::LAYERS),
        ("STOPPED", ActorRecord::STOPPED),
        ("NO_PARENT", ActorRecord::NO_PARENT),
        ("GO", OrderRecord::GO),
        ("FREEZE", OrderRecord::FREEZE),
        ("CHARACTERS", Character::MOST as u32),
        ("PUSH", brush::PUSH),
        ("ERASE", brush::ERASE),
        ("ERASE_STAMPED", brush::ERASE_STAMPED),
        ("RESTORE_STAMPED", brush::RESTORE_STAMPED),
        ("ERASE_IDS", brush::ERASE_IDS),
        ("RESTORE_IDS", brush::RESTORE_IDS),
        ("LEVELS", LEVELS as u32),
        ("LIMBO_IDS", LIMBO_IDS),
        ("SURFACES", Surface::MOST as u32),
        ("MATERIALS", Material::MOST as u32),
        ("WHEELS", Wheel::MOST as u32),
        ("COUNTERS", Counter::MOST as u32),
        ("TALLIES", measure::TALLIES as u32),
        ("MEASURES", measure::WORDS as u32),
    ];
    let mut source: String = constants.iter().map(|(name, value)| format!("const {name}: u32 = {value}u;\n")).collect();
    let [x, y] = contact::COINCIDENT_NORMAL;
    let floats = [
        ("COINCIDENT", contact::COINCIDENT),
        ("TOUCHING", contact::TOUCHING),
        ("UNMET", contact::UNMET),
        ("EDGE_END", contact::EDGE_END),
        ("CORNER", CORNER),
        ("COINCIDENT_X", x),
        ("COINCIDENT_Y", y),
        ("NEAR", find_ground::NEAR),
        ("STEEP", find_ground::STEEP),
        ("DAMPING", friction_pass::DAMPING),
        ("TAU", std::f32::consts::TAU),
        ("TURNS", carry_spins::TURNS),
        ("MOST_TURNS", carry_spins::MOST_TURNS),
        ("NEVER_S", f32::MAX),
        ("ROOT_STEP_X", exact::ROOT_STEP[0]),
        ("ROOT_STEP_Y", exact::ROOT_STEP[1]),
        ("ROOT_FLOOR", exact::ROOT_FLOOR),
        ("SNAP", exact::SNAP),
    ];
    source.extend(floats.map(|(name, value)| format!("const {name}: f32 = {value:e};\n")));
    source += &traits.wgsl();
    source += &[
        MaterialParams::WGSL,
        SurfaceParams::WGSL,
        WheelParams::WGSL,
        CounterParams::WGSL,
        LevelParams::WGSL,
        Params::WGSL,
        Kick::WGSL,
        Pointer::WGSL,
    ]
    .concat();
    source += &[CharacterParams::WGSL, Steering::WGSL, Stroke::WGSL].concat();
    source += include_str!("../shaders/records.wgsl");
    source += include_str!("../shaders/kernel.wgsl");
    source += match arithmetic {
        Arithmetic::Exact => include_str!("../shaders/exact.wgsl"),
        Arithmetic::Plain => include_str!("../shaders/plain.wgsl"),
    };
    source + include_str!("../shaders/scalar.wgsl")
}
