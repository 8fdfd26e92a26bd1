//! What is seen: colours, what is drawn over the balls, the camera, and what lies over the world.

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt, EventMask};

use crate::desktop::{Desktop, LONE, Start, with_window};
use crate::shot::{Area, Shot, apart};

/// Two balls that rest on each other at the left, one that bounces for ever at the right.
const MARKED: &str = "version = 1\ntitle = \"Marked\"\nseed = 1\n[world]\nmin = [0, 0]\nmax = [400, 300]\ngravity = [0, 900]\n\
                      [material.clay]\nrestitution = 0\n[material.steel]\nrestitution = 1\n\
                      [[spawn]]\nkind = \"single\"\nradius = 25\nposition = [100, 275]\nmaterial = \"clay\"\n\
                      [[spawn]]\nkind = \"single\"\nradius = 25\nposition = [100, 225]\nmaterial = \"clay\"\n\
                      [[spawn]]\nkind = \"single\"\nradius = 20\nposition = [300, 40]\nmaterial = \"steel\"\n";

impl Desktop {
    /// The world and the legend below it.
    fn scenery(&self) -> Area {
        Area { y: (self.world.y.0, self.size.1), ..self.world }
    }

    /// Presses a key and waits until the scenery has another look and keeps it.
    #[track_caller]
    fn turn(&self, key: &str) -> Shot {
        let (area, before) = (self.scenery(), self.shot());
        let shown = self.key_shows(key, &format!("what {key} shows"), |shot| shot.changed(&area, &before).0 > 0);
        // The legend fades in.
        let (mut last, mut same) = (shown, 0);
        self.wait("a picture that stays", || {
            let now = self.shot();
            same = if now.changed(&area, &last).0 == 0 { same + 1 } else { 0 };
            last = now.clone();
            // On a busy machine a frame takes longer than some looks at it.
            (same == 8).then_some(now)
        })
    }
}

#[test]
fn digits_choose_colours_and_c_goes_through_them() {
    with_window(&Start::File(LONE), |desktop| {
        desktop.settle();
        let area = desktop.scenery();
        let is_same = |a: &Shot, b: &Shot| a.changed(&area, b).0 == 0;
        desktop.turn("8");
        let shots = ["1", "2", "3", "4", "5", "6", "7", "8"].map(|key| desktop.turn(key));
        for (index, shot) in shots.iter().enumerate() {
            assert!(shots[..index].iter().all(|other| !is_same(shot, other)), "key {} has another's look", index + 1);
        }
        for (index, shot) in shots.iter().enumerate() {
            desktop.key_shows("c", &format!("what {} shows", index + 1), |now| is_same(now, shot));
        }
        let bottom = Area { y: (desktop.size.1 - 70, desktop.size.1), ..area };
        let yellow = |shot: &Shot| shot.find(&bottom, |[r, g, b]| r > 230 && g > 210 && b < 90).0;
        assert_eq!((yellow(&shots[0]), yellow(&shots[1]) > 30), (0, true), "a ramp of speeds ends in yellow");
    });
}

#[test]
fn keys_draw_over_the_balls_and_take_that_away_again() {
    with_window(&Start::File(MARKED), |desktop| {
        // Time stops while there is a velocity to be seen: at the top of its way the ball has none.
        desktop.wait("a fast ball", || {
            desktop.key("p");
            let is_fast = desktop.saved().world.bodies[2].velocity.length() > 300.0;
            if !is_fast {
                desktop.key("p");
            }
            is_fast.then_some(())
        });
        let area = desktop.scenery();
        // The notice of what was saved fades in, and goes.
        desktop.see("a notice", |shot| shot.covered(&area) > 1_000);
        desktop.see("no notice", |shot| shot.covered(&area) == 0);
        let middle = 0.5 * desktop.world.x.1 as f64;
        let plain = desktop.shot();
        let drawn: Vec<(usize, [f64; 2])> = ["g", "k", "v", "j"]
            .iter()
            .map(|key| {
                let drawn = desktop.turn(key).changed(&area, &plain);
                assert_eq!(desktop.turn(key).changed(&area, &plain).0, 0, "{key} leaves something behind");
                drawn
            })
            .collect();
        let [grid, contacts, velocities, normals] = drawn[..] else { panic!("four keys draw") };
        assert!(grid.0 > 500, "no grid: {grid:?}");
        assert!(contacts.0 > 10 && contacts.1[0] < middle - 50.0, "no contacts at the left: {contacts:?}");
        assert!(velocities.0 > 10 && velocities.1[0] > middle + 50.0, "no velocity at the right: {velocities:?}");
        assert!(normals.0 > 300 && apart(normals.1, contacts.1) > 50.0, "no normals: {normals:?}");
    });
}

#[test]
fn keys_zoom_and_show_or_hide_what_lies_over_the_world() {
    with_window(&Start::File(LONE), |desktop| {
        desktop.settle();
        let (width, height) = desktop.size;
        let fitted = desktop.ball().0 as f64;
        for (key, zoom) in
            [("plus", 1.25_f64), ("equal", 1.5625), ("minus", 1.25), ("minus", 1.0), ("minus", 0.8), ("0", 1.0)]
        {
            let world = desktop.world;
            let share = |shot: &Shot| shot.ball(&world).0 as f64 / fitted / zoom.powi(2);
            desktop.key_shows(key, "another size of the ball", |shot| (share(shot) - 1.0).abs() < 0.02);
        }
        let over = |shot: &Shot, area: &Area| shot.covered(area);
        let panel = Area { x: (width - 300, width), y: (0, height) };
        assert!(over(&desktop.shot(), &panel) > 50_000);
        desktop.key_shows("Tab", "no panel", |shot| over(shot, &panel) == 0);
        desktop.key_shows("h", "the panel", |shot| over(shot, &panel) > 50_000);

        let plots = Area { x: (0, 340), y: (100, 500) };
        let amber = |shot: &Shot| shot.find(&plots, |[r, g, b]| r > 200 && g > 120 && b < 110).0;
        desktop.key_shows("F10", "a curve of the steps' times", |shot| over(shot, &plots) > 30_000 && amber(shot) > 10);
        desktop.key_shows("F10", "no plots", |shot| over(shot, &plots) == 0);

        let left = Area { x: (0, width - 350), y: (0, height) };
        let is_open = |shot: &Shot| over(shot, &left) > 150_000;
        for key in ["F1", "question"] {
            desktop.key_shows(key, "the help", is_open);
            desktop.key_shows(key, "no help", |shot| !is_open(shot));
        }
        desktop.key_shows("F1", "the help", is_open);
        desktop.key_shows("Escape", "no help, and the window still there", |shot| over(shot, &left) == 0);
        // The panel's list of scenes is closed first, too.
        let list = Area { x: (width - 300, width - 120), y: (50, 300) };
        let before = desktop.shot();
        desktop.click([width as f64 - 200.0, 34.0]);
        // It covers nearly all of its 45,000 pixels; what changes in the panel beneath is a third of that.
        let open = desktop.see("a list", |shot| shot.changed(&list, &before).0 > 30_000);
        desktop.key_shows("Escape", "no list", |shot| shot.changed(&list, &open).0 > 30_000);
        assert_eq!(desktop.window.0.try_wait().unwrap(), None, "the window is still there");
        desktop.key("Escape");
        assert!(desktop.closed().contains("frames a second"));
    });
}

#[test]
fn a_key_asks_for_the_whole_screen_and_gives_it_back() {
    with_window(&Start::File(LONE), |desktop| {
        // Nobody makes a window fill the screen but a window manager, and there is none: what reaches the root window is
        // what one would be asked for.
        let hears = ChangeWindowAttributesAux::new().event_mask(EventMask::SUBSTRUCTURE_NOTIFY);
        desktop.connection.change_window_attributes(desktop.root, &hears).unwrap().check().unwrap();
        let atom = |name: &str| desktop.connection.intern_atom(false, name.as_bytes()).unwrap().reply().unwrap().atom;
        let (state, full) = (atom("_NET_WM_STATE"), atom("_NET_WM_STATE_FULLSCREEN"));
        // 1 adds a state, 0 takes it away.
        for asked in [1, 0] {
            desktop.key("F11");
            desktop.wait("the window manager to be asked", || {
                let event = desktop.connection.poll_for_event().unwrap()?;
                let Event::ClientMessage(message) = event else { return None };
                let data = message.data.as_data32();
                (message.type_ == state && data[0] == asked && data[1..3].contains(&full)).then_some(())
            });
        }
    });
}
