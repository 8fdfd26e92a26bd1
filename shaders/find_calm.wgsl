// Whether the step may be passed over: see src/stage/apply_forces/find_calm.rs.

@group(0) @binding(1) var<storage, read_write> calm: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn find_calm(@builtin(local_invocation_index) local: u32) {
    if local > 0u {
        return;
    }
    let steps = select(min(calm[CALM_STEPS], WHOLE_STEPS) + 1u, 0u, calm[STIRS] > 0u);
    for (var word = 0u; word < STIRS; word++) {
        calm[word] = select(calm[FULL + word], 0u, steps > WHOLE_STEPS);
    }
    calm[CALM_STEPS] = steps;
    calm[STIRS] = 0u;
}
