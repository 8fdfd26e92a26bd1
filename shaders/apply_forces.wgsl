// Drag, the pointer's spring and the first substep's gravity: see src/stage/apply_forces.rs.

@group(0) @binding(1) var<uniform> kick: Kick;
@group(0) @binding(2) var<uniform> pointer: Pointer;
@group(0) @binding(3) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(4) var<storage, read> homes: array<Home>;
@group(0) @binding(5) var<storage, read> held: array<u32, 2>;

@compute @workgroup_size(WORKGROUP)
fn apply_forces(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    var body = bodies[i];
    if !is_movable(body) {
        return;
    }
    body = flagged(body, homes[i].id + 1u == held[0], hurries(body));
    body.motion.z = snap(mul(body.motion.z, params.drag_factor));
    body.motion.w = snap(mul(body.motion.w, params.drag_factor));
    bodies[i] = kicked(body);
}
