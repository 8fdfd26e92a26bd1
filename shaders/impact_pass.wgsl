// One substep of the balls that `rest_pass` has left: see src/stage/contact_pass/in_two.rs.

@group(0) @binding(10) var<storage, read> deferred: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn impact_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let index = ball_index(group, groups, local);
    if index < deferred[WAITING] {
        substep(deferred[DEFERRED + index]);
    }
}
