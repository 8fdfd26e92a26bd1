// A push, or balls erased and brought back: see src/stage/brush.rs.

@group(0) @binding(1) var<uniform> stroke: Stroke;
@group(0) @binding(2) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(3) var<storage, read> homes: array<Home>;
@group(0) @binding(4) var<storage, read_write> spins: array<Spin>;
@group(0) @binding(5) var<storage, read_write> wake: array<u32>;
@group(0) @binding(6) var<storage, read_write> stamps: array<u32>;

fn erased(body: Record) -> Record {
    // A peg keeps its wheel.
    var calm = body;
    if body.shape.z != 0.0 {
        calm = quiet_for(body, 0u);
    }
    let kept = flagged(calm, false, false).shape.w;
    return Record(vec4(body.motion.xy, 0.0, 0.0), vec4(body.shape.x, abs(body.shape.z), 0.0, sub(-1.0, kept)));
}

fn restored(body: Record) -> Record {
    return Record(body.motion, vec4(body.shape.x, 1.0, body.shape.y, sub(-1.0, body.shape.w)));
}

fn has_id(id: u32) -> bool {
    return stroke.first <= id && id < stroke.end;
}

fn pushed(body: Record, away: vec2<f32>, squared: f32) -> Record {
    var out = body;
    // In the middle there is no direction.
    if squared >= COINCIDENT {
        let factor = sub(mul(stroke.speed, rsqrt(squared)), stroke.rate);
        let v = add_scaled(body.motion.zw, away, factor);
        out.motion.z = snap(v.x);
        out.motion.w = snap(v.y);
    }
    return out;
}

fn erase(i: u32, body: Record) {
    bodies[i] = erased(body);
    if params.spin_share > 0.0 {
        spins[i].rate = 0.0;
    }
}

@compute @workgroup_size(WORKGROUP)
fn brush(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.balls {
        return;
    }
    let body = bodies[i];
    let id = homes_at(i).id;
    let away = sub2(body.motion.xy, vec2(stroke.x, stroke.y));
    let squared = dot2(away, away);
    let is_in = squared < stroke.radius_squared;
    let has_stamp = stamps[id] == stroke.stamp;
    if is_erased(body) {
        if (stroke.kind == RESTORE_STAMPED && has_stamp) || (stroke.kind == RESTORE_IDS && has_id(id)) {
            bodies[i] = restored(body);
        }
        return;
    }
    if stroke.kind == ERASE && (is_in || squared < mul(body.shape.x, body.shape.x)) {
        stamps[id] = stroke.stamp;
        erase(i, body);
        return;
    }
    if (stroke.kind == ERASE_STAMPED && has_stamp) || (stroke.kind == ERASE_IDS && has_id(id)) {
        erase(i, body);
        return;
    }
    let asleep = is_asleep(body);
    if asleep && squared < stroke.wake_squared {
        wake[i] = 1u;
    }
    if stroke.kind == PUSH && is_in && asleep {
        bodies[i] = pushed(woken(body), away, squared);
    } else if stroke.kind == PUSH && is_in && is_movable(body) {
        bodies[i] = pushed(body, away, squared);
    }
}
