// What a ball remembers of a contact: see src/stage/friction_pass.rs.

struct Grip {
    partner: u32,
    slip: f32,
}
