//! The keys of time.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use crate::desktop::{Desktop, Start, with_window};
use crate::shot::{Shot, apart};

/// A ball that goes to and fro for ever, in a box that it crosses in two seconds and a half.
pub(crate) const TO_AND_FRO: &str = "version = 1\ntitle = \"Lone\"\nseed = 1\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 0]\n\
                                     [material.steel]\nrestitution = 1\n\
                                     [[spawn]]\nkind = \"single\"\nradius = 50\nposition = [60, 150]\nvelocity = [120, 0]\n\
                                     material = \"steel\"\n";

#[test]
fn time_stops_goes_on_and_goes_by_single_steps() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        desktop.key("p");
        let still = desktop.settle();
        let paused = desktop.saved();
        for step in 1..=2 {
            desktop.key("period");
            let stepped = desktop.saved_until("a single step", |saved| saved.steps > paused.steps);
            assert!(stepped.steps <= paused.steps + step, "{} steps for {step}", stepped.steps - paused.steps);
            desktop.saved_until("each of them", |saved| saved.steps == paused.steps + step);
        }
        assert!(apart(desktop.ball().1, still) < 10.0, "two steps are no way");
        desktop.key("p");
        desktop.saved_until("time to go on", |saved| saved.steps > paused.steps + 20);

        // While time stands still, what is between two steps can be seen, unless it happens to be next to nothing.
        desktop.key("r");
        desktop.saved_until("30 steps a second", |saved| saved.settings.rate_hz == 30);
        let shifted = (0..8).any(|_| {
            desktop.key("p");
            let between = desktop.settle();
            desktop.key("i");
            let whole = desktop.settle();
            desktop.key("i");
            assert_eq!(desktop.settle(), between, "drawn between the same steps again");
            desktop.key("p");
            sleep(Duration::from_millis(200));
            apart(whole, between) > 0.5
        });
        assert!(shifted, "whole steps are drawn as what is between them");
    });
}

#[test]
fn slow_motion_variable_steps_and_lag_spikes_are_in_the_recording() {
    with_window(&Start::File(TO_AND_FRO), |desktop| {
        let amber =
            |shot: &Shot| shot.find(&desktop.mode_line(), |[red, green, blue]| red > 180 && green > 110 && blue < 90).0;
        assert_eq!(amber(&desktop.shot()), 0);
        desktop.key("F9");
        desktop.wait("a recording", || desktop.files("recording").pop());
        for rate_hz in [30, 120] {
            desktop.key("r");
            desktop.saved_until("another rate", |saved| saved.settings.rate_hz == rate_hz);
            sleep(Duration::from_millis(200));
        }
        desktop.key_shows("space", "the mode line to warn of variable steps", |shot| amber(shot) > 0);
        for key in ["l", "s", "l", "s", "l", "s", "l", "s", "l"] {
            desktop.key(key);
            sleep(Duration::from_millis(250));
        }
        desktop.key_shows("space", "fixed steps", |shot| amber(shot) == 0);
        sleep(Duration::from_millis(200));
        desktop.key("F9");
        let lengths = desktop.wait("the recording's end", || lengths_of(desktop));

        // A spike is a fifth of a second long, or a half, a quarter, an eighth of that in slow motion; no other frame is
        // longer than 0.05 s.
        let expected = [1.0 / 120.0, 1.0 / 30.0, 1.0 / 120.0, 0.2, 0.1, 0.05, 0.025, 0.2, 1.0 / 120.0];
        let mut found = lengths.iter();
        for length in expected {
            let is_there = found.any(|other| (other / length - 1.0).abs() < 1e-5);
            assert!(is_there, "{length} s is not in its place among {lengths:?}");
        }
        let others = lengths.iter().filter(|length| !expected.iter().any(|other| (*length / other - 1.0).abs() < 1e-5));
        assert!(others.count() > 3, "variable steps are all of one length: {lengths:?}");
    });
}

/// The lengths of steps that the recording names, once it has ended.
fn lengths_of(desktop: &Desktop) -> Option<Vec<f64>> {
    let text = fs::read_to_string(desktop.files("recording").first()?).ok()?;
    let lines = text.lines().map(serde_json::from_str::<serde_json::Value>).collect::<Result<Vec<_>, _>>().ok()?;
    lines.last()?.get("end")?;
    Some(lines.iter().filter_map(|line| line["length_s"].as_f64()).collect())
}
