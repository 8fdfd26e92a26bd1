//! A world's state in one number.

use crate::World;
use crate::exact::canonical_bits;

/// FNV-1a over the positions and velocities in id order: x, y, vx, vy of each ball as little-endian
/// float32, but for erased balls; and where any ball turns or has turned, then spin and angle of each. −0 counts as 0,
/// since both mean the same place. Show it as 16 hexadecimal digits.
pub fn state_hash(world: &World) -> u64 {
    let there = || world.bodies.iter().filter(|body| !body.erased);
    let motion = there().flat_map(|body| [body.position, body.velocity]).flat_map(|v| [v.x, v.y]);
    let turning = there().flat_map(|body| [body.spin, body.angle]);
    let has_turned = turning.clone().any(|number| number != 0.0);
    let numbers = motion.chain(turning.filter(|_| has_turned));
    numbers.flat_map(|number| canonical_bits(number).to_le_bytes()).fold(OFFSET_BASIS, with_byte)
}

/// FNV-1a of bytes.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().copied().fold(OFFSET_BASIS, with_byte)
}

/// The constants of FNV-1a for 64 bits (Fowler, Noll, Vo).
const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

fn with_byte(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::Body;

    fn world() -> World {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0));
        world.add(Body::ball(Vec2::new(10.0, 20.0), 3.0).moving(Vec2::new(-1.0, 0.0)));
        world.add(Body::ball(Vec2::new(30.0, 40.0), 3.0));
        world
    }

    #[test]
    fn fnv_is_the_published_one() {
        let hash = |text: &str| fnv(text.as_bytes());
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash("foobar"), 0x8594_4171_f739_67e8);
        assert_eq!(state_hash(&World::new(Vec2::ZERO, Vec2::ONE)), OFFSET_BASIS);
    }

    #[test]
    fn one_ulp_of_any_number_changes_the_hash() {
        let before = state_hash(&world());
        for change in [
            (|body| body.position.x = body.position.x.next_up()) as fn(&mut Body),
            |body| body.position.y = body.position.y.next_down(),
            |body| body.velocity.x = body.velocity.x.next_up(),
            |body| body.velocity.y = f32::from_bits(1),
            |body| body.spin = f32::from_bits(1),
            |body| body.angle = f32::from_bits(1),
        ] {
            let mut changed = world();
            change(&mut changed.bodies[0]);
            assert_ne!(state_hash(&changed), before);
        }
        let mut swapped = world();
        swapped.bodies.swap(0, 1);
        assert_ne!(state_hash(&swapped), before);
    }

    #[test]
    fn minus_zero_is_zero() {
        let mut changed = world();
        changed.bodies[0].velocity.y = -0.0;
        assert_eq!(state_hash(&changed), state_hash(&world()));
    }
}
