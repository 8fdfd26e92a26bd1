// The geometry of a pair: see src/stage/contact.rs.

// Normal from a to b, then their distance.
fn direction_between(a: vec2<f32>, b: vec2<f32>, a_index: u32, b_index: u32) -> vec3<f32> {
    let d = sub2(b, a);
    let squared = dot2(d, d);
    if squared < COINCIDENT {
        return vec3(coincident(homes[a_index].id, homes[b_index].id), 0.0);
    }
    let inverse = rsqrt(squared);
    return vec3(mul(d.x, inverse), mul(d.y, inverse), mul(squared, inverse));
}

fn coincident(a: u32, b: u32) -> vec2<f32> {
    let low = min(a, b);
    let high = max(a, b);
    let hash = (low * 2654435761u) ^ (high * 2246822519u);
    var directions = DIRECTIONS;
    let direction = directions[(hash >> 13u) & 7u];
    return select(-direction, direction, (((low ^ high) & 1u) == 0u) == (a < b));
}
