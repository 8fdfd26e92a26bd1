// What lies in textures in place of buffers: see src/stage/dialect.rs.

// Where texel number `at` lies.
fn texel_place(at: u32) -> vec2<u32> {
    return vec2(at % TEXELS_A_ROW, at / TEXELS_A_ROW);
}

fn record_in(texels: texture_storage_2d<rgba32uint, read>, at: u32) -> Record {
    let place = texel_place(2u * at);
    let motion = textureLoad(texels, place);
    let shape = textureLoad(texels, place + vec2(1u, 0u));
    return Record(bitcast<vec4<f32>>(motion), bitcast<vec4<f32>>(shape));
}

fn home_in(texels: texture_storage_2d<rgba32uint, read>, at: u32) -> Home {
    let words = textureLoad(texels, texel_place(at));
    return Home(bitcast<vec2<f32>>(words.xy), bitcast<f32>(words.z), words.w);
}

fn pair_in(texels: texture_storage_2d<rg32uint, read>, at: u32) -> vec2<u32> {
    return textureLoad(texels, texel_place(at)).xy;
}

fn word_in(texels: texture_storage_2d<r32uint, read>, at: u32) -> u32 {
    return textureLoad(texels, texel_place(at)).x;
}
