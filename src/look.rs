//! How a world is looked at: what the balls' colours mean, and what is drawn over them.

use ballpit::render::{ColourMap, Show};

use crate::colours::ColourMode;

/// How a world is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) colour: ColourMode,
    pub(crate) map: ColourMap,
    pub(crate) show: Show,
}

impl Look {
    /// Whether what is seen comes from the engine's grid and lists.
    pub(crate) fn shows_lists(&self) -> bool {
        self.colour == ColourMode::Cells || self.show.grid || self.show.contacts
    }
}

/// What may be drawn over the balls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Mark {
    /// The cells of the grid that hold a ball's level.
    Grid,
    /// Lines between balls that touch.
    Contacts,
    /// Lines to where the balls will be in a twentieth of a second.
    Velocities,
    /// Arrows out of the surfaces.
    Normals,
}

impl Mark {
    pub(crate) const ALL: [Self; 4] = [Self::Grid, Self::Contacts, Self::Velocities, Self::Normals];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grid => "grid",
            Self::Contacts => "contacts",
            Self::Velocities => "velocities",
            Self::Normals => "normals",
        }
    }

    /// What is drawn, and what it says.
    pub(crate) fn tip(self) -> &'static str {
        match self {
            Self::Grid => "The cells in which contacts are searched for, on each level that holds a ball",
            Self::Contacts => "A line between balls that touch, and to surfaces",
            Self::Velocities => "A line to where each ball would be in a twentieth of a second",
            Self::Normals => "Arrows out of the surfaces, to the side where balls may be",
        }
    }

    /// Its switch.
    pub(crate) fn switch(self, show: &mut Show) -> &mut bool {
        match self {
            Self::Grid => &mut show.grid,
            Self::Contacts => &mut show.contacts,
            Self::Velocities => &mut show.velocities,
            Self::Normals => &mut show.normals,
        }
    }

    /// What is shown if these marks are.
    pub(crate) fn shown(marks: &[Self]) -> Show {
        let mut show = Show::default();
        marks.iter().for_each(|mark| *mark.switch(&mut show) = true);
        show
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_switch_what_they_are_called() {
        let show = Mark::shown(&[Mark::Contacts, Mark::Normals]);
        assert_eq!(show, Show { contacts: true, normals: true, ..Show::default() });
        assert_eq!(Mark::shown(&[]), Show::default());
    }
}
