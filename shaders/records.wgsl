// The records of src/body.rs, as loads of four words.

struct Record {
    motion: vec4<f32>, // x, y, vx, vy
    shape: vec4<f32>,  // radius, split, inverse mass, flags
}

struct Home {
    place: vec2<f32>,
    reach: f32,
    id: u32,
}

struct Spin {
    rate: f32,
    angle: f32,
    home: f32,
}

fn is_movable(body: Record) -> bool {
    return body.shape.z > 0.0;
}

// A sleeper's inverse mass is kept with its sign turned.
fn is_asleep(body: Record) -> bool {
    return body.shape.z < 0.0;
}

// An erased ball keeps its slot, where nobody looks.
fn is_erased(body: Record) -> bool {
    return body.shape.w < 0.0;
}
