//! The pile of seventy balls.

use ballpit::{Measures, Wander};

use crate::common::{engines, run, scene};

#[test]
fn seventy_balls_come_to_rest_without_sinking_in() {
    let (world, settings) = scene("impulse");
    for mut engine in engines(&world, &settings) {
        run(&mut *engine, &settings, 8.0);
        let mut wander = Wander::new();
        for _ in 0..2 * settings.rate_hz {
            engine.step(1, settings.step_s()).unwrap();
            wander.push(&engine.world().unwrap());
        }
        // What the quality bench holds the median of twenty seeds to.
        let overlap = Measures::of(&engine.world().unwrap()).deepest_overlap_px;
        let wander = wander.median_px();
        assert!(overlap <= 0.04, "{}: overlap of {overlap} px", engine.name());
        assert!(wander <= 0.01, "{}: wander of {wander} px", engine.name());
    }
}
