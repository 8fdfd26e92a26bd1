// The discs' slots in their order, and how many there are: see src/render/sift.rs.

@group(0) @binding(0) var<storage, read> discs: array<u32>;
@group(0) @binding(1) var<storage, read> sifted: array<u32>;
@group(0) @binding(2) var<storage, read_write> slots: array<u32>;
// What is drawn: vertices, instances, and the first of each; of the discs, then of the crowd.
@group(0) @binding(3) var<storage, read_write> drawn: array<vec4<u32>, 2>;

@compute @workgroup_size(SCAN_WORKGROUP)
fn list_discs(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let block = group.y * groups.x + group.x;
    var before = 0u;
    for (var other = local; other < min(block, arrayLength(&sifted) - 1u); other += SCAN_WORKGROUP) {
        before += sifted[1u + other];
    }
    inclusive_sum(local, before);
    let base = partial[SCAN_WORKGROUP - 1u];
    workgroupBarrier();

    let word = block * SCAN_WORKGROUP + local;
    var left = 0u;
    if word < arrayLength(&discs) {
        left = discs[word];
    }
    let end = base + inclusive_sum(local, countOneBits(left));
    // Nobody comes after the last word.
    if word + 1u == arrayLength(&discs) {
        drawn[0] = vec4(4u, end, 0u, 0u);
        drawn[1] = vec4(3u, sifted[0], 0u, 0u);
    }
    for (var slot = end - countOneBits(left); slot < end; slot++) {
        slots[slot] = word * 32u + firstTrailingBit(left);
        left &= left - 1u;
    }
}
