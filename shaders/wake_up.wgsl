// Which sleepers wake as the next step begins: see src/stage/wake_up.rs.

@group(0) @binding(1) var<storage, read> bodies: array<Record>;
@group(0) @binding(2) var<storage, read> homes: array<Home>;
@group(0) @binding(3) var<storage, read> cell_start: array<u32>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> wake: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read> awake_blocks: array<u32>;

struct Visitor {
    body: Record,
    rouses: bool,
}

// Whether a ball is above another and does not touch it.
fn hangs_over(body: Record, other: Record, i: u32, j: u32) -> bool {
    let direction = direction_between(body.motion.xy, other.motion.xy, i, j);
    let gap = sub(direction.z, add(body.shape.x, other.shape.x));
    let steepness = dot2(direction.xy, vec2(params.down_x, params.down_y));
    return gap > mul(NEAR, smaller(body.shape.x, other.shape.x)) && steepness < -STEEP;
}

fn visit(visitor: ptr<function, Visitor>, i: u32, j: u32) {
    let body = (*visitor).body;
    let other = bodies_at(j);
    if is_asleep(other) && ((*visitor).rouses || hangs_over(body, other, i, j)) {
        atomicStore(&wake[j], 1u);
    }
}

@compute @workgroup_size(WORKGROUP)
fn wake_up(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = awake_index(group, groups, local);
    if i >= params.count {
        return;
    }
    let body = bodies_at(i);
    if !is_movable(body) {
        return;
    }
    let v = sub2(body.motion.zw, vec2(params.kick_x, params.kick_y));
    let speed_squared = dot2(v, v);
    let rouses = is_held(body) || speed_squared > params.wake_speed_squared;
    if !(rouses || speed_squared > params.sleep_speed_squared) {
        return;
    }
    var visitor = Visitor(body, rouses);
    let count = nearby_at(i).x;
    if count <= SLOTS {
        for (var slot = 0u; slot < count; slot++) {
            visit(&visitor, i, candidates_at(slot * params.capacity + i));
        }
    } else {
        walk(&visitor, i);
    }
}
