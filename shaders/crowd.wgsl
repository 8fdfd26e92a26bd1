// The small balls, each of which is a share of the pixels that it covers: see src/render/sift.rs.

@group(1) @binding(0) var<storage, read_write> crowd: array<vec4<u32>>;

// A triangle around the picture.
@vertex
fn crowd_vertex(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    return vec4(f32(vertex & 1u) * 4.0 - 1.0, f32(vertex >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn crowd_fragment(@builtin(position) place: vec4<f32>) -> @location(0) vec4<f32> {
    let pixel = min(u32(place.y) * view.columns + u32(place.x), arrayLength(&crowd) - 1u);
    let sum = crowd[pixel];
    if sum.w == 0u {
        return vec4(0.0);
    }
    // Each pixel is drawn once: it is ready for the next picture.
    crowd[pixel] = vec4(0u);
    let colour = vec3<f32>(sum.xyz) / f32(sum.w);
    var light = shown(colour, min(f32(sum.w) / SHARES, 1.0));
    if !TARGET_ENCODES {
        // Rounded to eight bits by lot: balls too faint for a step of their own are right in sum.
        light += vec4(vec3((lot(pixel) - 0.5) / 255.0), 0.0);
    }
    return light;
}
