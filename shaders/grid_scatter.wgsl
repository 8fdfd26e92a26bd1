// Each ball's id and slot to its place in its cell: see src/stage/grid_scatter.rs.

@group(0) @binding(1) var<storage, read> homes: array<Home>;
@group(0) @binding(2) var<storage, read> cell_of: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read_write> members: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP)
fn grid_scatter(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let cell = cell_of_at(i);
    members[cell_start_at(cell.x) + cell.y] = vec2(homes_at(i).id, i);
}
