//! What can be undone and done again.

use std::ops::Range;

use ballpit::{Edit, Segment};

/// Most entries that are kept; the oldest go first.
const MOST: usize = 500;

/// All walls before and after an edit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Walls {
    pub(crate) before: Vec<Segment>,
    pub(crate) after: Vec<Segment>,
}

/// A stroke that is done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry {
    /// Balls of these ids were added.
    Added(Range<u32>),
    Walls(Walls),
    /// Balls were erased under a stamp, and walls with them.
    Erased(u32, Walls),
}

impl Entry {
    fn undone(&self) -> Vec<Edit> {
        match self {
            Self::Added(ids) => vec![Edit::EraseIds(ids.clone())],
            Self::Walls(Walls { before, .. }) => vec![Edit::Segments(before.clone())],
            Self::Erased(stamp, walls) => walls.with(Edit::RestoreStamped(*stamp), &walls.before),
        }
    }

    fn done_again(&self) -> Vec<Edit> {
        match self {
            Self::Added(ids) => vec![Edit::RestoreIds(ids.clone())],
            Self::Walls(Walls { after, .. }) => vec![Edit::Segments(after.clone())],
            Self::Erased(stamp, walls) => walls.with(Edit::EraseStamped(*stamp), &walls.after),
        }
    }
}

impl Walls {
    /// An edit of the balls, and one of the walls if they changed.
    fn with(&self, edit: Edit, segments: &[Segment]) -> Vec<Edit> {
        let walls = (self.before != self.after).then(|| Edit::Segments(segments.to_vec()));
        [edit].into_iter().chain(walls).collect()
    }
}

/// Strokes in the order made.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: Vec<Entry>,
    undone: Vec<Entry>,
}

impl History {
    /// Adds a stroke; what was undone before is gone.
    pub(crate) fn add(&mut self, entry: Entry) {
        self.undone.clear();
        if self.done.len() == MOST {
            self.done.remove(0);
        }
        self.done.push(entry);
    }

    pub(crate) fn undo(&mut self) -> Vec<Edit> {
        let Some(entry) = self.done.pop() else { return Vec::new() };
        let edits = entry.undone();
        self.undone.push(entry);
        edits
    }

    pub(crate) fn redo(&mut self) -> Vec<Edit> {
        let Some(entry) = self.undone.pop() else { return Vec::new() };
        let edits = entry.done_again();
        self.done.push(entry);
        edits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_undone_can_be_done_again_until_something_else_is_done() {
        let mut history = History::default();
        history.add(Entry::Added(70..80));
        history.add(Entry::Erased(3, Walls { before: Vec::new(), after: Vec::new() }));
        assert_eq!(history.undo(), [Edit::RestoreStamped(3)]);
        assert_eq!(history.undo(), [Edit::EraseIds(70..80)]);
        assert_eq!(history.undo(), []);
        assert_eq!(history.redo(), [Edit::RestoreIds(70..80)]);
        history.add(Entry::Added(80..81));
        assert_eq!(history.redo(), []);
        assert_eq!(history.undo(), [Edit::EraseIds(80..81)]);
        assert_eq!(history.redo(), [Edit::RestoreIds(80..81)]);
    }

    #[test]
    fn walls_go_with_the_balls_that_were_erased_beside_them() {
        let wall = Segment::new(glam::Vec2::ZERO, glam::Vec2::X);
        let mut history = History::default();
        history.add(Entry::Erased(1, Walls { before: vec![wall], after: Vec::new() }));
        assert_eq!(history.undo(), [Edit::RestoreStamped(1), Edit::Segments(vec![wall])]);
        assert_eq!(history.redo(), [Edit::EraseStamped(1), Edit::Segments(Vec::new())]);
    }

    #[test]
    fn the_oldest_is_forgotten_first() {
        let mut history = History::default();
        (0..=MOST as u32).for_each(|id| history.add(Entry::Added(id..id + 1)));
        let undone = (0..=MOST).filter(|_| !history.undo().is_empty()).count();
        assert_eq!(undone, MOST);
    }
}
