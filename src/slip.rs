//! What a world remembers of contacts that rub.

/// Whom a ball touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partner {
    /// Another ball, by id.
    Ball(usize),
    /// A piece of a segment, counted over all of them.
    Piece(usize),
    /// A surface, by index.
    Surface(usize),
}

/// How far a contact is sheared along its tangent: what holds a ball on a slope.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slip {
    /// The ball that remembers it, by id; of two movable ones each has its own.
    pub ball: usize,
    /// Whom it touches.
    pub partner: Partner,
    /// Shear, px.
    pub px: f32,
}
