// What both arithmetics share: comparisons and roots built on them (src/exact.rs).

fn larger(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

fn smaller(a: f32, b: f32) -> f32 {
    return select(b, a, a < b);
}

fn root(x: f32) -> f32 {
    if x > ROOT_FLOOR {
        return mul(x, rsqrt(x));
    }
    return 0.0;
}

fn snap(v: f32) -> f32 {
    return select(v, 0.0, abs(v) < SNAP);
}

fn dot2(a: vec2<f32>, b: vec2<f32>) -> f32 {
    return add(mul(a.x, b.x), mul(a.y, b.y));
}

fn sub2(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2(sub(a.x, b.x), sub(a.y, b.y));
}

// a + b * s
fn add_scaled(a: vec2<f32>, b: vec2<f32>, s: f32) -> vec2<f32> {
    return vec2(add(a.x, mul(b.x, s)), add(a.y, mul(b.y, s)));
}
