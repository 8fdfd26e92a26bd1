// What a substep's contacts do along themselves: see src/stage/friction_pass.rs.

@group(0) @binding(1) var<uniform> kick: Kick;
@group(0) @binding(2) var<storage, read> bodies: array<Record>;
@group(0) @binding(3) var<storage, read_write> bodies_out: array<Record>;
@group(0) @binding(4) var<storage, read> candidates: array<u32>;
@group(0) @binding(5) var<storage, read> nearby: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read_write> grips: array<Grip>;
@group(0) @binding(7) var<storage, read> spins: array<Spin>;
@group(0) @binding(8) var<storage, read_write> spins_out: array<Spin>;

// What a ball rubs on.
struct Partner {
    velocity: vec2<f32>,
    turning: f32,
    share: f32,
    movable: bool,
    lever: f32,
    friction: f32,
}

// A ball's velocities as its contacts change them.
struct Rubbed {
    body: Record,
    turning: f32,
    change: vec2<f32>,
    turned: f32,
}

fn rub(rubbed: ptr<function, Rubbed>, contact: Contact, partner: Partner, slip: f32) -> f32 {
    let body = (*rubbed).body;
    let w = body.shape.z;
    let tangent = vec2(-contact.normal.y, contact.normal.x);
    let passing = dot2(sub2(partner.velocity, body.motion.zw), tangent);
    let sliding = sub(passing, mul(partner.lever, add((*rubbed).turning, partner.turning)));
    let k = add(mul(w, body.shape.y), partner.share);
    let give = add(1.0, mul(params.spin_share, mul(partner.lever, partner.lever)));
    let impact = is_impact(contact);
    let amount = select(push_of(contact), rebound(contact, !partner.movable), impact);
    let bound = mul(partner.friction, amount);
    let kick_along = dot2(vec2(params.kick_x, params.kick_y), tangent);
    let moved = select(add(sliding, kick_along), sliding, partner.movable);
    let undamped = larger(sub(mul(bound, give), mul(DAMPING, abs(sliding))), 0.0);
    let bearable = mul(undamped, params.slip_of_pull);
    let sheared = smaller(larger(add(slip, mul(moved, params.substep_s)), -bearable), bearable);
    let left = select(sheared, 0.0, impact);
    let damped = select(mul(DAMPING, sliding), sliding, impact);
    let pull = -add(mul(left, params.pull_of_slip), damped);
    let held = smaller(larger(mul(pull, recip(give)), -bound), bound);
    let speed = mul(w, mul(held, recip(k)));
    let change = (*rubbed).change;
    (*rubbed).change = vec2(sub(change.x, mul(speed, tangent.x)), sub(change.y, mul(speed, tangent.y)));
    (*rubbed).turned = sub((*rubbed).turned, mul(mul(params.spin_share, partner.lever), speed));
    return left;
}

fn kept(slip: f32, gap: f32, radius: f32) -> f32 {
    return select(0.0, slip, gap < mul(NEAR, radius));
}

fn roughness_of(body: Record) -> f32 {
    return params.materials[material_of(body)].roughness;
}

fn rub_ball(rubbed: ptr<function, Rubbed>, i: u32, j: u32, slip: f32) -> f32 {
    let body = (*rubbed).body;
    let other = partner_at(body, j);
    let contact = pair_contact(body, other, i, j);
    if !contact.touching || nearby_at(j).x > SLOTS {
        let radius = select(smaller(body.shape.x, other.shape.x), body.shape.x, is_segment(j));
        return kept(slip, contact.gap, radius);
    }
    let reach = add(body.shape.x, other.shape.x);
    let partner = Partner(
        other.motion.zw,
        mul(spins[j].rate, other.shape.x),
        mul(other.shape.z, other.shape.y),
        is_movable(other),
        select(1.0, mul(add(contact.gap, reach), recip(reach)), is_movable(other)),
        mul(roughness_of(body), roughness_of(other)),
    );
    return rub(rubbed, contact, partner, slip);
}

fn rub_surface(rubbed: ptr<function, Rubbed>, index: u32, slip: f32) -> f32 {
    let body = (*rubbed).body;
    let contact = surface_contact(body, index, kick.elapsed_s);
    if !contact.touching {
        return kept(slip, contact.gap, body.shape.x);
    }
    let own = params.surfaces[index].friction;
    let roughness = roughness_of(body);
    let partner = Partner(
        surface_velocity(body, index),
        0.0,
        0.0,
        false,
        1.0,
        select(mul(roughness, roughness), own, own >= 0.0),
    );
    return rub(rubbed, contact, partner, slip);
}

@compute @workgroup_size(WORKGROUP)
fn friction_pass(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = ball_index(group, groups, local);
    if i >= params.count {
        return;
    }
    var body = bodies_at(i);
    var spin = spins[i];
    if is_movable(body) {
        var rubbed = Rubbed(body, mul(spin.rate, body.shape.x), vec2(0.0), 0.0);
        let near = nearby_at(i);
        let listed = select(near.x, 0u, near.x > SLOTS);
        for (var slot = 0u; slot < listed; slot++) {
            let grip = slot * params.capacity + i;
            grips[grip].slip = rub_ball(&rubbed, i, candidates_at(grip), grips[grip].slip);
        }
        for (var slot = SLOTS; slot < GRIPS; slot++) {
            let grip = slot * params.capacity + i;
            let partner = grips[grip].partner;
            if partner == NONE {
                break;
            }
            grips[grip].slip = rub_surface(&rubbed, surface_id(0u) - partner, grips[grip].slip);
        }
        body.motion.z = snap(add(body.motion.z, rubbed.change.x));
        body.motion.w = snap(add(body.motion.w, rubbed.change.y));
        spin.rate = snap(add(spin.rate, mul(rubbed.turned, recip(body.shape.x))));
    }
    spin.rate = select(spin.rate, 0.0, is_asleep(body));
    spin.angle = add(spin.angle, mul(spin.rate, params.substep_s));
    bodies_out[i] = body;
    spins_out[i] = spin;
}
