// What every kernel shares: the constants that it binds first, and the ball that an invocation takes.

@group(0) @binding(0) var<uniform> params: Params;

// Dispatches of more groups than a device takes along an axis are laid out in rows.
fn group_index(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

fn ball_index(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return group_index(group, groups) * WORKGROUP + local;
}

fn surface_id(index: u32) -> u32 {
    return NONE - 1u - index;
}

// Pieces of segments follow the balls in every order.
fn is_segment(slot: u32) -> bool {
    return SEGMENTS && slot >= params.balls;
}

fn material_of(body: Record) -> u32 {
    return u32(body.shape.w) & (HELD - 1u);
}

fn is_held(body: Record) -> bool {
    return (u32(body.shape.w) & HELD) > 0u;
}

// Actors with a character, whose drag is not the world's.
fn is_driven(body: Record) -> bool {
    return (u32(body.shape.w) & DRIVEN) > 0u;
}

fn is_hurried(body: Record) -> bool {
    return (u32(body.shape.w) & HURRIED) > 0u;
}

fn flagged(body: Record, held: bool, hurried: bool) -> Record {
    var out = body;
    let others = u32(body.shape.w) & ~(HELD | HURRIED);
    out.shape.w = f32(others + select(0u, HELD, held) + select(0u, HURRIED, hurried));
    return out;
}
