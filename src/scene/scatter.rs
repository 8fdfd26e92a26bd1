//! Random places without overlap.
//!
//! Sparse regions are filled by rejection: draw a ball, keep it if it is clear of all others. That is how
//! the source text fills its box; like there, radius and place are drawn together, so a crowded region
//! gets a few more small balls. Denser regions, where rejection would try for ever, are filled in loose
//! rows, and the densest on a jittered hexagonal lattice.

use glam::DVec2;

use super::{
    random::Random,
    spawn::{Drawn, Radius, Region, Room},
};

/// What a scatter spawner asks for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) count: usize,
    /// Where the centres lie.
    pub(super) region: Region,
    pub(super) clearance: f64,
    pub(super) radius: &'a Radius,
}

/// A ball's place and size, whose numbers are all exact as float32.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Disc {
    pub(super) centre: DVec2,
    pub(super) radius: f64,
    /// The choice that its radius came from.
    choice: Option<usize>,
}

impl Disc {
    fn new(centre: DVec2, Drawn { radius, choice }: Drawn) -> Self {
        Self { centre: centre.as_vec2().as_dvec2(), radius, choice }
    }

    pub(super) fn size(&self) -> Drawn {
        Drawn { radius: self.radius, choice: self.choice }
    }
}

/// Share of the region that rejection fills without trying long: the chance of a free place is then
/// still some 4 %.
const SPARSE: f64 = 0.4;
/// Share of the region above which rejection is not tried at all.
const CROWDED: f64 = 0.6;
/// Tries a ball before rejection gives up.
const TRIES: usize = 2_000;

/// Places for all the balls, or how many fit.
pub(super) fn discs(wanted: Wanted<'_>, room: &Room<'_>, random: &mut Random) -> Result<Vec<Disc>, usize> {
    let mut taken = Neighbours::new(wanted, room.region);
    for body in room.bodies.iter() {
        taken.add(Disc { centre: body.position.as_dvec2(), radius: f64::from(body.radius), choice: None });
    }
    let filled = wanted.filled(room.region);
    if filled < SPARSE
        && let Some(discs) = by_rejection(wanted, room.region, taken.clone(), random)
    {
        return Ok(discs);
    }
    if taken.discs.is_empty()
        && filled < 1.0
        && let Some(discs) = in_rows(wanted, room.region, random)
    {
        return Ok(discs);
    }
    on_lattice(wanted, room.region, &taken, random).or_else(|fit| {
        // What the largest balls leave no lattice for may fit where most are small.
        let tried = (filled < CROWDED).then(|| by_rejection(wanted, room.region, taken, random)).flatten();
        tried.ok_or(fit)
    })
}

impl Wanted<'_> {
    /// Share of the area that the balls, each with half its clearance, take; the region reaches a
    /// radius beyond the centres.
    fn filled(&self, room: Region) -> f64 {
        let mean_square = self.radius.mean(0.5 * self.clearance, |radius| radius * radius);
        let mean = self.radius.mean(0.0, |radius| radius);
        let area = (self.region.centres(room, mean).size() + 2.0 * mean).max(DVec2::ZERO).element_product();
        self.count as f64 * std::f64::consts::PI * mean_square / area
    }

    /// Distance that no two centres of the largest balls may fall short of, rounding included.
    fn pitch(&self, room: Region) -> f64 {
        2.0 * self.radius.most + self.clearance + rounding(room)
    }
}

/// How far float32 may move two places of the room toward each other.
fn rounding(room: Region) -> f64 {
    room.min.abs().max(room.max.abs()).max_element() * 4.0 * f64::from(f32::EPSILON)
}

fn by_rejection(wanted: Wanted<'_>, room: Region, mut taken: Neighbours, random: &mut Random) -> Option<Vec<Disc>> {
    let mut discs = Vec::with_capacity(wanted.count);
    for _ in 0..wanted.count {
        let disc = (0..TRIES).find_map(|_| {
            let size = wanted.radius.draw(random);
            let Region { min, max } = wanted.region.centres(room, size.radius);
            let centre = DVec2::new(random.between(min.x, max.x), random.between(min.y, max.y));
            let disc = Disc::new(centre, size);
            let inside = min.cmple(max).all() && disc.centre.cmpge(min).all() && disc.centre.cmple(max).all();
            (inside && taken.is_clear(disc)).then_some(disc)
        })?;
        taken.add(disc);
        discs.push(disc);
    }
    Some(discs)
}

/// Fills rows as high as the largest ball from left to right, with what is left of a row shared out at
/// random between its balls, and of its height above and below each.
fn in_rows(wanted: Wanted<'_>, room: Region, random: &mut Random) -> Option<Vec<Disc>> {
    let centres = wanted.region.centres(room, wanted.radius.most);
    let size = centres.size() + 2.0 * wanted.radius.most;
    let rows = (size.y / wanted.pitch(room)).floor().min(wanted.count as f64);
    if rows < 1.0 || centres.size().min_element() < 0.0 {
        return None;
    }
    let gap = wanted.clearance + rounding(room);
    let sizes: Vec<Drawn> = (0..wanted.count).map(|_| wanted.radius.draw(random)).collect();
    let length: f64 = sizes.iter().map(|size| 2.0 * size.radius + gap).sum();
    let corner = centres.min - wanted.radius.most;
    let mut discs = Vec::with_capacity(wanted.count);
    let mut rest = &sizes[..];
    let mut used = 0.0;
    for row in 1..=rows as usize {
        let even = length * row as f64 / rows - used;
        let (balls, width) = row_of(rest, gap, even, size.x);
        let band =
            Band { corner: corner + DVec2::new(0.0, (row - 1) as f64 * size.y / rows), gap, height: size.y / rows };
        band.lay(&rest[..balls], size.x - width, random, &mut discs);
        rest = &rest[balls..];
        used += width;
    }
    rest.is_empty().then_some(discs)
}

/// How many of the next balls make a row of about `even` and at most `most`, and their width.
fn row_of(sizes: &[Drawn], gap: f64, even: f64, most: f64) -> (usize, f64) {
    let mut width = 0.0;
    for (balls, size) in sizes.iter().enumerate() {
        let wider = width + 2.0 * size.radius + gap;
        if width >= even || wider > most {
            return (balls, width);
        }
        width = wider;
    }
    (sizes.len(), width)
}

/// A row's strip of the region.
struct Band {
    corner: DVec2,
    gap: f64,
    height: f64,
}

impl Band {
    fn lay(&self, sizes: &[Drawn], slack: f64, random: &mut Random, discs: &mut Vec<Disc>) {
        let shares: Vec<f64> = (0..=sizes.len()).map(|_| random.unit() + 0.1).collect();
        let share = slack / shares.iter().sum::<f64>();
        let mut x = self.corner.x;
        for (size, before) in sizes.iter().zip(&shares) {
            let radius = size.radius;
            x += before * share;
            let free = self.height - 2.0 * radius - self.gap;
            let y = self.corner.y + radius + 0.5 * self.gap + random.unit() * free;
            discs.push(Disc::new(DVec2::new(x + radius + 0.5 * self.gap, y), *size));
            x += 2.0 * radius + self.gap;
        }
    }
}

/// A hexagonal lattice, stretched until it has just enough places that are clear of what stands there.
fn on_lattice(wanted: Wanted<'_>, room: Region, taken: &Neighbours, random: &mut Random) -> Result<Vec<Disc>, usize> {
    let pitch = wanted.pitch(room);
    let centres = wanted.region.centres(room, wanted.radius.most);
    let largest = Drawn { radius: wanted.radius.most, choice: None };
    let is_clear = |place: DVec2| taken.is_clear(Disc::new(place, largest));
    let places = |pitch: f64| lattice(centres, pitch, is_clear);
    let mut least = pitch.max(coarsest(centres.size(), 16 * wanted.count + 1_000));
    let tightest = places(least).len();
    if tightest < wanted.count {
        return Err(tightest);
    }
    let mut most = 4.0 * least;
    for _ in 0..16 {
        let middle = 0.5 * (least + most);
        if places(middle).len() >= wanted.count { least = middle } else { most = middle }
    }
    let (places, free) = (places(least), 0.5 * (least - pitch));
    let disc = |k: usize| {
        let place = places[k * places.len() / wanted.count];
        let size = wanted.radius.draw(random);
        let jittered = Disc::new((place + random.in_disc(free)).clamp(centres.min, centres.max), size);
        if taken.is_clear(jittered) { jittered } else { Disc::new(place, size) }
    };
    Ok((0..wanted.count).map(disc).collect())
}

/// Side of a cell so large that an area of `size` has about `cells` of them: it bounds the memory that a
/// wide world with few balls costs.
fn coarsest(size: DVec2, cells: usize) -> f64 {
    let size = size.max(DVec2::ZERO);
    (size.element_product() / cells as f64).sqrt().max(size.max_element() / cells as f64)
}

/// The clear places of a hexagonal lattice, row by row.
fn lattice(centres: Region, pitch: f64, is_clear: impl Fn(DVec2) -> bool) -> Vec<DVec2> {
    let size = centres.size();
    if size.min_element() < 0.0 {
        return Vec::new();
    }
    let rise = 0.75f64.sqrt() * pitch;
    let rows = (size.y / rise) as usize + 1;
    let row = |row: usize| {
        let shift = if row.is_multiple_of(2) { 0.0 } else { 0.5 * pitch };
        let columns = if size.x < shift { 0 } else { ((size.x - shift) / pitch) as usize + 1 };
        (0..columns).map(move |k| centres.min + DVec2::new(shift + k as f64 * pitch, row as f64 * rise))
    };
    (0..rows).flat_map(row).filter(|&place| is_clear(place)).collect()
}

/// Balls by cell: each stands in every cell in which a new ball's centre could touch it, so a look into
/// one cell finds all that is near, a boulder among pebbles included.
#[derive(Clone)]
struct Neighbours {
    region: Region,
    cell: f64,
    columns: usize,
    rows: usize,
    /// The first link of each cell's list.
    heads: Vec<u32>,
    links: Vec<(u32, u32)>,
    discs: Vec<Disc>,
    /// The most that a new ball's radius and clearance add to a ball's reach.
    reach: f64,
    clearance: f64,
}

const END: u32 = u32::MAX;

impl Neighbours {
    fn new(wanted: Wanted<'_>, room: Region) -> Self {
        let reach = wanted.radius.most + wanted.clearance;
        let region = wanted.region.centres(room, wanted.radius.least);
        let size = region.size().max(DVec2::ZERO);
        let cell = (wanted.radius.most + reach).max(coarsest(size, 2 * wanted.count + 1_000));
        let [columns, rows] = [size.x, size.y].map(|length| (length / cell) as usize + 1);
        let heads = vec![END; columns * rows];
        let clearance = wanted.clearance;
        Self { region, cell, columns, rows, heads, links: Vec::new(), discs: Vec::new(), reach, clearance }
    }

    fn add(&mut self, disc: Disc) {
        let reach = disc.radius + self.reach;
        let [smaller, larger] = [disc.centre - reach, disc.centre + reach];
        if larger.cmplt(self.region.min).any() || smaller.cmpgt(self.region.max).any() {
            return;
        }
        let id = self.discs.len() as u32;
        self.discs.push(disc);
        let [left, top] = self.cell_of(smaller);
        let [right, bottom] = self.cell_of(larger);
        for row in top..=bottom {
            for column in left..=right {
                let head = &mut self.heads[row * self.columns + column];
                self.links.push((id, *head));
                *head = self.links.len() as u32 - 1;
            }
        }
    }

    /// Whether the disc keeps its clearance from all others.
    fn is_clear(&self, disc: Disc) -> bool {
        let [column, row] = self.cell_of(disc.centre);
        let mut link = self.heads[row * self.columns + column];
        while link != END {
            let (id, next) = self.links[link as usize];
            let other = self.discs[id as usize];
            let apart = disc.radius + other.radius + self.clearance;
            if (disc.centre - other.centre).length_squared() < apart * apart {
                return false;
            }
            link = next;
        }
        true
    }

    fn cell_of(&self, place: DVec2) -> [usize; 2] {
        let cell = (place - self.region.min) / self.cell;
        [(cell.x.max(0.0) as usize).min(self.columns - 1), (cell.y.max(0.0) as usize).min(self.rows - 1)]
    }
}
