//! What the pointer does to the world: the tool in hand, its brush, and the stroke that it is making.

use ballpit::{Body, Brush, Cannon, Edit, Segment};
use glam::Vec2;

use history::{Entry, History, Walls};
use pour::Pour;

mod history;
mod pour;

pub(crate) use pour::Spout;

/// What the left button does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tool {
    #[default]
    Grab,
    Pour,
    Attract,
    Repel,
    Explode,
    Wall,
    Peg,
    Erase,
    /// Only where the scene has a cannon.
    Fire,
}

impl Tool {
    pub(crate) const ALL: [Self; 9] = [
        Self::Grab,
        Self::Pour,
        Self::Attract,
        Self::Repel,
        Self::Explode,
        Self::Wall,
        Self::Peg,
        Self::Erase,
        Self::Fire,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grab => "grab",
            Self::Pour => "pour",
            Self::Attract => "attract",
            Self::Repel => "repel",
            Self::Explode => "explode",
            Self::Wall => "wall",
            Self::Peg => "peg",
            Self::Erase => "erase",
            Self::Fire => "fire",
        }
    }

    /// Whether it works within the ring of the brush.
    pub(crate) fn has_ring(self) -> bool {
        !matches!(self, Self::Grab | Self::Wall | Self::Fire)
    }

    /// Whether what it does goes by the world's time.
    pub(crate) fn takes_time(self) -> bool {
        matches!(self, Self::Pour | Self::Attract | Self::Repel)
    }

    /// What it does, for help and tooltips.
    pub(crate) const fn help(self) -> &'static str {
        match self {
            Self::Grab => "hold a ball on a spring and throw it",
            Self::Pour => "pour balls for as long as the button is held",
            Self::Attract => "draw the balls in the ring toward its middle",
            Self::Repel => "drive the balls out of the ring",
            Self::Explode => "blow the balls in the ring apart, once a click",
            Self::Wall => "draw a wall along the pointer's way",
            Self::Peg => "set a peg as large as the ring",
            Self::Erase => "erase the balls, pegs and walls in the ring",
            Self::Fire => "fire the scene's cannon at the pointer",
        }
    }
}

/// Half the thickness of a drawn wall, px.
const WALL_RADIUS_PX: f32 = 2.0;
/// Shortest piece of a drawn wall, px of the world and pixels of the window.
const WALL_PIECE_PX: f32 = 6.0;
/// Pull of attracting at the rim, px/s².
const PULL_PX_S2: f32 = 4_000.0;
/// Push of repelling in the middle, px/s²: enough to lift a pile, of whose balls most are nearer to the rim.
const PUSH_PX_S2: f32 = 20_000.0;
/// Push of an explosion in the middle, px/s.
const BLAST_PX_S: f32 = 3_000.0;
/// Rings that an eraser's way from one event of the pointer to the next is covered with at most; a small ring that is moved
/// very fast leaves gaps.
const MOST_RINGS: f32 = 32.0;
/// Shares of the world's shorter side: the least radius of a brush, that of a new one among small balls and among large
/// ones, and the greatest.
const BRUSH_SHARES: [f32; 4] = [0.002, 0.05, 0.15, 0.5];
/// Radii of a large ball that a new brush has, so that a push in a pile reaches more than one of them.
const BRUSH_BALLS: f32 = 3.0;

/// Radii that an edit may have, px.
const BRUSH_PX: [f32; 2] = [1e-3, 1e6];

/// What a pressed tool is doing.
enum Stroke {
    /// Pushes, or nothing that can be undone.
    Plain,
    /// The first ball that it has added.
    Pour { first: u32 },
    /// Where the wall has got to, and the walls that were there before.
    Wall { at: Vec2, before: Vec<Segment> },
    /// Where it has erased last, and the walls that were there before.
    Erase { stamp: u32, before: Vec<Segment>, at: Vec2 },
}

/// What a tool must know of the world.
pub(crate) struct Scenery<'a> {
    /// Ids given so far.
    pub(crate) ids: u32,
    pub(crate) segments: &'a [Segment],
    pub(crate) spout: &'a Spout<'a>,
    pub(crate) cannon: Option<&'a Cannon>,
    /// Pixels of the window for one of the world.
    pub(crate) zoom: f32,
    /// No ball gets faster, px/s.
    pub(crate) most_px_s: f32,
}

/// The tool in hand, and what can be undone.
pub(crate) struct Tools {
    pub(crate) tool: Tool,
    /// Which of the cannon's masses is fired.
    pub(crate) shot: usize,
    radius_px: f32,
    bounds_px: [f32; 2],
    stroke: Option<Stroke>,
    stamps: u32,
    pour: Pour,
    history: History,
}

impl Tools {
    /// For a world whose shorter side is `side` px, of balls of a radius of up to `largest` px.
    pub(crate) fn new(side: f32, largest: f32, seed: u64) -> Self {
        let [least, usual, wide, most] = BRUSH_SHARES.map(|share| (share * side).clamp(BRUSH_PX[0], BRUSH_PX[1]));
        let usual = usual.max(wide.min(BRUSH_BALLS * largest));
        Self {
            tool: Tool::Grab,
            shot: 0,
            radius_px: usual,
            bounds_px: [least, most],
            stroke: None,
            stamps: 0,
            pour: Pour::new(seed),
            history: History::default(),
        }
    }

    /// The same tool for another world.
    pub(crate) fn renewed(&self, side: f32, largest: f32, seed: u64) -> Self {
        let mut tools = Self { tool: self.tool, shot: self.shot, ..Self::new(side, largest, seed) };
        if tools.bounds_px == self.bounds_px {
            tools.radius_px = self.radius_px;
        }
        tools
    }

    /// Radius of the brush, px.
    pub(crate) fn radius_px(&self) -> f32 {
        self.radius_px
    }

    /// Least and greatest radius of the brush, px.
    pub(crate) fn bounds_px(&self) -> [f32; 2] {
        self.bounds_px
    }

    pub(crate) fn set_radius(&mut self, radius_px: f32) {
        if radius_px.is_finite() {
            self.radius_px = radius_px.clamp(self.bounds_px[0], self.bounds_px[1]);
        }
    }

    /// Notes that something has been erased under a stamp: it belongs to nobody else.
    pub(crate) fn know_stamp(&mut self, stamp: u32) {
        self.stamps = self.stamps.max(stamp);
    }

    /// Where the wall that is being drawn has got to.
    pub(crate) fn wall_end(&self) -> Option<Vec2> {
        match self.stroke {
            Some(Stroke::Wall { at, .. }) => Some(at),
            _ => None,
        }
    }

    /// Presses the tool: what it does at once.
    pub(crate) fn press(&mut self, place: Vec2, scenery: &Scenery) -> Vec<Edit> {
        let before = scenery.segments.to_vec();
        self.stroke = Some(match self.tool {
            Tool::Pour | Tool::Peg | Tool::Fire => Stroke::Pour { first: scenery.ids },
            Tool::Wall => Stroke::Wall { at: place, before },
            Tool::Erase => {
                self.stamps += 1;
                Stroke::Erase { stamp: self.stamps, before, at: place }
            }
            _ => Stroke::Plain,
        });
        match self.tool {
            Tool::Peg => vec![Edit::Add(vec![Body::peg(place, self.radius_px)])],
            Tool::Fire => {
                let shot = scenery.cannon.map(|cannon| cannon.shot(place, self.shot));
                shot.map_or_else(Vec::new, |shot| vec![Edit::Add(vec![shot])])
            }
            Tool::Explode => vec![Edit::Repel(self.brush(place, BLAST_PX_S.min(scenery.most_px_s)))],
            // A click may be over before there is a frame.
            Tool::Erase => erased([place], self.radius_px, self.stamps, scenery.segments),
            _ => Vec::new(),
        }
    }

    /// Moves the pressed tool: a wall grows, and an eraser misses nothing on its way.
    pub(crate) fn drag(&mut self, place: Vec2, scenery: &Scenery) -> Vec<Edit> {
        let is_far = |at: Vec2| at.distance(place) > 0.5 * self.radius_px;
        if matches!(self.stroke, Some(Stroke::Erase { at, .. }) if is_far(at)) {
            return self.erase_to(place, scenery.segments);
        }
        let Some(Stroke::Wall { at, .. }) = &mut self.stroke else { return Vec::new() };
        if at.distance(place) < WALL_PIECE_PX.max(WALL_PIECE_PX / scenery.zoom) {
            return Vec::new();
        }
        let piece = Segment { radius: WALL_RADIUS_PX, ..Segment::new(*at, place) };
        *at = place;
        vec![Edit::Segments([scenery.segments, &[piece]].concat())]
    }

    /// What a pressed tool does in a frame whose steps make `seconds`.
    pub(crate) fn work(&mut self, place: Vec2, seconds: f32, scenery: &Scenery) -> Vec<Edit> {
        let brush = |push_px_s2: f32| self.brush(place, (push_px_s2 * seconds).min(scenery.most_px_s));
        let [pull, push] = [PULL_PX_S2, PUSH_PX_S2].map(brush);
        let is_at_work = self.stroke.is_some() && seconds > 0.0;
        match (self.tool, &self.stroke) {
            (Tool::Pour, _) if is_at_work => self.pour_at(place, seconds, scenery.spout),
            (Tool::Attract, _) if is_at_work => vec![Edit::Attract(pull)],
            (Tool::Repel, _) if is_at_work => vec![Edit::Repel(push)],
            (_, &Some(Stroke::Erase { at, .. })) if seconds > 0.0 || at != place => {
                self.erase_to(place, scenery.segments)
            }
            _ => Vec::new(),
        }
    }

    /// Ends the stroke; what it has done can be undone from now on.
    pub(crate) fn release(&mut self, scenery: &Scenery) {
        let entry = match self.stroke.take() {
            Some(Stroke::Pour { first }) if first < scenery.ids => Entry::Added(first..scenery.ids),
            Some(Stroke::Wall { before, .. }) if before != scenery.segments => {
                Entry::Walls(Walls { before, after: scenery.segments.to_vec() })
            }
            Some(Stroke::Erase { stamp, before, .. }) => {
                Entry::Erased(stamp, Walls { before, after: scenery.segments.to_vec() })
            }
            _ => return,
        };
        self.history.add(entry);
    }

    /// The edits that undo the last entry, if a stroke is not under way.
    pub(crate) fn undo(&mut self) -> Vec<Edit> {
        if self.stroke.is_some() { Vec::new() } else { self.history.undo() }
    }

    /// The edits that do again what was undone last.
    pub(crate) fn redo(&mut self) -> Vec<Edit> {
        if self.stroke.is_some() { Vec::new() } else { self.history.redo() }
    }

    /// Erases from where the stroke has got to up to a place.
    fn erase_to(&mut self, place: Vec2, segments: &[Segment]) -> Vec<Edit> {
        let Some(Stroke::Erase { stamp, at, .. }) = &mut self.stroke else { return Vec::new() };
        let from = std::mem::replace(at, place);
        let rings = (from.distance(place) / self.radius_px).ceil().clamp(1.0, MOST_RINGS);
        let places = (1..=rings as u32).map(|ring| from.lerp(place, ring as f32 / rings));
        erased(places, self.radius_px, *stamp, segments)
    }

    fn pour_at(&mut self, place: Vec2, seconds: f32, spout: &Spout) -> Vec<Edit> {
        let balls = self.pour.balls(spout, (place, self.radius_px), seconds);
        if balls.is_empty() { Vec::new() } else { vec![Edit::Add(balls)] }
    }

    fn brush(&self, place: Vec2, speed_px_s: f32) -> Brush {
        Brush { place, radius: self.radius_px, speed_px_s }
    }
}

/// Erases balls in rings, and walls if any of the rings touches them.
fn erased(places: impl IntoIterator<Item = Vec2>, radius: f32, stamp: u32, segments: &[Segment]) -> Vec<Edit> {
    let (mut edits, mut left) = (Vec::new(), segments.to_vec());
    for place in places {
        edits.push(Edit::Erase { place, radius, stamp });
        left.retain(|segment| segment.nearest_to(place).distance(place) > radius + segment.radius);
    }
    if left.len() < segments.len() {
        edits.push(Edit::Segments(left));
    }
    edits
}

#[cfg(test)]
mod tests;
