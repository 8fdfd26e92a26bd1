// Deepest overlap, fastest ball, contacts: see src/stage/measure.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> measures: array<atomic<u32>, MEASURES>;

// Bits of infinity: its exponent, which NaN has as well.
const INFINITE: u32 = 0x7f800000u;

struct Visitor {
    body: Record,
    overlap: f32,
    ratio: f32,
    contacts: u32,
}

fn visit(visitor: ptr<function, Visitor>, i: u32, j: u32) {
    let body = (*visitor).body;
    let other = partner_at(body, j);
    // Lists may be from before an edit.
    if is_unmet(other) || is_erased(body) || is_erased(other) {
        return;
    }
    let distance = direction_between(body.motion.xy, other.motion.xy, i, j).z;
    let depth = sub(add(body.shape.x, other.shape.x), distance);
    (*visitor).overlap = larger(depth, (*visitor).overlap);
    let radius = select(smaller(body.shape.x, other.shape.x), body.shape.x, is_segment(j));
    (*visitor).ratio = larger(mul(depth, recip(radius)), (*visitor).ratio);
    let counts = is_movable(body) && (i < j || !is_movable(other));
    (*visitor).contacts += select(0u, 1u, counts && pair_contact(body, other, i, j).touching);
}

fn visit_surface(visitor: ptr<function, Visitor>, index: u32) {
    let body = (*visitor).body;
    let depth = sub(0.0, surface_gap(body, index));
    (*visitor).overlap = larger(depth, (*visitor).overlap);
    (*visitor).ratio = larger(mul(depth, recip(body.shape.x)), (*visitor).ratio);
    (*visitor).contacts += select(0u, 1u, is_movable(body) && surface_contact(body, index, 0.0).touching);
}

fn is_counted(body: Record, index: u32) -> bool {
    let counter = params.counters[index];
    let place = body.motion.xy;
    return place.x >= counter.min_x && place.y >= counter.min_y && place.x < counter.max_x && place.y < counter.max_y;
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
    var visitor = Visitor(bodies_at(i), 0.0, 0.0, 0u);
    let count = nearby_at(i).x;
    let asleep = is_asleep(visitor.body);
    // A sleeper has no list.
    if count <= SLOTS && !asleep {
        for (var slot = 0u; slot < count; slot++) {
            visit(&visitor, i, candidates_at(slot * params.capacity + i));
        }
    } else {
        walk(&visitor, i);
    }
    if is_movable(visitor.body) || asleep {
        for (var index = 0u; index < params.counter_count; index++) {
            if is_counted(visitor.body, index) {
                atomicAdd(&measures[TALLIES + index], 1u);
            }
        }
        for (var index = 0u; index < countOneBits(params.all_surfaces); index++) {
            visit_surface(&visitor, index);
        }
    }
    // Of a resting heap most balls have something to say, of a gas few: the rest leave the shared words alone.
    if visitor.overlap > 0.0 {
        atomicMax(&measures[0], bitcast<u32>(visitor.overlap));
        atomicMax(&measures[1], bitcast<u32>(visitor.ratio));
    }
    if visitor.contacts > 0u {
        atomicAdd(&measures[3], visitor.contacts);
    }
    if asleep {
        atomicAdd(&measures[4], 1u);
    }
    // Of pegs, nothing stands in the place of the split.
    if is_erased(visitor.body) && visitor.body.shape.y > 0.0 {
        atomicAdd(&measures[5], 1u);
    }
    if is_movable(visitor.body) {
        // A ball that is nowhere is infinitely fast. By its bits: of floats, a compiler may take for granted that they are finite.
        let is_nowhere = any((bitcast<vec2<u32>>(visitor.body.motion.xy) & vec2(INFINITE)) == vec2(INFINITE));
        let speed_squared = bitcast<u32>(dot2(visitor.body.motion.zw, visitor.body.motion.zw));
        atomicMax(&measures[2], select(speed_squared, INFINITE, is_nowhere));
    }
}
