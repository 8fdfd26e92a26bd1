//! What a window's events mean: keys by the table, the pointer by where it was pressed.

use glam::Vec2;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::ModifiersState;

use super::helm::{self, Helm, Steered};
use super::keys::{self, Action};

/// What an event asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Deed {
    Act(Action),
    /// The pointer takes hold, physical pixels.
    Press(Vec2),
    Drag(Vec2),
    Release,
    /// The window gets no keys and buttons any more: all that is held is let go.
    LetGo,
    /// The picture moves by so many pixels.
    Pan(Vec2),
    /// A zoom at a pixel, by a factor.
    Zoom(Vec2, f32),
    /// Actors are sent in a direction.
    Steer(Vec2),
    /// The wheel has turned at a pixel: a zoom by a factor, or what the tool makes of it.
    Wheel(Vec2, f32),
}

/// What of the user interface lies in an event's way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shield {
    /// The pointer is over the panel or a window of the interface.
    pub(crate) pointer: bool,
    /// A text field has the focus: keys are letters.
    pub(crate) keys: bool,
}

/// The pointer and the modifiers as the last events left them.
#[derive(Debug, Default)]
pub(crate) struct Input {
    /// Where the pointer is, physical pixels.
    pub(crate) pixel: Vec2,
    /// What the helm steers, and so which keys it has.
    steered: Steered,
    /// How many masses a cannon has to choose from: as many digits are not the table's.
    shots: usize,
    helm: Helm,
    modifiers: ModifiersState,
    holds: bool,
    pans: bool,
}

/// Zoom of one notch of the wheel.
const NOTCH: f32 = 1.15;
/// Pixels of a touchpad's scroll that count as a notch.
const NOTCH_PX: f64 = 40.0;

impl Input {
    /// Gives the helm and the cannon their keys, or takes them away.
    pub(crate) fn set_steered(&mut self, steered: Steered, shots: usize) {
        self.shots = shots;
        if std::mem::replace(&mut self.steered, steered) != steered {
            self.helm.let_go();
        }
    }

    /// What the event asks for. A press on the interface takes hold of nothing in the world, also if the pointer leaves
    /// it; a hold on the world goes on over the interface.
    pub(crate) fn deed(&mut self, event: &WindowEvent, shield: Shield) -> Option<Deed> {
        match event {
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
                None
            }
            WindowEvent::KeyboardInput { event, .. } => self.key(event, shield),
            WindowEvent::CursorMoved { position, .. } => self.moved(Vec2::new(position.x as f32, position.y as f32)),
            WindowEvent::MouseInput { state, button, .. } => self.button(*button, *state, shield),
            WindowEvent::MouseWheel { delta, .. } if !shield.pointer => {
                let notches = match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(px) => (px.y / NOTCH_PX) as f32,
                };
                let factor = NOTCH.powf(notches);
                let zooms = self.modifiers.control_key();
                Some(if zooms { Deed::Zoom(self.pixel, factor) } else { Deed::Wheel(self.pixel, factor) })
            }
            WindowEvent::PinchGesture { delta, .. } if !shield.pointer => {
                Some(Deed::Zoom(self.pixel, (*delta as f32).exp()))
            }
            WindowEvent::Focused(false) => {
                self.pans = false;
                let (steers, holds) = (self.helm.let_go(), std::mem::take(&mut self.holds));
                (steers || holds).then_some(Deed::LetGo)
            }
            _ => None,
        }
    }

    /// A key is the helm's, the cannon's, or else the table's.
    fn key(&mut self, event: &KeyEvent, shield: Shield) -> Option<Deed> {
        let others = ModifiersState::ALT | ModifiersState::SUPER;
        let shielded = shield.keys || self.modifiers.intersects(others);
        let chord = self.modifiers.contains(ModifiersState::CONTROL);
        if let Some(direction) = self.helm.turn(self.steered, event, shielded || chord) {
            return (!event.repeat).then_some(Deed::Steer(direction));
        }
        if event.state == ElementState::Released || shielded {
            return None;
        }
        let stroke = keys::stroke_of(&event.logical_key, event.physical_key);
        if let Some(shot) = stroke.filter(|_| !chord).and_then(|stroke| helm::shot_of(stroke, self.shots)) {
            return Some(Deed::Act(Action::Load(shot)));
        }
        let action = keys::action_of(&event.logical_key, event.physical_key, self.modifiers)?;
        (!event.repeat || action.repeats()).then_some(Deed::Act(action))
    }

    fn moved(&mut self, pixel: Vec2) -> Option<Deed> {
        let delta = pixel - std::mem::replace(&mut self.pixel, pixel);
        if self.holds {
            return Some(Deed::Drag(pixel));
        }
        self.pans.then_some(Deed::Pan(delta))
    }

    fn button(&mut self, button: MouseButton, state: ElementState, shield: Shield) -> Option<Deed> {
        let pressed = state == ElementState::Pressed;
        match button {
            MouseButton::Left if pressed && !shield.pointer => {
                self.holds = true;
                Some(Deed::Press(self.pixel))
            }
            MouseButton::Left if !pressed => std::mem::take(&mut self.holds).then_some(Deed::Release),
            MouseButton::Right | MouseButton::Middle => {
                self.pans = pressed && !shield.pointer;
                None
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, TouchPhase};

    use super::*;

    const CLEAR: Shield = Shield { pointer: false, keys: false };
    const PANEL: Shield = Shield { pointer: true, keys: false };

    fn moved(x: f64, y: f64) -> WindowEvent {
        WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position: PhysicalPosition::new(x, y) }
    }

    fn mouse(button: MouseButton, state: ElementState) -> WindowEvent {
        WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }
    }

    fn wheel(lines: f32) -> WindowEvent {
        let delta = MouseScrollDelta::LineDelta(0.0, lines);
        WindowEvent::MouseWheel { device_id: DeviceId::dummy(), delta, phase: TouchPhase::Moved }
    }

    #[test]
    fn a_press_on_the_panel_takes_hold_of_nothing() {
        let mut input = Input::default();
        input.deed(&moved(30.0, 40.0), PANEL);
        for button in [MouseButton::Left, MouseButton::Right] {
            assert_eq!(input.deed(&mouse(button, ElementState::Pressed), PANEL), None);
            assert_eq!(input.deed(&moved(90.0, 40.0), CLEAR), None, "the pointer left the panel with the button down");
            assert_eq!(input.deed(&mouse(button, ElementState::Released), CLEAR), None);
        }
        assert_eq!(input.deed(&wheel(1.0), PANEL), None);
    }

    #[test]
    fn a_hold_goes_on_over_the_panel_until_it_is_let_go() {
        let mut input = Input::default();
        input.deed(&moved(30.0, 40.0), CLEAR);
        let press = input.deed(&mouse(MouseButton::Left, ElementState::Pressed), CLEAR);
        assert_eq!(press, Some(Deed::Press(Vec2::new(30.0, 40.0))));
        assert_eq!(input.deed(&moved(50.0, 40.0), PANEL), Some(Deed::Drag(Vec2::new(50.0, 40.0))));
        assert_eq!(input.deed(&mouse(MouseButton::Left, ElementState::Released), PANEL), Some(Deed::Release));
        assert_eq!(input.deed(&moved(60.0, 40.0), CLEAR), None);
    }

    #[test]
    fn a_window_that_loses_the_focus_lets_go() {
        let mut input = Input::default();
        input.deed(&mouse(MouseButton::Left, ElementState::Pressed), CLEAR);
        assert_eq!(input.deed(&WindowEvent::Focused(false), CLEAR), Some(Deed::LetGo));
        assert_eq!(input.deed(&WindowEvent::Focused(false), CLEAR), None);
    }

    #[test]
    fn the_right_button_pans_and_the_wheel_zooms_with_control_whatever_the_tool() {
        let mut input = Input::default();
        input.deed(&moved(10.0, 10.0), CLEAR);
        input.deed(&mouse(MouseButton::Right, ElementState::Pressed), CLEAR);
        assert_eq!(input.deed(&moved(14.0, 7.0), CLEAR), Some(Deed::Pan(Vec2::new(4.0, -3.0))));
        input.deed(&mouse(MouseButton::Right, ElementState::Released), CLEAR);
        assert_eq!(input.deed(&wheel(-1.0), CLEAR), Some(Deed::Wheel(Vec2::new(14.0, 7.0), 1.0 / NOTCH)));
        input.modifiers = ModifiersState::CONTROL;
        assert_eq!(input.deed(&wheel(-1.0), CLEAR), Some(Deed::Zoom(Vec2::new(14.0, 7.0), 1.0 / NOTCH)));
    }
}
