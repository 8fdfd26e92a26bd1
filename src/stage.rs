//! The stages of a step. Each file states a stage's maths, what it binds and how the CPU runs it; the shader of
//! the same name runs it on a GPU.

pub(crate) mod apply_forces;
pub(crate) mod contact;
pub(crate) mod contact_pass;
pub(crate) mod find_ground;
pub(crate) mod grid_count;
pub(crate) mod grid_reorder;
pub(crate) mod grid_scan;
pub(crate) mod grid_scatter;
pub(crate) mod grid_sums;
pub(crate) mod list_contacts;
pub(crate) mod measure;
pub(crate) mod pick;
#[cfg(test)]
mod reflection;

use crate::grid::LEVELS;
use crate::params::{Kick, LevelParams, MaterialParams, Params, Pointer, SurfaceParams};
use crate::{Material, Record, Surface};

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
    /// Candidates of each ball: slot s of ball i at s · count + i.
    Candidates,
    /// Candidates of each ball, counted even where the list is too short, and the surfaces near it, a bit each.
    Nearby,
    /// The ball that each ball stands on as the stage finds it: a slot, GROUND or NONE.
    Supporter,
    /// The same as the stage leaves it.
    SupporterOut,
    /// What the pointer holds: id + 1 of the ball, then its slot.
    Held,
    /// Measures of the readout: see [`measure`].
    Measures,
}

/// How a stage uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Uniform,
    Read,
    Write,
}

/// A stage's bindings in order: index in the list = `@binding` in its shader.
pub(crate) type Bindings = &'static [(Buffer, Access)];

/// How many workgroups a stage needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// One invocation a ball.
    Balls,
    /// One workgroup a block of cells.
    Blocks,
}

/// A stage: its name is that of its file here, its shader, its entry point, its label and its profiler scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// Drag, the pointer's spring and the first substep's share of gravity.
    ApplyForces,
    /// The cell of each ball, and how many each cell holds.
    GridCount,
    /// Totals of blocks of cells.
    GridSums,
    /// Prefix sum: where each cell's balls start.
    GridScan,
    /// Balls gathered by cell.
    GridScatter,
    /// Records into cell order, by id inside a cell.
    GridReorder,
    /// The balls that each ball may meet in the step, and how crowded it is.
    ListContacts,
    /// Which balls stand on the ground, over whatever lies between.
    FindGround,
    /// One substep: contacts answered, balls moved.
    ContactPass,
    /// The ball under the pointer.
    Pick,
    /// Deepest overlap, fastest ball, contacts.
    Measure,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Self; 11] = [
        Self::ApplyForces,
        Self::GridCount,
        Self::GridSums,
        Self::GridScan,
        Self::GridScatter,
        Self::GridReorder,
        Self::ListContacts,
        Self::FindGround,
        Self::ContactPass,
        Self::Pick,
        Self::Measure,
    ];

    /// The stage's one name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ApplyForces => "apply_forces",
            Self::GridCount => "grid_count",
            Self::GridSums => "grid_sums",
            Self::GridScan => "grid_scan",
            Self::GridScatter => "grid_scatter",
            Self::GridReorder => "grid_reorder",
            Self::ListContacts => "list_contacts",
            Self::FindGround => "find_ground",
            Self::ContactPass => "contact_pass",
            Self::Pick => "pick",
            Self::Measure => "measure",
        }
    }

    pub(crate) fn bindings(self) -> Bindings {
        match self {
            Self::ApplyForces => apply_forces::BINDINGS,
            Self::GridCount => grid_count::BINDINGS,
            Self::GridSums => grid_sums::BINDINGS,
            Self::GridScan => grid_scan::BINDINGS,
            Self::GridScatter => grid_scatter::BINDINGS,
            Self::GridReorder => grid_reorder::BINDINGS,
            Self::ListContacts => list_contacts::BINDINGS,
            Self::FindGround => find_ground::BINDINGS,
            Self::ContactPass => contact_pass::BINDINGS,
            Self::Pick => pick::BINDINGS,
            Self::Measure => measure::BINDINGS,
        }
    }

    pub(crate) fn extent(self) -> Extent {
        match self {
            Self::GridSums | Self::GridScan => Extent::Blocks,
            _ => Extent::Balls,
        }
    }

    fn shader(self) -> &'static str {
        match self {
            Self::ApplyForces => include_str!("../shaders/apply_forces.wgsl"),
            Self::GridCount => include_str!("../shaders/grid_count.wgsl"),
            Self::GridSums => include_str!("../shaders/grid_sums.wgsl"),
            Self::GridScan => include_str!("../shaders/grid_scan.wgsl"),
            Self::GridScatter => include_str!("../shaders/grid_scatter.wgsl"),
            Self::GridReorder => include_str!("../shaders/grid_reorder.wgsl"),
            Self::ListContacts => include_str!("../shaders/list_contacts.wgsl"),
            Self::FindGround => include_str!("../shaders/find_ground.wgsl"),
            Self::ContactPass => include_str!("../shaders/contact_pass.wgsl"),
            Self::Pick => include_str!("../shaders/pick.wgsl"),
            Self::Measure => include_str!("../shaders/measure.wgsl"),
        }
    }

    /// Shared WGSL that the stage's shader calls.
    fn includes(self) -> &'static [&'static str] {
        const SCAN: &str = include_str!("../shaders/scan.wgsl");
        const FORCES: &str = include_str!("../shaders/forces.wgsl");
        const CELLS: &str = include_str!("../shaders/cells.wgsl");
        const WALK: &str = include_str!("../shaders/walk.wgsl");
        const GEOMETRY: &str = include_str!("../shaders/geometry.wgsl");
        const SPLIT: &str = include_str!("../shaders/split.wgsl");
        const CONTACT: &str = include_str!("../shaders/contact.wgsl");
        match self {
            Self::ApplyForces => &[FORCES],
            Self::GridCount | Self::GridReorder => &[CELLS],
            Self::GridSums | Self::GridScan => &[SCAN],
            Self::GridScatter | Self::FindGround | Self::Pick => &[],
            Self::ListContacts => &[CELLS, WALK, GEOMETRY, SPLIT],
            Self::ContactPass => &[FORCES, CELLS, WALK, GEOMETRY, SPLIT, CONTACT],
            Self::Measure => &[CELLS, WALK, GEOMETRY, CONTACT],
        }
    }

    /// The stage's whole WGSL, with one arithmetic or the other.
    pub(crate) fn wgsl(self, arithmetic: Arithmetic) -> String {
        let mut source = prelude(arithmetic);
        for part in self.includes() {
            source += part;
        }
        source + self.shader()
    }
}

/// How kernels multiply, add and take roots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arithmetic {
    /// The CPU engine's bits, held by barriers that no compiler can look through.
    #[default]
    Exact,
    /// The device's own: faster, near the CPU engine's results but not equal to them.
    Plain,
}

/// What every kernel begins with: constants and structs from Rust, then the arithmetic.
pub(crate) fn prelude(arithmetic: Arithmetic) -> String {
    let constants = [
        ("WORKGROUP", WORKGROUP),
        ("SCAN_WORKGROUP", SCAN_WORKGROUP),
        ("SLOTS", SLOTS),
        ("NONE", NONE),
        ("GROUND", find_ground::GROUND),
        ("HOPS", find_ground::HOPS),
        ("HELD", Record::HELD),
        ("HURRIED", Record::HURRIED),
        ("LEVELS", LEVELS as u32),
        ("SURFACES", Surface::MOST as u32),
        ("MATERIALS", Material::MOST as u32),
    ];
    let mut source: String = constants.iter().map(|(name, value)| format!("const {name}: u32 = {value}u;\n")).collect();
    let [x, y] = contact::COINCIDENT_NORMAL;
    let floats = [
        ("COINCIDENT", contact::COINCIDENT),
        ("TOUCHING", contact::TOUCHING),
        ("COINCIDENT_X", x),
        ("COINCIDENT_Y", y),
        ("NEAR", find_ground::NEAR),
        ("STEEP", find_ground::STEEP),
    ];
    source.extend(floats.map(|(name, value)| format!("const {name}: f32 = {value:e};\n")));
    source += &[MaterialParams::WGSL, SurfaceParams::WGSL, LevelParams::WGSL, Params::WGSL, Kick::WGSL, Pointer::WGSL]
        .concat();
    source += include_str!("../shaders/records.wgsl");
    source += include_str!("../shaders/kernel.wgsl");
    source += match arithmetic {
        Arithmetic::Exact => include_str!("../shaders/exact.wgsl"),
        Arithmetic::Plain => include_str!("../shaders/plain.wgsl"),
    };
    source + include_str!("../shaders/scalar.wgsl")
}
