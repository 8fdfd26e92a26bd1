// The spectral split: see src/stage/contact_pass.rs. Three sums of n nᵀ: xx, xy, yy.

fn with_normal(sums: vec3<f32>, normal: vec2<f32>) -> vec3<f32> {
    return vec3(
        add(sums.x, mul(normal.x, normal.x)),
        add(sums.y, mul(normal.x, normal.y)),
        add(sums.z, mul(normal.y, normal.y)),
    );
}

fn split_of(sums: vec3<f32>) -> f32 {
    let trace = add(sums.x, sums.z);
    let difference = sub(sums.x, sums.z);
    let twice = add(sums.y, sums.y);
    let radius = root(add(mul(difference, difference), mul(twice, twice)));
    return larger(mul(0.5, add(trace, radius)), 1.0);
}
