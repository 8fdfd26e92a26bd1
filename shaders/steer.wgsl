// Actors go where they are sent: see src/stage/steer.rs.

@group(0) @binding(1) var<uniform> steering: Steering;
@group(0) @binding(2) var<storage, read_write> bodies: array<Record>;
@group(0) @binding(3) var<storage, read> homes: array<Home>;
@group(0) @binding(4) var<storage, read> orders: array<Order>;
@group(0) @binding(5) var<storage, read_write> actors: array<Actor>;

// An actor and its ball.
struct Pair {
    actor: Actor,
    body: Record,
}

// What is left of a thrust, and the environment's part, along one axis of a velocity.
fn parts(thrust: f32, environment: f32, velocity: f32) -> vec2<f32> {
    let rest = sub(velocity, environment);
    let left = smaller(larger(rest, smaller(thrust, 0.0)), larger(thrust, 0.0));
    let met = vec2(left, sub(velocity, left));
    return select(met, vec2(thrust, environment), velocity == add(environment, thrust));
}

fn parted(actor: Actor, body: Record) -> Actor {
    var out = actor;
    let x = parts(actor.thrust.x, actor.environment.x, body.motion.z);
    let y = parts(actor.thrust.y, actor.environment.y, body.motion.w);
    out.thrust = vec2(x.x, y.x);
    out.environment = vec2(x.y, y.y);
    return out;
}

fn stopped(actor: Actor, body: Record) -> Pair {
    // An immovable ball that counts quiet steps would name a wheel.
    var out = Pair(actor, quiet_for(body, 0u));
    out.actor.inverse_mass = body.shape.z;
    out.actor.flags = actor.flags + STOPPED;
    out.body.shape.z = 0.0;
    if actor.parent == NO_PARENT {
        out.body.motion.z = 0.0;
        out.body.motion.w = 0.0;
    }
    return out;
}

fn gone_on(actor: Actor, body: Record) -> Pair {
    var out = Pair(actor, body);
    out.actor.flags = actor.flags - STOPPED;
    out.body.shape.z = actor.inverse_mass;
    out.body.motion.z = add(actor.environment.x, actor.thrust.x);
    out.body.motion.w = add(actor.environment.y, actor.thrust.y);
    return out;
}

// A thrust along an axis, nearer its target.
fn toward(thrust: f32, target_speed: f32, by: f32) -> f32 {
    let left = sub(target_speed, thrust);
    let nearer = snap(add(thrust, select(-by, by, left > 0.0)));
    return select(nearer, target_speed, abs(left) <= by);
}

// A thrust within the ellipse of the top speeds.
fn within(character: CharacterParams, thrust: vec2<f32>) -> vec2<f32> {
    let x = select(0.0, thrust.x, character.top_x > 0.0);
    let y = select(0.0, thrust.y, character.top_y > 0.0);
    let share = vec2(mul(x, character.inverse_top_x), mul(y, character.inverse_top_y));
    let squared = dot2(share, share);
    if squared <= 1.0 {
        return vec2(x, y);
    }
    let factor = rsqrt(squared);
    return vec2(snap(mul(x, factor)), snap(mul(y, factor)));
}

// An actor that is sent in a direction.
fn driven(character: CharacterParams, direction: vec2<f32>, entering: Pair) -> Pair {
    var out = entering;
    let to_x = snap(mul(direction.x, character.top_x));
    let to_y = snap(mul(direction.y, character.top_y));
    if to_x != 0.0 || to_y != 0.0 {
        if is_asleep(out.body) {
            out.body = woken(out.body);
        }
        out.body = quiet_for(out.body, 0u);
    } else if is_asleep(out.body) {
        out.actor.thrust = vec2(0.0);
        out.actor.environment = vec2(0.0);
        return out;
    }
    let thrust = vec2(
        toward(entering.actor.thrust.x, to_x, select(character.gain_x, character.glide, direction.x == 0.0)),
        toward(entering.actor.thrust.y, to_y, select(character.gain_y, character.glide, direction.y == 0.0)),
    );
    let t = within(character, thrust);
    let ex = snap(mul(entering.actor.environment.x, character.drag_factor));
    let ey = snap(mul(entering.actor.environment.y, character.drag_factor));
    out.body.motion.z = snap(add(add(ex, character.lift_x), t.x));
    out.body.motion.w = snap(add(add(ey, character.lift_y), t.y));
    out.actor.thrust = t;
    out.actor.environment = vec2(add(ex, character.fall_x), add(ey, character.fall_y));
    return out;
}

// An actor whose ball is erased: at rest when it comes back, and no longer stopped.
fn rested(entering: Pair) -> Pair {
    var out = entering;
    if (entering.actor.flags & STOPPED) > 0u {
        out.body.shape.y = abs(entering.actor.inverse_mass);
    }
    out.actor.flags = entering.actor.flags & ~STOPPED;
    out.actor.thrust = vec2(0.0);
    out.actor.environment = vec2(0.0);
    return out;
}

fn steered(entering: Pair, order: Order) -> Pair {
    var out = entering;
    if is_erased(entering.body) {
        return rested(entering);
    }
    let is_stopped = (entering.actor.flags & STOPPED) > 0u;
    if !is_stopped && entering.actor.parent == NO_PARENT {
        out.actor = parted(entering.actor, entering.body);
    }
    let layer = entering.actor.flags / LAYER % LAYERS;
    let is_stepped = ((steering.layers >> layer) & 1u) > 0u;
    if entering.actor.parent != NO_PARENT || order.kind == FREEZE || !is_stepped {
        if is_stopped {
            return out;
        }
        return stopped(out.actor, out.body);
    }
    if is_stopped {
        out = gone_on(out.actor, out.body);
    }
    if !is_driven(entering.body) {
        return out;
    }
    let direction = select(vec2(steering.x, steering.y), vec2(order.x, order.y), order.kind == GO);
    return driven(steering.characters[entering.actor.flags % LAYER], direction, out);
}

@compute @workgroup_size(WORKGROUP)
fn steer(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.balls {
        return;
    }
    let id = homes_at(i).id;
    if actors[id].flags == 0u {
        return;
    }
    let out = steered(Pair(actors[id], bodies[i]), orders[id]);
    actors[id] = out.actor;
    bodies[i] = out.body;
}
