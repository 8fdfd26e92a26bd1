//! The stages of a step. Each file states a stage's maths, what it binds and how the CPU runs it; the shader of
//! the same name runs it on a GPU.

pub(crate) mod apply_forces;
pub(crate) mod brush;
pub(crate) mod carry_grips;
pub(crate) mod carry_spins;
pub(crate) mod contact;
pub(crate) mod contact_pass;
pub(crate) mod dialect;
pub(crate) mod find_awake;
pub(crate) mod find_ground;
pub(crate) mod follow;
pub(crate) mod friction_pass;
pub(crate) mod grid_count;
pub(crate) mod grid_reorder;
pub(crate) mod grid_scan;
pub(crate) mod grid_scatter;
pub(crate) mod grid_sums;
pub(crate) mod kernel;
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
    /// [`crate::params::Params`].
    Params,
    /// [`crate::params::Kick`] of the pass at hand.
    Kick,
    /// [`crate::params::Pointer`].
    Pointer,
    /// [`crate::params::Stroke`].
    Stroke,
    /// [`crate::Record`]s as the stage finds them.
    Bodies,
    /// [`crate::Record`]s as the stage leaves them.
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
    /// [`crate::params::Steering`].
    Steering,
    /// What actors are told, by id.
    Orders,
    /// [`crate::actor::ActorRecord`]s, by id.
    Actors,
    /// Slots of the balls, by id, where there are children.
    SlotOf,
    /// For each slot, 1 if a sleeper in it wakes as the next step begins, else 0.
    Wake,
    /// Where balls sleep: a dispatch of as many workgroups as there are blocks of [`WORKGROUP`] slots with a ball awake
    /// (three words), that number, and then by turns one of those blocks and, for each block in its order, 1 if it is one
    /// of them, else 0.
    AwakeBlocks,
    /// Whether the step may be passed over: see [`apply_forces::find_calm`].
    Calm,
    /// The list of the balls that `rest_pass` leaves to `impact_pass`: a dispatch of as many workgroups as they take (three
    /// words), how many they are, and their slots: see [`contact_pass::in_two`].
    Deferred,
    /// For each id, the stamp under which the ball was last erased: see [`brush`].
    Stamps,
    /// Measures of the readout: see [`measure`].
    Measures,
    /// What presses on each ball: see [`weigh`].
    Load,
}

impl Buffer {
    /// `CellOf` → `cell_of`: what a shader calls it.
    pub(crate) fn shader_name(self) -> String {
        let mut name = String::new();
        for letter in format!("{self:?}").chars() {
            if letter.is_uppercase() && !name.is_empty() {
                name.push('_');
            }
            name.extend(letter.to_lowercase());
        }
        name
    }
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

            /// Its kernel's own WGSL.
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
    /// Dispatches of one turn, each over what the one before has written.
    pub(crate) fn rounds(self) -> usize {
        if self == Self::FindGround { find_ground::ROUNDS } else { 1 }
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
