//! The order in which the sequential solver runs the stages of a step.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A stage of the sequential solver's step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Letter {
    /// Forces, then every ball moved.
    Kinematics,
    /// Every pair of balls, in index order.
    Contacts,
    /// Every ball against every surface.
    Border,
    /// Who has been slow for long enough falls asleep.
    Sleep,
}

impl Letter {
    const ALL: [(char, Self); 4] =
        [('k', Self::Kinematics), ('c', Self::Contacts), ('b', Self::Border), ('s', Self::Sleep)];

    fn of(letter: char) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == letter).map(|&(_, stage)| stage)
    }

    /// Whether a step of several passes runs it in each.
    pub(crate) fn is_of_a_pass(self) -> bool {
        matches!(self, Self::Contacts | Self::Border)
    }
}

/// The order of the sequential solver's stages: kinematics, contacts and border each once, and sleep where it is
/// wanted.
///
/// ```
/// use ballpit::StageOrder;
///
/// let order: StageOrder = "bkc".parse()?;
/// assert_ne!(order, StageOrder::default());
/// assert!("kcx".parse::<StageOrder>().unwrap_err().to_string().contains("'x'"));
/// # Ok::<(), ballpit::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct StageOrder(Vec<Letter>);

impl Default for StageOrder {
    /// `kcb`, the right one: who is drawn last has been put back into the room.
    fn default() -> Self {
        Self(vec![Letter::Kinematics, Letter::Contacts, Letter::Border])
    }
}

impl StageOrder {
    /// What an order must be.
    pub(crate) const ACCEPTED: &str =
        "k (kinematics), c (contacts) and b (border), each once in any order, and once more s (sleep) if wanted";

    /// The same order with the sleep stage: last, unless it has its place already.
    pub fn with_sleep(mut self) -> Self {
        if !self.sleeps() {
            self.0.push(Letter::Sleep);
        }
        self
    }

    /// Whether balls fall asleep.
    pub fn sleeps(&self) -> bool {
        self.0.contains(&Letter::Sleep)
    }

    /// The stages in order, those together that each pass runs one after the other.
    pub(crate) fn stretches(&self) -> impl Iterator<Item = &[Letter]> {
        self.0.chunk_by(|a, b| a.is_of_a_pass() && b.is_of_a_pass())
    }
}

impl From<StageOrder> for String {
    fn from(order: StageOrder) -> Self {
        order.to_string()
    }
}

impl TryFrom<String> for StageOrder {
    type Error = Error;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl FromStr for StageOrder {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let refused = |wrong: String| Error::Value {
            name: "the order of stages".into(),
            value: format!("'{}', {wrong}", text.escape_debug()),
            accepted: Self::ACCEPTED.into(),
        };
        let mut order = Vec::new();
        for letter in text.chars() {
            let stage = Letter::of(letter)
                .ok_or_else(|| refused(format!("in which '{}' is no stage", letter.escape_debug())))?;
            if order.contains(&stage) {
                return Err(refused(format!("which has '{letter}' twice")));
            }
            order.push(stage);
        }
        let missing = Letter::ALL.iter().find(|(_, stage)| *stage != Letter::Sleep && !order.contains(stage));
        match missing {
            Some((letter, _)) => Err(refused(format!("which has no '{letter}'"))),
            None => Ok(Self(order)),
        }
    }
}

impl fmt::Display for StageOrder {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let letters = self.0.iter().filter_map(|stage| Letter::ALL.iter().find(|(_, known)| known == stage));
        letters.map(|(letter, _)| letter).try_for_each(|letter| write!(f, "{letter}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn o7_a_wrong_order_is_told_with_its_letter_and_what_is_wanted() {
        for (order, wrong) in [
            ("kxb", "'x' is no stage"),
            ("kcB", "'B' is no stage"),
            ("kccb", "has 'c' twice"),
            ("kcbss", "has 's' twice"),
            ("kb", "has no 'c'"),
            ("cbs", "has no 'k'"),
            ("", "has no 'k'"),
            ("k\n", "'\\n' is no stage"),
        ] {
            let message = order.parse::<StageOrder>().unwrap_err().to_string();
            assert!(message.contains(wrong), "{message}");
            assert!(message.contains("k (kinematics), c (contacts) and b (border)"), "{message}");
        }
    }

    #[test]
    fn every_order_reads_back() {
        for order in ["kcb", "kbc", "ckb", "cbk", "bkc", "bck", "kcbs", "skcb"] {
            assert_eq!(order.parse::<StageOrder>().unwrap().to_string(), order);
        }
        assert_eq!(StageOrder::default().with_sleep().to_string(), "kcbs");
        assert_eq!("skcb".parse::<StageOrder>().unwrap().with_sleep().to_string(), "skcb");
    }

    #[test]
    fn contacts_and_border_side_by_side_share_their_passes() {
        let stretches = |order: &str| {
            let order: StageOrder = order.parse().unwrap();
            order.stretches().map(<[Letter]>::len).collect::<Vec<_>>()
        };
        assert_eq!(stretches("kcb"), [1, 2]);
        assert_eq!(stretches("bkc"), [1, 1, 1]);
        assert_eq!(stretches("bcks"), [2, 1, 1]);
    }
}
