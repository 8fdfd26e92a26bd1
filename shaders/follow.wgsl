// Children to where their parents have come: see src/stage/follow.rs.

@group(0) @binding(1) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> actors: array<Actor>;
@group(0) @binding(4) var<storage, read> slot_of: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn follow(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.balls {
        return;
    }
    let child = actors[homes_at(i).id];
    if child.flags == 0u || child.parent == NO_PARENT || is_erased(bodies[i]) {
        return;
    }
    // No child is a parent: what is read here, nobody writes.
    let parent = bodies[slot_of[child.parent]].motion;
    bodies[i].motion = vec4(add(parent.x, child.offset.x), add(parent.y, child.offset.y), parent.z, parent.w);
}
