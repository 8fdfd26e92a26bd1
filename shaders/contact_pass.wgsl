// One substep: see src/stage/contact_pass.rs.

@group(0) @binding(10) var<storage, read> awake_blocks: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn contact_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = awake_index(group, groups, local);
    if i < params.count {
        substep(i);
    }
}
