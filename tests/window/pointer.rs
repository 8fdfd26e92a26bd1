//! The pointer and its tools.

use std::thread::sleep;
use std::time::Duration;

use crate::desktop::{Desktop, LONE, Start, with_window, with_window_on};
use crate::shot::{Area, Shot, apart, by};

impl Desktop {
    /// Pixels of the world that differ from the background.
    fn drawn(&self) -> usize {
        let shot = self.shot();
        let background = shot.at(self.world.x.0 + 30, self.world.y.0 + 40);
        shot.find(&self.world, |pixel| (0..3).any(|channel| (pixel[channel] - background[channel]).abs() > 30)).0
    }

    /// Waits until so many more pixels come to be drawn than `before`, give or take a third; answers with how many are.
    #[track_caller]
    fn expect_more(&self, before: usize, more: f64, what: &str) -> usize {
        let is_right = |now: usize| (now as f64 - before as f64 - more).abs() < more.abs().mul_add(0.33, 300.0);
        self.wait(what, || Some(self.drawn()).filter(|&now| is_right(now)))
    }
}

#[test]
fn a_drag_moves_the_ball_under_it_and_one_on_empty_space_moves_nothing() {
    with_window(&Start::File(LONE), |desktop| {
        let start = desktop.settle();
        let empty = by(start, -300.0, -150.0);
        desktop.drag(1, empty, by(empty, 250.0, 150.0));
        assert!(apart(desktop.settle(), start) < 1.0, "a drag on empty space moved the ball");
        let target = by(start, 150.0, 60.0);
        let is_there = |shot: &Shot| apart(shot.ball(&desktop.world).1, target) < 30.0;
        desktop.drag_until([start, target], "the ball to follow the pointer", is_there);
        let end = desktop.settle();
        assert!(apart(end, target) < 40.0, "the ball went from {start:?} to {end:?}");
    });
}

#[test]
fn the_panel_takes_the_pointer_and_the_right_button_moves_the_picture() {
    with_window(&Start::File(LONE), |desktop| {
        let start = desktop.settle();
        let empty = by(start, -300.0, -150.0);
        // The picture moves until the ball's middle is at the panel's edge: half of it lies under the panel.
        let edge = desktop.world.x.1 as f64;
        desktop.drag(3, empty, by(empty, edge - start[0], 0.0));
        let start = desktop.settle();
        assert!(start[0] > edge - 110.0, "{start:?}");
        // Beside a label of the panel, where there is no control.
        let panel = [edge + 66.0, start[1]];
        desktop.drag(1, panel, by(panel, -300.0, 0.0));
        assert!(apart(desktop.settle(), start) < 1.0, "a ball was grabbed through the panel");
        let visible = [edge - 40.0, start[1]];
        let comes = |shot: &Shot| shot.ball(&desktop.world).1[0] < start[0] - 80.0;
        desktop.drag_until([visible, by(visible, -200.0, 0.0)], "the ball to come out", comes);
        let end = desktop.settle();
        assert!(end[0] < start[0] - 80.0, "the ball went from {start:?} to {end:?}");
    });
}

#[test]
fn picking_is_right_with_two_pixels_a_point_panned_and_zoomed() {
    with_window_on(&Start::File(LONE), (2, 2), |desktop| {
        assert_eq!(desktop.size, (2048, 1380), "the window is twice as large as with one pixel a point");
        let (fitted, start) = desktop.ball();
        desktop.point(by(start, 100.0, 50.0));
        desktop.xdotool("keydown ctrl click 5 click 5 click 5 keyup ctrl");
        desktop.drag(3, by(start, -300.0, -200.0), by(start, -420.0, -120.0));
        let place = desktop.settle();
        let (pixels, _) = desktop.ball();
        assert!(pixels < fitted / 2 && apart(place, start) > 100.0, "neither zoomed nor panned: {pixels}, {place:?}");
        desktop.pick(place, pixels);
    });
}

#[test]
fn a_scale_factor_that_changes_doubles_window_text_and_panel_and_picking_follows() {
    with_window_on(&Start::File(LONE), (2, 1), |desktop| {
        let (size, text) = (desktop.size, desktop.mode_text());
        let start = desktop.settle();
        let pixels = desktop.ball().0;
        let before = desktop.shot();
        let panel = |desktop: &Desktop, shot: &Shot| {
            let whole = Area { x: (desktop.world.x.1, desktop.size.0), y: (0, desktop.size.1) };
            shot.covered(&whole)
        };
        let covered = panel(desktop, &before);
        desktop.rescale(2);
        // Four times as many pixels, but for edges of letters.
        let is_four_times = |now: usize, then: usize| (3.2..4.8).contains(&(now as f64 / then as f64));
        let doubled = desktop.see("a panel twice as wide", |shot| is_four_times(panel(desktop, shot), covered));
        desktop.wait("text twice as high", || is_four_times(desktop.mode_text(), text).then_some(()));
        let (large, place) = doubled.ball(&desktop.world);
        assert!(is_four_times(large, pixels), "the ball has {large} pixels, and had {pixels}");
        assert!(apart(place, by(start, start[0], start[1])) < 4.0, "the ball is at {place:?}, and was at {start:?}");
        // A window manager says where the window is, and that says the scale factor again.
        desktop.tell_place();
        sleep(Duration::from_millis(500));
        assert_eq!(desktop.geometry(), desktop.size, "it doubles once");

        // A window that is resized meanwhile is filled, too.
        desktop.resize((1600, 1100));
        desktop.wait("the other size", || (desktop.geometry() == (1600, 1100)).then_some(()));
        desktop.measure();
        desktop.see("the panel at the new edge", |shot| is_four_times(panel(desktop, shot) * 1380 / 1100, covered));
        let place = desktop.settle();
        desktop.pick(place, desktop.ball().0);

        desktop.resize((2 * size.0 as u32, 2 * size.1 as u32));
        desktop.wait("the size before", || (desktop.geometry() == (2 * size.0, 2 * size.1)).then_some(()));
        desktop.measure();
        desktop.rescale(1);
        assert_eq!(desktop.size, size);
        desktop.wait("text as before", || (desktop.mode_text().abs_diff(text) < text / 10).then_some(()));
        let again = desktop.see("the panel as before", |shot| panel(desktop, shot).abs_diff(covered) < covered / 50);
        assert!(again.ball(&desktop.world).0.abs_diff(pixels) < pixels / 50);
    });
}

#[test]
fn attract_repel_and_explode_move_the_ball_in_their_ring() {
    with_window(&Start::File(LONE), |desktop| {
        let start = desktop.settle();
        desktop.take("e");
        // The ring is narrower than the way to the ball until the wheel has widened it.
        let beside = by(start, 150.0, 0.0);
        desktop.hold(beside, 0.6);
        assert!(apart(desktop.settle(), start) < 1.0, "the ring reaches farther than it is wide");
        desktop.point(beside);
        (0..17).for_each(|_| desktop.xdotool("click 4"));
        sleep(Duration::from_millis(500));
        let x = |shot: &Shot| shot.ball(&desktop.world).1[0];
        desktop.hold_while(beside, || desktop.see("an attracted ball", |shot| x(shot) > start[0] + 60.0));
        let near = desktop.settle();
        assert!(near[0] > start[0] + 60.0, "attracted from {start:?} to {near:?}");
        desktop.take("t");
        let push = by(near, 60.0, 0.0);
        desktop.hold_while(push, || desktop.see("a repelled ball", |shot| x(shot) < near[0] - 40.0));
        let away = desktop.settle();
        assert!(away[0] < near[0] - 40.0, "repelled from {near:?} to {away:?}");
        desktop.take("x");
        desktop.hold(by(away, -60.0, 0.0), 0.1);
        let blown = desktop.settle();
        assert!(blown[0] > away[0] + 40.0, "blown from {away:?} to {blown:?}");
        // With the hand, what was done last is done no more: the same press holds the ball.
        desktop.key("q");
        let target = by(blown, -100.0, 40.0);
        let is_there = |shot: &Shot| apart(shot.ball(&desktop.world).1, target) < 30.0;
        desktop.drag_until([blown, target], "the ball to be held", is_there);
        let held = desktop.settle();
        assert!(apart(held, target) < 40.0, "held from {blown:?} to {held:?}");
    });
}

#[test]
fn balls_pegs_and_walls_come_go_and_come_back() {
    with_window(&Start::File(LONE), |desktop| {
        let start = desktop.settle();
        let (pixels, _) = desktop.ball();
        let ball = pixels as f64;
        let before = desktop.drawn();
        desktop.take("w");
        let place = by(start, -240.0, 0.0);
        desktop.hold_while(place, || desktop.expect_more(before, ball, "a ball to be poured"));
        let poured = desktop.expect_more(before, ball, "a poured ball");
        desktop.key("ctrl+z");
        let undone = desktop.expect_more(poured, -ball, "a poured ball to be undone");
        desktop.key("ctrl+y");
        let again = desktop.expect_more(undone, ball, "it to be done again");
        desktop.key("ctrl+z");
        desktop.expect_more(again, -ball, "it to be undone again");
        desktop.key("ctrl+shift+z");
        let again = desktop.expect_more(undone, ball, "it to be done by the other key");
        desktop.take("z");
        desktop.hold_while(place, || desktop.expect_more(again, -ball, "a ball to be erased"));
        let erased = desktop.expect_more(again, -ball, "an erased ball");
        // Pegs are as large as the ring: 45 px to the ball's 50.
        desktop.take("n");
        desktop.hold(by(start, -240.0, -100.0), 0.1);
        let pegged = desktop.expect_more(erased, 0.81 * ball, "a peg");
        desktop.key("q");
        desktop.key("b");
        desktop.drag_along(by(start, -250.0, 200.0), by(start, 250.0, 200.0));
        let zoom = (ball / std::f64::consts::PI).sqrt() / 50.0;
        let walled = desktop.expect_more(pegged, 500.0 * 4.0 * zoom, "a wall");
        desktop.key("ctrl+z");
        desktop.expect_more(walled, -500.0 * 4.0 * zoom, "a wall to be undone");
    });
}

impl Desktop {
    /// Presses just beside a ball of so many pixels at a place, which moves nothing, then just within it.
    #[track_caller]
    fn pick(&self, place: [f64; 2], pixels: usize) {
        let radius = (pixels as f64 / std::f64::consts::PI).sqrt();
        for (x, y) in [(1.15, 0.0), (0.0, -1.15)] {
            let beside = by(place, x * radius, y * radius);
            self.drag(1, beside, by(beside, 200.0 * x, 200.0 * y));
            assert!(apart(self.settle(), place) < 1.0, "a press {x}, {y} radii from its middle moved the ball");
        }
        let within = by(place, 0.85 * radius, 0.0);
        let target = by(place, 260.0, 120.0);
        let follows = |shot: &Shot| apart(shot.ball(&self.world).1, target) < radius;
        self.drag_until([within, target], "the ball to follow the pointer", follows);
    }

    /// Drags slowly with the left button, then moves the pointer into a corner.
    fn drag_along(&self, from: [f64; 2], to: [f64; 2]) {
        self.point(from);
        sleep(Duration::from_millis(300));
        self.xdotool("mousedown 1");
        for step in 1..=10 {
            let share = f64::from(step) / 10.0;
            self.point(by(from, share * (to[0] - from[0]), share * (to[1] - from[1])));
            sleep(Duration::from_millis(100));
        }
        self.xdotool("mouseup 1 mousemove 5 5");
    }
}
