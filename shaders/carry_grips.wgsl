// What each ball remembers of its contacts, for the new list: see src/stage/carry_grips.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> members: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read> candidates: array<u32>;
@group(0) @binding(6) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> grips: array<Grip>;
@group(0) @binding(8) var<storage, read_write> grips_out: array<Grip>;

// The slip on `partner` in the list from slot `first` to `end` of the ball that was in slot `old`.
fn remembered(old: u32, first: u32, end: u32, partner: u32) -> f32 {
    for (var slot = first; slot < end; slot++) {
        let grip = grips[slot * params.capacity + old];
        if grip.partner == partner {
            return grip.slip;
        }
        if grip.partner == NONE {
            break;
        }
    }
    return 0.0;
}

// Whether a ball may come to touch a surface within the step, by its own speed and the surface's.
fn may_touch(body: Record, reach: f32, index: u32) -> bool {
    let normal = vec2(params.surfaces[index].normal_x, params.surfaces[index].normal_y);
    let nearing = dot2(surface_velocity(body, index), normal);
    return surface_gap(body, index) < add(sub(reach, body.shape.x), larger(mul(nearing, params.step_s), 0.0));
}

@compute @workgroup_size(WORKGROUP)
fn carry_grips(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let old = old_slot(i);
    if is_asleep(bodies_at(i)) {
        for (var slot = 0u; slot < GRIPS; slot++) {
            grips_out[slot * params.capacity + i] = grips[slot * params.capacity + old];
        }
        return;
    }
    let near = nearby_at(i);
    let listed = select(near.x, 0u, near.x > SLOTS);
    for (var slot = 0u; slot < listed; slot++) {
        let partner = homes_at(candidates_at(slot * params.capacity + i)).id;
        grips_out[slot * params.capacity + i] = Grip(partner, remembered(old, 0u, SLOTS, partner));
    }
    if listed < SLOTS {
        grips_out[listed * params.capacity + i] = Grip(NONE, 0.0);
    }
    var slot = SLOTS;
    for (var left = near.y; left > 0u && slot < GRIPS; left &= left - 1u) {
        let index = firstTrailingBit(left);
        if !may_touch(bodies_at(i), homes_at(i).reach, index) {
            continue;
        }
        let partner = surface_id(index);
        grips_out[slot * params.capacity + i] = Grip(partner, remembered(old, SLOTS, GRIPS, partner));
        slot++;
    }
    if slot < GRIPS {
        grips_out[slot * params.capacity + i] = Grip(NONE, 0.0);
    }
}
