// Balls in each block of cells: see src/stage/grid_sums.rs.

@group(0) @binding(1) var<storage, read> cell_count: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> block_sum: array<u32>;

@compute @workgroup_size(SCAN_WORKGROUP)
fn grid_sums(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    let index = block * SCAN_WORKGROUP + local;
    var total = 0u;
    if index < arrayLength(&cell_count) {
        let cells = cell_count[index];
        total = cells.x + cells.y + cells.z + cells.w;
    }
    let sum = inclusive_sum(local, total);
    if local == SCAN_WORKGROUP - 1u && block < arrayLength(&block_sum) {
        block_sum[block] = sum;
    }
}
