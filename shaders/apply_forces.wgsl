// Drag, the pointer's spring and the first substep's gravity: see src/stage/apply_forces.rs.

@group(0) @binding(1) var<uniform> kick: Kick;
@group(0) @binding(2) var<uniform> pointer: Pointer;
@group(0) @binding(3) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(4) var<storage, read> homes: array<Home>;
@group(0) @binding(5) var<storage, read> held: array<u32, 2>;
@group(0) @binding(6) var<storage, read_write> wake: array<u32>;
@group(0) @binding(7) var<storage, read_write> awake_blocks: array<u32>;
@group(0) @binding(8) var<storage, read_write> calm: array<atomic<u32>>;

// A peg with the velocity that its wheel gives it.
fn carried(body: Record, index: u32) -> Record {
    let wheel = params.wheels[index];
    let d = sub2(body.motion.xy, vec2(wheel.centre_x, wheel.centre_y));
    var out = body;
    out.motion.z = snap(sub(mul(wheel.along, d.x), mul(wheel.across, d.y)));
    out.motion.w = snap(add(mul(wheel.across, d.x), mul(wheel.along, d.y)));
    return out;
}

// Says that the step is not calm; once said, nobody says it again, since all say it in one place.
fn stir() {
    if params.sleep_speed_squared > 0.0 && atomicLoad(&calm[STIRS]) == 0u {
        atomicStore(&calm[STIRS], 1u);
    }
}

@compute @workgroup_size(WORKGROUP)
fn apply_forces(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    // The step's list of blocks that are awake is empty as yet.
    if local == 0u {
        awake_blocks[BLOCKS + 2u * group_index(group, groups) + 1u] = 0u;
    }
    if i == 0u {
        awake_blocks[0] = 0u;
        awake_blocks[1] = 1u;
        awake_blocks[2] = 1u;
        awake_blocks[LISTED] = 0u;
    }
    var body = bodies[i];
    let is_held = homes_at(i).id + 1u == held[0];
    let is_woken = wake[i] > 0u;
    if is_woken {
        wake[i] = 0u;
    }
    if is_asleep(body) && (is_held || is_woken) {
        body = woken(body);
    }
    if !is_movable(body) {
        // An erased peg goes round with its wheel unseen.
        let flags = select(body.shape.w, sub(-1.0, body.shape.w), is_erased(body));
        let wheel = u32(flags) / QUIET;
        if wheel > 0u {
            bodies[i] = carried(body, wheel - 1u);
        }
        let moves = !is_segment(i) && dot2(body.motion.zw, body.motion.zw) > 0.0;
        if wheel > 0u || moves {
            stir();
        }
        return;
    }
    let is_slow = dot2(body.motion.zw, body.motion.zw) < params.sleep_speed_squared;
    let quiet_steps = select(0u, u32(body.shape.w) / QUIET + 1u, is_slow && !is_held);
    if quiet_steps > params.quiet_steps {
        bodies[i] = put_to_sleep(body);
        return;
    }
    stir();
    body = flagged(quiet_for(body, quiet_steps), is_held, hurries(body));
    let drag_factor = select(params.drag_factor, 1.0, is_driven(body));
    body.motion.z = snap(mul(body.motion.z, drag_factor));
    body.motion.w = snap(mul(body.motion.w, drag_factor));
    bodies[i] = kicked(body);
}
