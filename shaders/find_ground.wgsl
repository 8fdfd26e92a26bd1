// Which balls stand on the ground: see src/stage/find_ground.rs.

@group(0) @binding(1) var<storage, read> supporter: array<u32>;
@group(0) @binding(2) var<storage, read_write> supporter_out: array<u32>;
@group(0) @binding(3) var<storage, read> awake_blocks: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn find_ground(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = awake_index(group, groups, local);
    if i >= params.count {
        return;
    }
    var at = supporter_at(i);
    for (var hop = 0u; hop < HOPS && at < GROUND; hop++) {
        at = supporter_at(at);
    }
    supporter_out[i] = at;
}
