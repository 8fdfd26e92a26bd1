// The cell of each ball, and how many balls each cell holds: see src/stage/grid_count.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read_write> cell_count: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> cell_of: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP)
fn grid_count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies_at(i);
    // Only an erased ball's id counts.
    var id = 0u;
    if is_erased(body) {
        id = homes_at(i).id;
    }
    let cell = cell_of_home(body.motion.xy, reach_at(body, i), i, id);
    cell_of[i] = vec2(cell, atomicAdd(&cell_count[cell], 1u));
}
