// What kind of meeting a contact is: see src/stage/contact.rs.

struct Contact {
    normal: vec2<f32>,
    gap: f32,
    approach: f32,
    bounce: f32,
    touching: bool,
}

fn is_impact(contact: Contact) -> bool {
    return contact.bounce >= 0.0;
}

fn meeting_s(contact: Contact) -> f32 {
    return mul(contact.gap, recip(-contact.approach));
}

fn push_of(contact: Contact) -> f32 {
    return larger(sub(mul(params.push_rate, contact.gap), contact.approach), 0.0);
}

fn rebound(contact: Contact, immovable: bool) -> f32 {
    let half_kick = dot2(vec2(params.half_kick_x, params.half_kick_y), contact.normal);
    let approach = select(contact.approach, add(contact.approach, half_kick), immovable);
    return mul(-add(1.0, contact.bounce), approach);
}

fn restitution_of(body: Record) -> f32 {
    return params.materials[material_of(body)].restitution;
}

fn may_bounce(contact: Contact) -> bool {
    return contact.approach < params.impact_speed && contact.gap >= mul(params.impact_window_s, contact.approach);
}

fn touches(gap: f32, approach: f32) -> bool {
    return add(gap, mul(approach, params.substep_s)) < 0.0;
}

// Restitution of an impact of two balls. Who defers impacts need not know it.
fn bounce_between(a: Record, b: Record) -> f32 {
    if DEFERS {
        return 0.0;
    }
    return larger(restitution_of(a), restitution_of(b));
}

fn pair_contact(a: Record, b: Record, a_slot: u32, b_slot: u32) -> Contact {
    let direction = direction_between(a.motion.xy, b.motion.xy, a_slot, b_slot);
    let reach = add(a.shape.x, b.shape.x);
    let apart = sub(direction.z, reach);
    let gap = select(apart, 0.0, is_movable(b) && abs(apart) < mul(TOUCHING, reach));
    let approach = dot2(sub2(b.motion.zw, a.motion.zw), direction.xy);
    var contact = Contact(direction.xy, gap, approach, -1.0, touches(gap, approach) && !is_unmet(b));
    if contact.touching && may_bounce(contact) {
        contact.bounce = bounce_between(a, b);
    }
    return contact;
}

// Restitution of a meeting with a surface: the surface's, or else the ball's own.
fn surface_restitution(body: Record, index: u32) -> f32 {
    let of_surface = params.surfaces[index].restitution;
    return select(restitution_of(body), of_surface, of_surface >= 0.0);
}

fn bounce_off(body: Record, index: u32) -> f32 {
    if DEFERS {
        return 0.0;
    }
    return surface_restitution(body, index);
}

fn surface_contact(body: Record, index: u32, elapsed_s: f32) -> Contact {
    let surface = params.surfaces[index];
    let normal = vec2(-surface.normal_x, -surface.normal_y);
    let velocity = surface_velocity(body, index);
    let gap = surface_gap_after(body, index, elapsed_s);
    let approach = dot2(sub2(velocity, body.motion.zw), normal);
    var contact = Contact(normal, gap, approach, -1.0, touches(gap, approach));
    if contact.touching && may_bounce(contact) {
        contact.bounce = bounce_off(body, index);
    }
    return contact;
}

// A bit for each surface that a ball may come to touch.
fn surfaces_of(body: Record, i: u32) -> u32 {
    return select(nearby_at(i).y, params.all_surfaces, is_hurried(body));
}
