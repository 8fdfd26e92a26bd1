// Arithmetic that gives the same bits as src/exact.rs on every device that passes the self-test.
// `params.zero` is 0, but no compiler knows: behind the xor it can neither fuse nor reorder.

fn opaque(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ params.zero);
}

fn mul(a: f32, b: f32) -> f32 {
    return opaque(a * b);
}

fn add(a: f32, b: f32) -> f32 {
    return opaque(a + b);
}

fn sub(a: f32, b: f32) -> f32 {
    return opaque(a - b);
}

fn rsqrt(x: f32) -> f32 {
    var y = bitcast<f32>(ROOT_GUESS - (bitcast<u32>(x) >> 1u));
    y = mul(y, mul(ROOT_STEP_X, sub(ROOT_STEP_Y, mul(mul(x, y), y))));
    return mul(y, sub(1.5, mul(mul(mul(0.5, x), y), y)));
}

fn recip(x: f32) -> f32 {
    var y = bitcast<f32>(RECIP_GUESS - bitcast<u32>(x));
    y = mul(y, sub(2.0, mul(x, y)));
    y = mul(y, sub(2.0, mul(x, y)));
    return mul(y, sub(2.0, mul(x, y)));
}
