// The ball under the pointer: see src/stage/pick.rs.

@group(0) @binding(1) var<uniform> pointer: Pointer;
@group(0) @binding(2) var<storage, read> bodies: array<Record>;
@group(0) @binding(3) var<storage, read> homes: array<Home>;
@group(0) @binding(4) var<storage, read_write> held: array<atomic<u32>, 2>;

@compute @workgroup_size(WORKGROUP)
fn pick(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies_at(i);
    let home = homes_at(i);
    let drawn = add_scaled(home.place, sub2(body.motion.xy, home.place), pointer.alpha);
    let d = sub2(vec2(pointer.x, pointer.y), drawn);
    if (is_movable(body) || is_asleep(body)) && dot2(d, d) <= mul(body.shape.x, body.shape.x) {
        atomicMax(&held[0], home.id + 1u);
    }
}
