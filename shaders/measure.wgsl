// Deepest overlap, fastest ball, contacts: see src/stage/measure.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> measures: array<atomic<u32>, 4>;

struct Measured {
    overlap: f32,
    ratio: f32,
    contacts: u32,
}

fn with_ball(before: Measured, body: Record, i: u32, j: u32) -> Measured {
    let other = bodies[j];
    let distance = direction_between(body.motion.xy, other.motion.xy, i, j).z;
    let depth = sub(add(body.shape.x, other.shape.x), distance);
    let counts = i < j || !is_movable(other);
    return Measured(
        larger(depth, before.overlap),
        larger(mul(depth, recip(smaller(body.shape.x, other.shape.x))), before.ratio),
        before.contacts + select(0u, 1u, counts && pair_contact(body, other, i, j).touching),
    );
}

fn with_surface(before: Measured, body: Record, index: u32) -> Measured {
    let depth = sub(0.0, surface_gap(body, index));
    return Measured(
        larger(depth, before.overlap),
        larger(mul(depth, recip(body.shape.x)), before.ratio),
        before.contacts + select(0u, 1u, surface_contact(body, index).touching),
    );
}

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
    var measured = Measured(0.0, 0.0, 0u);
    if nearby[i].x <= SLOTS {
        for (var slot = 0u; slot < nearby[i].x; slot++) {
            measured = with_ball(measured, body, i, candidates[slot * params.count + i]);
        }
    } else {
        var walk = walk_from(i);
        loop {
            let j = next_in_walk(&walk);
            if j == NONE {
                break;
            }
            measured = with_ball(measured, body, i, j);
        }
    }
    if is_movable(body) {
        for (var index = 0u; index < countOneBits(params.all_surfaces); index++) {
            measured = with_surface(measured, body, index);
        }
    }
    atomicMax(&measures[0], bitcast<u32>(measured.overlap));
    atomicMax(&measures[1], bitcast<u32>(measured.ratio));
    atomicMax(&measures[2], bitcast<u32>(dot2(body.motion.zw, body.motion.zw)));
    atomicAdd(&measures[3], measured.contacts);
}
