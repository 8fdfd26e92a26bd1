// The device's own arithmetic under the names of exact.wgsl: as fast as it goes, near the CPU engine's bits
// but not equal to them. For measuring what exactness costs, and for devices that fail the self-test.

fn mul(a: f32, b: f32) -> f32 {
    return a * b;
}

fn add(a: f32, b: f32) -> f32 {
    return a + b;
}

fn sub(a: f32, b: f32) -> f32 {
    return a - b;
}

fn rsqrt(x: f32) -> f32 {
    return inverseSqrt(x);
}

fn recip(x: f32) -> f32 {
    return 1.0 / x;
}
