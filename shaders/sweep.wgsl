// No ball gets through a segment: see src/stage/sweep.rs.

@group(0) @binding(1) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;

// The first piece on a ball's way.
struct Crossing {
    share: f32,
    touch: f32,
    normal: vec2<f32>,
    material: u32,
}

fn side(piece: Record, place: vec2<f32>) -> f32 {
    let away = sub2(place, piece.motion.xy);
    return sub(mul(piece.motion.z, away.y), mul(piece.motion.w, away.x));
}

// The earlier of a crossing and that of a piece, if there is one.
fn earlier(first: Crossing, piece: Record, home: vec2<f32>, body: Record) -> Crossing {
    let before = side(piece, home);
    let after = side(piece, body.motion.xy);
    let way = recip(abs(sub(before, after)));
    let share = mul(abs(before), way);
    let place = add_scaled(home, sub2(body.motion.xy, home), share);
    let extent = piece.motion.zw;
    let squared = dot2(extent, extent);
    let along = dot2(sub2(place, piece.motion.xy), extent);
    let changes_side = ((before < 0.0) != (after < 0.0) || after == 0.0) && piece.shape.y != CORNER;
    let crosses = changes_side && !(abs(along) > mul(squared, EDGE_END));
    if !crosses || !(share < first.share) {
        return first;
    }
    let inverse = rsqrt(squared);
    let sign = select(1.0, -1.0, before < 0.0);
    let clear = sub(abs(before), mul(mul(squared, inverse), add(body.shape.x, piece.shape.x)));
    let normal = vec2(mul(sign, sub(0.0, mul(extent.y, inverse))), mul(sign, mul(extent.x, inverse)));
    return Crossing(share, mul(larger(clear, 0.0), way), normal, material_of(piece));
}

// The ball where it touched what it crossed.
fn held_back(home: vec2<f32>, body: Record, crossing: Crossing) -> Record {
    var out = body;
    let place = add_scaled(home, sub2(body.motion.xy, home), crossing.touch);
    out.motion.x = place.x;
    out.motion.y = place.y;
    let approach = dot2(body.motion.zw, crossing.normal);
    if approach < 0.0 {
        let own = params.materials[material_of(body)].restitution;
        let restitution = larger(own, params.materials[crossing.material].restitution);
        let change = mul(add(1.0, smaller(restitution, 1.0)), approach);
        out.motion.z = snap(sub(body.motion.z, mul(change, crossing.normal.x)));
        out.motion.w = snap(sub(body.motion.w, mul(change, crossing.normal.y)));
    }
    return out;
}

@compute @workgroup_size(WORKGROUP)
fn sweep(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.balls {
        return;
    }
    let body = bodies[i];
    if !is_movable(body) {
        return;
    }
    let home = homes_at(i).place;
    let index = params.ball_levels;
    let level = params.levels[index];
    let least = vec2(smaller(home.x, body.motion.x), smaller(home.y, body.motion.y));
    let most = vec2(larger(home.x, body.motion.x), larger(home.y, body.motion.y));
    let from_cell = level.first + column(index, sub(least.x, level.reach));
    let to_cell = level.first + column(index, add(most.x, level.reach)) + 1u;
    let last_row = row(index, add(most.y, level.reach));
    var first = Crossing(NEVER_S, 0.0, vec2(0.0), 0u);
    for (var y = row(index, sub(least.y, level.reach)); y <= last_row; y++) {
        let end = cell_start_at(to_cell + y * level.columns);
        for (var j = cell_start_at(from_cell + y * level.columns); j < end; j++) {
            first = earlier(first, bodies[j], home, body);
        }
    }
    if first.share < NEVER_S {
        bodies[i] = held_back(home, body, first);
    }
}
