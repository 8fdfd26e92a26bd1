//! Pictures of the display, and what is found in them.

/// A part of the display, pixels: from the first of each pair to before the second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub(crate) x: (usize, usize),
    pub(crate) y: (usize, usize),
}

/// The colour of the panel and of all else that lies over the world.
pub(crate) const CARD: [i32; 3] = [21, 25, 32];

/// A picture of the display: four bytes a pixel, blue, green, red and none.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Shot {
    pub(crate) width: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Shot {
    /// How many pixels of `area` have a colour, and their middle.
    pub(crate) fn find(&self, area: &Area, is_it: impl Fn([i32; 3]) -> bool) -> (usize, [f64; 2]) {
        self.places(area, |x, y| is_it(self.at(x, y)))
    }

    /// How many pixels of `area` something lies over.
    pub(crate) fn covered(&self, area: &Area) -> usize {
        self.find(area, |pixel| pixel == CARD).0
    }

    /// How many pixels of `area` are not as in another picture, and their middle.
    pub(crate) fn changed(&self, area: &Area, other: &Self) -> (usize, [f64; 2]) {
        self.places(area, |x, y| self.at(x, y) != other.at(x, y))
    }

    fn places(&self, area: &Area, is_it: impl Fn(usize, usize) -> bool) -> (usize, [f64; 2]) {
        let (mut count, mut sum) = (0, [0.0, 0.0]);
        for y in area.y.0..area.y.1 {
            for x in area.x.0..area.x.1 {
                if is_it(x, y) {
                    count += 1;
                    sum = [sum[0] + x as f64, sum[1] + y as f64];
                }
            }
        }
        (count, sum.map(|total| total / count.max(1) as f64))
    }

    /// The colour of a pixel: red, green, blue.
    pub(crate) fn at(&self, x: usize, y: usize) -> [i32; 3] {
        [2, 1, 0].map(|channel| i32::from(self.bytes[4 * (y * self.width + x) + channel]))
    }

    /// The blue ball: its pixels and its middle.
    pub(crate) fn ball(&self, world: &Area) -> (usize, [f64; 2]) {
        self.find(world, |[red, _, blue]| blue > 120 && blue > red + 60)
    }
}

pub(crate) fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

pub(crate) fn by(place: [f64; 2], x: f64, y: f64) -> [f64; 2] {
    [place[0] + x, place[1] + y]
}
