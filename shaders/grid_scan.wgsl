// Where each cell's balls start: see src/stage/grid_scan.rs.

@group(0) @binding(1) var<storage, read_write> cell_count: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> block_sum: array<u32>;
@group(0) @binding(3) var<storage, read_write> cell_start: array<vec4<u32>>;

@compute @workgroup_size(SCAN_WORKGROUP)
fn grid_scan(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group_index(group, groups);
    var before = 0u;
    for (var other = local; other < min(block, arrayLength(&block_sum)); other += SCAN_WORKGROUP) {
        before += block_sum[other];
    }
    inclusive_sum(local, before);
    let base = partial[SCAN_WORKGROUP - 1u];
    workgroupBarrier();

    let index = block * SCAN_WORKGROUP + local;
    var cells = vec4(0u);
    if index < arrayLength(&cell_count) {
        cells = cell_count[index];
    }
    let total = cells.x + cells.y + cells.z + cells.w;
    let first = base + inclusive_sum(local, total) - total;
    if index < arrayLength(&cell_count) {
        cell_start[index] = vec4(first, first + cells.x, first + cells.x + cells.y, first + total - cells.w);
        cell_count[index] = vec4(0u);
    }
}
