// Prefix sum over a workgroup (Hillis and Steele, 1986).

var<workgroup> partial: array<u32, SCAN_WORKGROUP>;

// The sum of `value` over this invocation and those before it.
fn inclusive_sum(local: u32, value: u32) -> u32 {
    partial[local] = value;
    workgroupBarrier();
    for (var offset = 1u; offset < SCAN_WORKGROUP; offset <<= 1u) {
        var before = 0u;
        if local >= offset {
            before = partial[local - offset];
        }
        workgroupBarrier();
        partial[local] += before;
        workgroupBarrier();
    }
    return partial[local];
}
