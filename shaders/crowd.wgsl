// The spectral split: see src/stage/contact_pass.rs. A crowd is the matrix of sums n nᵀ: xx, xy, yy.

fn crowded(crowd: vec3<f32>, normal: vec2<f32>) -> vec3<f32> {
    return vec3(
        add(crowd.x, mul(normal.x, normal.x)),
        add(crowd.y, mul(normal.x, normal.y)),
        add(crowd.z, mul(normal.y, normal.y)),
    );
}

fn split_of(crowd: vec3<f32>) -> f32 {
    let trace = add(crowd.x, crowd.z);
    let difference = sub(crowd.x, crowd.z);
    let twice = add(crowd.y, crowd.y);
    let radius = root(add(mul(difference, difference), mul(twice, twice)));
    return larger(mul(0.5, add(trace, radius)), 1.0);
}
