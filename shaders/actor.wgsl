// An actor and what it is told, as src/actor.rs has them.

struct Actor {
    thrust: vec2<f32>,
    environment: vec2<f32>,
    offset: vec2<f32>,
    inverse_mass: f32,
    parent: u32,
    flags: u32,
}

struct Order {
    x: f32,
    y: f32,
    kind: u32,
}
