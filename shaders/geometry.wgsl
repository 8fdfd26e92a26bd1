// The geometry of pairs and surfaces: see src/stage/contact.rs.

// Normal from a to b, then their distance.
fn direction_between(a: vec2<f32>, b: vec2<f32>, a_slot: u32, b_slot: u32) -> vec3<f32> {
    let d = sub2(b, a);
    let squared = dot2(d, d);
    if squared < COINCIDENT {
        return vec3(coincident(a_slot, b_slot), 0.0);
    }
    let inverse = rsqrt(squared);
    return vec3(mul(d.x, inverse), mul(d.y, inverse), mul(squared, inverse));
}

// The normal of two balls whose centres coincide: opposite as seen from the other.
fn coincident(a: u32, b: u32) -> vec2<f32> {
    let low = min(a, b);
    let high = max(a, b);
    let hash = (low * 2654435761u) ^ (high * 2246822519u);
    let steep = (hash & 0x2000u) > 0u;
    let x = select(COINCIDENT_X, COINCIDENT_Y, steep);
    let y = select(COINCIDENT_Y, COINCIDENT_X, steep);
    let falling = (hash & 0x4000u) > 0u;
    let turned = (((low ^ high) & 1u) == 0u) != (a < b);
    return vec2(select(x, -x, turned), select(y, -y, turned != falling));
}

// What a ball meets in slot j: a ball, or of a segment's piece a disc.
fn partner_at(body: Record, j: u32) -> Record {
    let other = bodies_at(j);
    if !is_segment(j) {
        return other;
    }
    let extent = other.motion.zw;
    let away = sub2(body.motion.xy, other.motion.xy);
    let dot = dot2(away, extent);
    let squared = dot2(extent, extent);
    let share = mul(dot, recip(squared));
    let is_corner = other.shape.y == CORNER;
    let is_met = select(abs(share) <= EDGE_END, dot >= mul(root(dot2(away, away)), squared), is_corner);
    let along = select(smaller(larger(share, -1.0), 1.0), 0.0, is_corner);
    var disc = other;
    disc.motion = vec4(add_scaled(other.motion.xy, extent, along), 0.0, 0.0);
    disc.shape.y = select(UNMET, 0.0, is_met);
    return disc;
}

// Whether another piece is to be met in the place of this one.
fn is_unmet(other: Record) -> bool {
    return SEGMENTS && other.shape.y == UNMET;
}

// Velocity of a surface where a ball is.
fn surface_velocity(body: Record, index: u32) -> vec2<f32> {
    let surface = params.surfaces[index];
    let x = sub(surface.drift_x, mul(surface.turn, body.motion.y));
    let y = add(surface.drift_y, mul(surface.turn, body.motion.x));
    return vec2(x, y);
}

// Gap between a ball and a surface that has moved for `elapsed_s` since the step began.
fn surface_gap_after(body: Record, index: u32, elapsed_s: f32) -> f32 {
    let inward = vec2(-params.surfaces[index].normal_x, -params.surfaces[index].normal_y);
    return add(surface_gap(body, index), mul(dot2(surface_velocity(body, index), inward), elapsed_s));
}

// Gap between a ball and a surface as the step began.
fn surface_gap(body: Record, index: u32) -> f32 {
    let surface = params.surfaces[index];
    let outward = vec2(surface.normal_x, surface.normal_y);
    return sub(sub(dot2(outward, body.motion.xy), surface.offset), body.shape.x);
}
