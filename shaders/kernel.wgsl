// What every kernel shares: the constants that it binds first, and the ball that an invocation takes.

@group(0) @binding(0) var<uniform> params: Params;

// Dispatches of more than 65,535 groups are laid out in rows.
fn ball_index(group: vec3<u32>, groups: vec3<u32>, local: u32) -> u32 {
    return (group.y * groups.x + group.x) * WORKGROUP + local;
}
