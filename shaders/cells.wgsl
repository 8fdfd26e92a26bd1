// Reaches and cells: see src/stage/grid_count.rs.

fn travel_of(body: Record) -> f32 {
    let speed = root(dot2(body.motion.zw, body.motion.zw));
    return mul(params.horizon_s, add(speed, params.gravity_step));
}

fn reach_of(body: Record) -> f32 {
    let radius = body.shape.x;
    let margin = add(mul(params.margin, radius), travel_of(body));
    return add(radius, smaller(margin, mul(params.most_margin, radius)));
}

fn column(level: u32, x: f32) -> u32 {
    let at = mul(sub(x, params.origin_x), params.levels[level].inverse_side);
    return u32(smaller(larger(at, 0.0), params.levels[level].last_column));
}

fn row(level: u32, y: f32) -> u32 {
    let at = mul(sub(y, params.origin_y), params.levels[level].inverse_side);
    return u32(smaller(larger(at, 0.0), params.levels[level].last_row));
}

// Reach of what is in a slot; of an erased ball, less than nothing.
fn reach_at(body: Record, slot: u32) -> f32 {
    if is_erased(body) {
        return -1.0;
    }
    if is_segment(slot) {
        return add(root(dot2(body.motion.zw, body.motion.zw)), body.shape.x);
    }
    return reach_of(body);
}

// Cell of what is in a slot at its home, of a ball with its id.
fn cell_of_home(place: vec2<f32>, reach: f32, slot: u32, id: u32) -> u32 {
    if reach < 0.0 {
        return params.limbo + id / LIMBO_IDS;
    }
    var level = select(0u, params.ball_levels, is_segment(slot));
    while level + 1u < params.ball_levels && reach > params.levels[level].reach {
        level++;
    }
    return params.levels[level].first + row(level, place.y) * params.levels[level].columns + column(level, place.x);
}
