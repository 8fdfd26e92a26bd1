// The discs' vertices in the order of their slots, and how many there are: see src/render/sift.rs.

@group(0) @binding(0) var<storage, read> discs: array<u32>;
@group(0) @binding(1) var<storage, read> sifted: array<u32>;
@group(0) @binding(2) var<storage, read_write> vertices: array<u32>;
// What is drawn: vertices, instances, and the first of all; of the discs, then of the crowd.
@group(0) @binding(3) var<storage, read_write> drawn: array<u32, 9>;

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
        drawn[0] = end * CORNERS;
        drawn[1] = 1u;
        drawn[5] = 3u;
        drawn[6] = sifted[0];
    }
    for (var disc = end - countOneBits(left); disc < end; disc++) {
        let slot = word * 32u + firstTrailingBit(left);
        for (var corner = 0u; corner < CORNERS; corner++) {
            vertices[disc * CORNERS + corner] = slot * CORNERS + corner;
        }
        left &= left - 1u;
    }
}
