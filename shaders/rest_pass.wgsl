// One substep of the balls that only rest: see src/stage/contact_pass/in_two.rs.

@group(0) @binding(10) var<storage, read_write> deferred: array<atomic<u32>>;

// Puts a ball on the list, and says how it is dispatched: in rows as long as those of this dispatch, which has at least
// as many groups.
fn defer(i: u32, row: u32) {
    let place = atomicAdd(&deferred[WAITING], 1u);
    atomicStore(&deferred[DEFERRED + place], i);
    let group = place / WORKGROUP;
    atomicMax(&deferred[0], min(group + 1u, row));
    atomicMax(&deferred[1], group / row + 1u);
    atomicMax(&deferred[2], 1u);
}

@compute @workgroup_size(WORKGROUP)
fn rest_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i < params.count && !substep(i) {
        defer(i, groups.x);
    }
}
