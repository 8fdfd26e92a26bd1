// Deepest overlap, fastest ball, contacts: see src/stage/measure.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> candidate_count: array<u32>;
@group(0) @binding(6) var<storage, read_write> measures: array<atomic<u32>, 4>;

@compute @workgroup_size(WORKGROUP)
fn measure(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies[i];
    var overlap = 0.0;
    var ratio = 0.0;
    var contacts = 0u;
    var others = candidates_of(i);
    loop {
        let j = next_candidate(&others);
        if j == NONE {
            break;
        }
        let other = bodies[j];
        let distance = direction_between(body.motion.xy, other.motion.xy, i, j).z;
        let depth = sub(add(body.shape.x, other.shape.x), distance);
        overlap = larger(depth, overlap);
        ratio = larger(mul(depth, recip(smaller(body.shape.x, other.shape.x))), ratio);
        if homes[i].id < homes[j].id && pair_contact(body, other, i, j).touching {
            contacts++;
        }
    }
    if is_movable(body) {
        for (var index = 0u; index < params.surface_count; index++) {
            let depth = sub(0.0, surface_gap(body, index));
            overlap = larger(depth, overlap);
            ratio = larger(mul(depth, recip(body.shape.x)), ratio);
            contacts += select(0u, 1u, surface_contact(body, index).touching);
        }
    }
    atomicMax(&measures[0], bitcast<u32>(overlap));
    atomicMax(&measures[1], bitcast<u32>(ratio));
    atomicMax(&measures[2], bitcast<u32>(dot2(body.motion.zw, body.motion.zw)));
    atomicAdd(&measures[3], contacts);
}
