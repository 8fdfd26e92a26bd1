// Sorts the balls by how they are drawn: those outside the picture not at all, small ones as a share of the pixels that
// they cover, and all others as discs; see src/render/sift.rs.

// Red, green, blue and the share covered of each pixel, in SHARES; a row of the picture after the other.
@group(1) @binding(0) var<storage, read_write> crowd: array<atomic<u32>>;
// A bit for each ball that is a disc.
@group(1) @binding(1) var<storage, read_write> discs: array<atomic<u32>>;
// Whether there is a crowd; then how many discs each block of DISC_BLOCK balls has.
@group(1) @binding(2) var<storage, read_write> sifted: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn sift(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let ball = (group.y * groups.x + group.x) * WORKGROUP + local;
    if ball >= min(view.drawn, min(arrayLength(&bodies), arrayLength(&homes))) {
        return;
    }
    let body = bodies[ball];
    let centre = drawn_px(ball);
    let radius = body.shape.x * view.zoom;
    // Said so that a ball that is not a number is not drawn either.
    if is_erased(body) || !all(abs(centre) < vec2(view.half_width, view.half_height) + radius + 1.0) {
        return;
    }
    let id = homes[ball].id;
    // The held ball is marked, however small.
    if radius < view.disc_from && held[0] != id + 1u {
        join_crowd(centre + vec2(view.half_width, view.half_height), radius, ball_colour(body, ball, id), lot(id));
        if atomicLoad(&sifted[0]) == 0u {
            atomicStore(&sifted[0], 1u);
        }
    } else {
        atomicOr(&discs[ball / 32u], 1u << (ball % 32u));
        atomicAdd(&sifted[1u + ball / DISC_BLOCK], 1u);
    }
}

// Adds a ball at a place in pixels from the picture's upper left corner. Sums of whole numbers are the same in every
// order. What is left of a share goes by lot, so that a million faint balls are not rounded away.
fn join_crowd(place: vec2<f32>, radius: f32, colour: vec3<f32>, rest: f32) {
    let size = vec2<i32>(vec2(view.columns, view.rows));
    let first = max(vec2<i32>(ceil(place - radius - 1.0)), vec2(0));
    let last = min(vec2<i32>(floor(place + radius)), size - 1);
    let whole = vec4(clamp(colour, vec3(0.0), vec3(1.0)), 1.0) * SHARES;
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            let covered = disc_coverage(vec2(f32(x), f32(y)) + 0.5 - place, radius);
            if covered > 0.0 {
                let share = vec4<u32>(whole * covered + rest);
                let pixel = 4u * u32(y * size.x + x);
                atomicAdd(&crowd[pixel], share.x);
                atomicAdd(&crowd[pixel + 1u], share.y);
                atomicAdd(&crowd[pixel + 2u], share.z);
                atomicAdd(&crowd[pixel + 3u], share.w);
            }
        }
    }
}
