use proptest::prelude::*;

use super::*;

/// The lengths of the frames of a screen that shows `fps` a second, in whole nanoseconds. A watch
/// that rounds up, since one that rounds down sees the 60th of a second a nanosecond late.
fn frames(fps: u64) -> impl Iterator<Item = Duration> {
    let at = move |k: u64| (k * 1_000_000_000).div_ceil(fps);
    (0..).map(move |k| Duration::from_nanos(at(k + 1) - at(k)))
}

#[test]
fn t1_120_steps_on_60_frames_are_two_a_frame() {
    let mut clock = Clock::new(120);
    for frame in frames(60).take(600) {
        assert_eq!(clock.frame(frame).steps, 2);
    }
}

#[test]
fn t2_120_steps_on_144_frames_leave_24_frames_a_second_without() {
    let mut clock = Clock::new(120);
    let mut frames = frames(144);
    for second in 1..=60 {
        let steps: Vec<u32> = frames.by_ref().take(144).map(|frame| clock.frame(frame).steps).collect();
        assert_eq!(steps.iter().sum::<u32>(), 120, "second {second}");
        assert_eq!(steps.iter().filter(|&&n| n == 0).count(), 24, "second {second}");
    }
}

#[test]
fn t2_a_day_of_frames_does_not_drift() {
    let mut clock = Clock::new(120);
    for frame in frames(144).take(86_400 * 144) {
        clock.frame(frame);
    }
    assert_eq!(clock.steps(), 86_400 * 120);
    assert_eq!(clock.accumulator, 0);
    assert_eq!(clock.elapsed(), Duration::from_secs(86_400));
}

#[test]
fn t3_60_steps_on_50_frames_by_hand() {
    let mut clock = Clock::new(60);
    let ticks: Vec<Tick> = (0..5).map(|_| clock.frame(Duration::from_millis(20))).collect();
    assert_eq!(ticks.iter().map(|tick| tick.steps).collect::<Vec<_>>(), [1, 1, 1, 1, 2]);
    assert_eq!(ticks.iter().map(|tick| tick.alpha).collect::<Vec<_>>(), [0.2, 0.4, 0.6, 0.8, 0.0]);
}

#[test]
fn t4_a_long_frame_is_clamped_and_the_rest_reported() {
    let mut clock = Clock::new(120);
    let tick = clock.frame(Duration::from_secs(1));
    assert_eq!((tick.steps, tick.dropped), (6, Duration::from_millis(950)));
    assert_eq!(clock.dropped(), Duration::from_millis(950));
    assert_eq!(clock.frame(Duration::MAX).steps, 6);
}

#[test]
fn t5_a_lag_spike_passes_the_clamp_once() {
    let mut clock = Clock::new(120);
    clock.lag_spike();
    let tick = clock.frame(Duration::from_millis(5));
    assert_eq!((tick.steps, tick.dropped), (24, Duration::ZERO));
    assert_eq!(clock.frame(Duration::from_millis(200)).steps, 6);
}

#[test]
fn t6_a_variable_step_is_as_long_as_its_frame() {
    let mut clock = Clock::new(120);
    clock.set_mode(Mode::Variable);
    let tick = clock.frame(Duration::from_millis(16));
    assert_eq!((tick.steps, tick.step_s, tick.alpha), (1, 0.016, 1.0));
    assert_eq!(clock.frame(Duration::from_secs(3)).step_s, 0.05);
    clock.lag_spike();
    assert_eq!(clock.frame(Duration::from_millis(16)).step_s, 0.2);
}

#[test]
fn t7_30_to_1000_frames_a_second_make_the_same_steps() {
    let steps = |fps: u64| {
        let mut clock = Clock::new(120);
        frames(fps).take(10 * fps as usize).map(|frame| u64::from(clock.frame(frame).steps)).sum::<u64>()
    };
    assert_eq!([30, 60, 144, 1_000].map(steps), [1_200; 4]);
}

#[test]
fn t8_the_drawn_place_lies_between_the_last_two() {
    let mut clock = Clock::new(100);
    let tick = clock.frame(Duration::from_micros(12_500));
    assert_eq!((tick.steps, tick.alpha), (1, 0.25));
    assert_eq!(tick.between(Vec2::new(4.0, 8.0), Vec2::new(8.0, 0.0)), Vec2::new(5.0, 6.0));
}

#[test]
fn t9_no_time_makes_no_step() {
    for mode in [Mode::Fixed, Mode::Variable] {
        let mut clock = Clock::new(120);
        clock.set_mode(mode);
        let before = clock.clone();
        assert_eq!(clock.frame(Duration::ZERO).steps, 0);
        assert_eq!(clock, before);
    }
}

#[test]
fn t10_slow_motion_takes_a_share_of_each_frame() {
    for (slow, steps) in SlowMotion::ALL.into_iter().zip([120, 60, 30, 15]) {
        let mut clock = Clock::new(120);
        clock.set_slow_motion(slow);
        let ticks: Vec<Tick> = frames(144).take(144).map(|frame| clock.frame(frame)).collect();
        assert_eq!(ticks.iter().map(|tick| tick.steps).sum::<u32>(), steps);
        assert!(ticks.iter().all(|tick| tick.step_s == 1.0 / 120.0));
    }
}

#[test]
fn slow_motion_goes_round() {
    let round = [SlowMotion::Half, SlowMotion::Quarter, SlowMotion::Eighth, SlowMotion::Off];
    assert_eq!(SlowMotion::ALL.map(SlowMotion::next), round);
    assert_eq!(SlowMotion::ALL.map(SlowMotion::divisor), [1, 2, 4, 8]);
}

#[test]
fn a_new_kind_of_step_starts_with_nothing_saved_up() {
    let mut clock = Clock::new(120);
    clock.frame(Duration::from_millis(7));
    assert!(clock.alpha() > 0.8);
    clock.set_rate_hz(30);
    assert_eq!(clock.alpha(), 0.0);
    clock.frame(Duration::from_millis(7));
    clock.set_mode(Mode::Variable);
    clock.set_mode(Mode::Fixed);
    assert_eq!(clock.alpha(), 0.0);
}

#[test]
fn a_paused_clock_makes_only_the_steps_asked_for() {
    let mut clock = Clock::new(120);
    clock.pause(true);
    assert_eq!(clock.frame(Duration::from_millis(16)).steps, 0);
    clock.step_once();
    assert_eq!(clock.frame(Duration::from_millis(16)).steps, 1);
    assert_eq!(clock.frame(Duration::from_millis(16)).steps, 0);
    assert_eq!((clock.steps(), clock.elapsed()), (1, Duration::ZERO));
    clock.pause(false);
    assert_eq!(clock.frame(Duration::from_millis(25)).steps, 3);
}

#[test]
fn rates_outside_the_range_are_held_to_it() {
    assert_eq!(Clock::new(0).rate_hz(), 1);
    let mut clock = Clock::new(120);
    clock.set_rate_hz(u32::MAX);
    assert_eq!(clock.rate_hz(), 10_000);
}

proptest! {
    #[test]
    fn any_split_of_the_same_time_makes_the_same_steps(
        rate in 1u32..=10_000,
        cuts in prop::collection::vec(0u64..=50_000_000, 1..80),
    ) {
        let total: u64 = cuts.iter().sum();
        let mut whole = Clock::new(rate);
        let mut left = total;
        while left > 0 {
            let frame = left.min(50_000_000);
            whole.frame(Duration::from_nanos(frame));
            left -= frame;
        }
        let mut split = Clock::new(rate);
        for &cut in &cuts {
            split.frame(Duration::from_nanos(cut));
        }
        prop_assert_eq!(whole, split);
    }

    #[test]
    fn every_nanosecond_is_stepped_kept_or_dropped(
        rate in 1u32..=10_000,
        frames in prop::collection::vec(0u64..=400_000_000, 1..80),
    ) {
        let mut clock = Clock::new(rate);
        for &frame in &frames {
            clock.frame(Duration::from_nanos(frame));
        }
        let units = |time: Duration| time.as_nanos() * u128::from(rate) * u128::from(EIGHTHS);
        let stepped = u128::from(clock.steps()) * u128::from(STEP);
        let total = Duration::from_nanos(frames.iter().sum());
        prop_assert_eq!(stepped + u128::from(clock.accumulator) + units(clock.dropped()), units(total));
    }
}
