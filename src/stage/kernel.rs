//! The kernels: what a GPU runs of the stages, as WGSL.

use arrayvec::ArrayVec;

use super::apply_forces::find_calm;
use super::contact_pass::in_two;
use super::dialect::{Dialect, TEXELS_A_ROW};
use super::{
    Arithmetic, Bindings, NONE, SCAN_WORKGROUP, SLOTS, Stage, WORKGROUP, brush, carry_spins, contact, find_awake,
    find_ground, friction_pass, measure,
};
use crate::actor::{ActorRecord, OrderRecord};
use crate::exact;
use crate::grid::{LEVELS, LIMBO_IDS};
use crate::params::{
    CharacterParams, CounterParams, Kick, LevelParams, MaterialParams, Params, Pointer, Steering, Stroke,
    SurfaceParams, Traits, WheelParams,
};
use crate::segment::CORNER;
use crate::{Actor, Character, Counter, Material, Record, Surface, Wheel};

/// What a device runs of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Kernel {
    /// All of it.
    Whole(Stage),
    /// Of `apply_forces`, what it comes to where balls sleep.
    FindCalm,
    /// Of `contact_pass`, the balls that only rest.
    RestPass,
    /// Of `contact_pass`, the others.
    ImpactPass,
}

/// How many workgroups a kernel needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One invocation a ball.
    Balls,
    /// One invocation a ball in those blocks that [`super::Buffer::AwakeBlocks`] lists; of all where no ball sleeps.
    Awake,
    /// One invocation a ball on the list of [`super::Buffer::Deferred`].
    Deferred,
    /// One workgroup a block of cells.
    Blocks,
    /// One workgroup.
    One,
}

impl Kernel {
    /// All that there are in a dialect.
    pub(crate) fn all(dialect: Dialect) -> impl Iterator<Item = Self> {
        Stage::ALL.iter().flat_map(move |&stage| Self::of(stage, dialect, true))
    }

    /// Those of a stage, each over what the one before has written.
    pub(crate) fn of(stage: Stage, dialect: Dialect, sleeps: bool) -> ArrayVec<Self, 2> {
        let whole = Self::Whole(stage);
        match stage {
            Stage::ApplyForces if sleeps => [whole, Self::FindCalm].into(),
            Stage::ContactPass if dialect == Dialect::Software => [Self::RestPass, Self::ImpactPass].into(),
            _ => [whole].into_iter().collect(),
        }
    }

    /// Its one name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Whole(stage) => stage.name(),
            Self::FindCalm => "find_calm",
            Self::RestPass => "rest_pass",
            Self::ImpactPass => "impact_pass",
        }
    }

    pub(crate) fn bindings(self) -> Bindings {
        match self {
            Self::Whole(stage) => stage.bindings(),
            Self::FindCalm => find_calm::BINDINGS,
            Self::RestPass => in_two::REST,
            Self::ImpactPass => in_two::IMPACT,
        }
    }

    pub(crate) fn extent(self) -> Extent {
        match self {
            Self::Whole(Stage::GridSums | Stage::GridScan) => Extent::Blocks,
            Self::Whole(Stage::ListContacts | Stage::WakeUp | Stage::FindGround | Stage::ContactPass) => Extent::Awake,
            Self::FindCalm => Extent::One,
            Self::ImpactPass => Extent::Deferred,
            Self::RestPass | Self::Whole(_) => Extent::Balls,
        }
    }

    /// Whether it may be passed over in a calm step: see [`find_calm`].
    pub(crate) fn is_passed_over(self) -> bool {
        use Stage::{FindAwake, GridCount, GridReorder, GridScan, GridScatter, GridSums};
        matches!(self, Self::Whole(GridCount | GridSums | GridScan | GridScatter | GridReorder | FindAwake))
    }

    /// Whether what it writes is whole, and the next one's to find.
    pub(crate) fn turns_over(self) -> bool {
        self != Self::RestPass
    }

    /// Its whole WGSL, with one arithmetic or the other, for worlds of one kind.
    pub(crate) fn wgsl(self, arithmetic: Arithmetic, traits: Traits, dialect: Dialect) -> String {
        let mut source = prelude(arithmetic, traits);
        source += &format!("const DEFERS: bool = {};\n", self == Self::RestPass);
        for part in self.includes() {
            source += part;
        }
        dialect.translated(self, source + self.shader())
    }

    fn shader(self) -> &'static str {
        match self {
            Self::Whole(stage) => stage.shader(),
            Self::FindCalm => include_str!("../../shaders/find_calm.wgsl"),
            Self::RestPass => include_str!("../../shaders/rest_pass.wgsl"),
            Self::ImpactPass => include_str!("../../shaders/impact_pass.wgsl"),
        }
    }

    /// Shared WGSL that its shader calls.
    fn includes(self) -> &'static [&'static str] {
        const AWAKE: &str = include_str!("../../shaders/awake.wgsl");
        const SCAN: &str = include_str!("../../shaders/scan.wgsl");
        const FORCES: &str = include_str!("../../shaders/forces.wgsl");
        const CELLS: &str = include_str!("../../shaders/cells.wgsl");
        const WALK: &str = include_str!("../../shaders/walk.wgsl");
        const GEOMETRY: &str = include_str!("../../shaders/geometry.wgsl");
        const SPLIT: &str = include_str!("../../shaders/split.wgsl");
        const ORIGIN: &str = include_str!("../../shaders/origin.wgsl");
        const GRIP: &str = include_str!("../../shaders/grip.wgsl");
        const CONTACT: &str = include_str!("../../shaders/contact.wgsl");
        const SUBSTEP: &str = include_str!("../../shaders/substep.wgsl");
        const REST: &str = include_str!("../../shaders/rest.wgsl");
        const ACTOR: &str = include_str!("../../shaders/actor.wgsl");
        let stage = match self {
            Self::Whole(stage) => stage,
            Self::FindCalm => return &[],
            Self::RestPass | Self::ImpactPass => return &[FORCES, CELLS, WALK, GEOMETRY, SPLIT, CONTACT, SUBSTEP],
        };
        match stage {
            Stage::Steer => &[ACTOR, REST],
            Stage::ApplyForces => &[FORCES, REST],
            Stage::GridCount | Stage::GridReorder | Stage::Sweep => &[CELLS],
            Stage::GridSums | Stage::GridScan => &[SCAN],
            Stage::Follow => &[ACTOR],
            Stage::GridScatter | Stage::FindAwake | Stage::NoteSlots | Stage::Pick => &[],
            Stage::FindGround => &[AWAKE],
            Stage::Brush => &[REST],
            Stage::WakeUp => &[AWAKE, CELLS, WALK, GEOMETRY],
            Stage::ListContacts => &[AWAKE, CELLS, WALK, GEOMETRY, SPLIT],
            Stage::CarrySpins => &[CELLS, ORIGIN],
            Stage::CarryGrips => &[CELLS, ORIGIN, GEOMETRY, GRIP],
            Stage::FrictionPass => &[GEOMETRY, CONTACT, GRIP],
            Stage::ContactPass => &[AWAKE, FORCES, CELLS, WALK, GEOMETRY, SPLIT, CONTACT, SUBSTEP],
            Stage::Measure | Stage::Weigh => &[CELLS, WALK, GEOMETRY, CONTACT],
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
        ("TEXELS_A_ROW", TEXELS_A_ROW),
        ("GROUND", find_ground::GROUND),
        ("HOPS", find_ground::HOPS),
        ("LISTED", find_awake::LISTED),
        ("STIRS", find_calm::STIRS),
        ("CALM_STEPS", find_calm::CALM_STEPS),
        ("FULL", find_calm::FULL),
        ("WHOLE_STEPS", find_calm::WHOLE_STEPS),
        ("WAITING", in_two::WAITING),
        ("BLOCKS", find_awake::BLOCKS),
        ("DEFERRED", in_two::DEFERRED),
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
    source += include_str!("../../shaders/records.wgsl");
    source += include_str!("../../shaders/kernel.wgsl");
    source += match arithmetic {
        Arithmetic::Exact => include_str!("../../shaders/exact.wgsl"),
        Arithmetic::Plain => include_str!("../../shaders/plain.wgsl"),
    };
    source + include_str!("../../shaders/scalar.wgsl")
}
