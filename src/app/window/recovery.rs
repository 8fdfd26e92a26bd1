//! What is done about a surface that gives no frame, and how soon it is asked again.
//!
//! A surface is set up anew a few times at once and a few times more after a frame's time, then made anew now and then.
//! One that fails for [`PATIENCE`] although the window is seen ends the program with a message, and so does one whose
//! device says that it was misused. A display that takes its time is waited for without end, and said. Nothing of it is a
//! busy loop.

use std::time::{Duration, Instant};

/// How long the window goes without a frame before it says so.
pub(crate) const TELL: Duration = Duration::from_secs(2);
/// How long a surface may fail to give a frame.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// How often it is asked in vain, at least, before it is given up: time also passes while a machine is suspended.
const TRIES: u32 = 10;
/// How often it is asked again at once, and until when after a frame's time: a window that is being resized outdates its
/// surface all the time.
const AT_ONCE: u32 = 3;
const BRIEFLY: u32 = 20;
/// That time.
const BRIEF: Duration = Duration::from_millis(16);
/// How soon it is asked again after that.
const PAUSE: Duration = Duration::from_millis(250);

/// What came of asking a surface for a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A frame.
    Good,
    /// A frame, which the surface shows at a price.
    Suboptimal,
    /// The display takes no frame yet.
    Timeout,
    /// Nobody sees the window.
    Occluded,
    /// The surface no longer fits its window.
    Outdated,
    /// The surface is gone.
    Lost,
    /// The surface was asked wrongly, or could not answer; the device keeps the reason as its fault.
    Validation,
}

/// What to do with the surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Remedy {
    Nothing,
    /// Set it up anew.
    Configure,
    /// Make it anew, and set it up.
    Remake,
}

/// What to do then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Draw on the frame that there is.
    Draw,
    /// Ask again at once.
    Again,
    /// Ask again after this time.
    Later(Duration),
    /// End, and say why.
    GiveUp(&'static str),
}

/// A run of failures, and what it was about.
#[derive(Clone, Copy, Debug)]
struct Trouble {
    since: Instant,
    tries: u32,
}

/// How a surface has been of late.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recovery {
    trouble: Option<Trouble>,
    /// Since when there has been no frame, for whatever reason.
    waiting: Option<Instant>,
    /// When it was last set up anew for being suboptimal: some surfaces are so whatever is done.
    fitted: Option<Instant>,
}

impl Recovery {
    /// What to do about an answer that came at a time.
    pub(crate) fn meet(&mut self, asked: Asked, now: Instant) -> (Remedy, Then) {
        match asked {
            Asked::Good => {
                self.rest();
                (Remedy::Nothing, Then::Draw)
            }
            Asked::Suboptimal => {
                self.rest();
                let is_due = self.fitted.is_none_or(|fitted| now.duration_since(fitted) >= TELL);
                if !is_due {
                    return (Remedy::Nothing, Then::Draw);
                }
                self.fitted = Some(now);
                (Remedy::Configure, Then::Again)
            }
            Asked::Occluded => {
                self.rest();
                (Remedy::Nothing, Then::Later(PAUSE))
            }
            Asked::Timeout => {
                // The surface is there: if it fails afterwards, that is another failure.
                self.trouble = None;
                self.waiting.get_or_insert(now);
                (Remedy::Nothing, Then::Later(PAUSE))
            }
            Asked::Outdated => self.mend(now, Remedy::Configure, "its surface never fits the window"),
            Asked::Lost => self.mend(now, Remedy::Remake, "its surface is lost, and so is every new one"),
            Asked::Validation => (Remedy::Nothing, Then::GiveUp("its surface gives no frames")),
        }
    }

    /// There is a frame, or nobody sees the window: nothing fails.
    pub(crate) fn rest(&mut self) {
        (self.trouble, self.waiting) = (None, None);
    }

    /// Whether the user should be told that no frame comes.
    pub(crate) fn is_to_be_told(&self, now: Instant) -> bool {
        self.waiting.is_some_and(|since| now.duration_since(since) >= TELL)
    }

    fn mend(&mut self, now: Instant, first: Remedy, reason: &'static str) -> (Remedy, Then) {
        self.waiting.get_or_insert(now);
        let trouble = self.trouble.get_or_insert(Trouble { since: now, tries: 0 });
        trouble.tries += 1;
        let Trouble { since, tries } = *trouble;
        if tries > TRIES && now.duration_since(since) >= PATIENCE {
            return (Remedy::Nothing, Then::GiveUp(reason));
        }
        match tries {
            tries if tries <= AT_ONCE => (first, Then::Again),
            tries if tries <= BRIEFLY => (first, Then::Later(BRIEF)),
            _ => (Remedy::Remake, Then::Later(PAUSE)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asks again as often and as soon as is said, for some time; answers with how often that was and how it ended.
    fn for_s(recovery: &mut Recovery, asked: Asked, seconds: f64) -> (u32, Then) {
        let begun = Instant::now();
        let (mut now, mut count) = (begun, 0);
        loop {
            let (_, then) = recovery.meet(asked, now);
            count += 1;
            match then {
                Then::Again => {}
                Then::Later(pause) => now += pause,
                ended => return (count, ended),
            }
            if (now - begun).as_secs_f64() > seconds {
                return (count, then);
            }
        }
    }

    #[test]
    fn a_surface_that_stays_away_is_asked_now_and_then_and_given_up_after_ten_seconds() {
        for asked in [Asked::Outdated, Asked::Lost] {
            let (count, ended) = for_s(&mut Recovery::default(), asked, 60.0);
            assert!(matches!(ended, Then::GiveUp(_)), "{asked:?} ended in {ended:?}");
            assert!((50..70).contains(&count), "{asked:?} was asked {count} times in ten seconds");
            let (count, ended) = for_s(&mut Recovery::default(), asked, 9.0);
            assert!(matches!(ended, Then::Later(_)), "{asked:?} was given up after {count} tries");
        }
    }

    #[test]
    fn a_display_that_takes_its_time_is_waited_for_without_end_and_told() {
        for (asked, is_told) in [(Asked::Timeout, true), (Asked::Occluded, false)] {
            let mut recovery = Recovery::default();
            let begun = Instant::now();
            for second in 0..600 {
                let now = begun + Duration::from_secs(second);
                assert_eq!(recovery.meet(asked, now), (Remedy::Nothing, Then::Later(PAUSE)));
                assert_eq!(recovery.is_to_be_told(now), is_told && second >= 2, "{asked:?} after {second} s");
            }
            recovery.meet(Asked::Good, begun + Duration::from_secs(600));
            assert!(!recovery.is_to_be_told(begun + Duration::from_secs(900)));
        }
    }

    #[test]
    fn a_display_that_comes_back_is_not_given_up_for_the_time_it_was_away() {
        let begun = Instant::now();
        let mut recovery = Recovery::default();
        let away = (0..60).map(|second| begun + Duration::from_secs(second));
        away.for_each(|now| _ = recovery.meet(Asked::Timeout, now));
        let back = begun + Duration::from_secs(60);
        assert_eq!(recovery.meet(Asked::Outdated, back), (Remedy::Configure, Then::Again));
        assert!(recovery.is_to_be_told(back), "there is no frame yet");
        recovery.meet(Asked::Good, back);
        assert!(!recovery.is_to_be_told(back));
    }

    #[test]
    fn a_surface_that_was_misused_is_given_up_at_once() {
        let ended = Recovery::default().meet(Asked::Validation, Instant::now());
        assert!(matches!(ended, (Remedy::Nothing, Then::GiveUp(_))), "{ended:?}");
    }

    #[test]
    fn a_surface_is_first_set_up_anew_and_then_made_anew() {
        let now = Instant::now();
        let mut recovery = Recovery::default();
        let remedies: Vec<_> = (0..22).map(|_| recovery.meet(Asked::Outdated, now)).collect();
        assert_eq!(remedies[..3], [(Remedy::Configure, Then::Again); 3]);
        assert_eq!(remedies[3..20], [(Remedy::Configure, Then::Later(BRIEF)); 17]);
        assert_eq!(remedies[20..], [(Remedy::Remake, Then::Later(PAUSE)); 2]);
        recovery.meet(Asked::Good, now);
        assert_eq!(recovery.meet(Asked::Lost, now), (Remedy::Remake, Then::Again), "a frame ends the trouble");
    }

    #[test]
    fn a_surface_that_is_always_suboptimal_is_drawn_on_all_the_same() {
        let begun = Instant::now();
        let mut recovery = Recovery::default();
        let drawn = (0..100).filter(|k| {
            let (remedy, then) = recovery.meet(Asked::Suboptimal, begun + Duration::from_millis(20 * k));
            assert_eq!(remedy == Remedy::Configure, then == Then::Again);
            then == Then::Draw
        });
        assert_eq!(drawn.count(), 99, "of two seconds' frames one is given up to set it up anew");
    }

    #[test]
    fn time_that_nobody_sees_or_counts_gives_nothing_up() {
        let begun = Instant::now();
        let mut recovery = Recovery::default();
        (0..=TRIES).for_each(|_| _ = recovery.meet(Asked::Lost, begun));
        recovery.rest();
        let hour = begun + Duration::from_secs(3600);
        assert_eq!(recovery.meet(Asked::Lost, hour), (Remedy::Remake, Then::Again), "minimised meanwhile");
        let later = hour + Duration::from_secs(3600);
        assert_eq!(recovery.meet(Asked::Lost, later), (Remedy::Remake, Then::Again), "suspended meanwhile");
    }
}
