// The records of src/body.rs, as loads of four words, and the constants that every kernel binds first.

@group(0) @binding(0) var<uniform> params: Params;

struct Record {
    motion: vec4<f32>, // x, y, vx, vy
    shape: vec4<f32>,  // radius, split, inverse mass, flags
}

struct Home {
    place: vec2<f32>,
    reach: f32,
    id: u32,
}

fn is_movable(body: Record) -> bool {
    return body.shape.z > 0.0;
}

// The ball that an invocation takes; dispatches of more than 65,535 groups are laid out in rows.
fn ball_index(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + local;
}
