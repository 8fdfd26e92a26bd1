//! Balls as a table, for programs that read tables.

use std::fmt::Write as _;

use ballpit::{Body, World};

/// The balls as CSV. Each number is the shortest that reads back to the same bits.
pub(crate) fn csv(world: &World) -> String {
    let mut text = String::from("id,x,y,vx,vy,radius,inverse_mass,split,material,spin,angle,asleep,quiet_steps\n");
    for (id, body) in world.bodies.iter().enumerate().filter(|(_, body)| !body.erased) {
        let ([x, y], [vx, vy]) = (body.position.to_array(), body.velocity.to_array());
        let Body { radius, inverse_mass, split, material, spin, angle, asleep, quiet_steps, .. } = body;
        let asleep = u8::from(*asleep);
        write!(text, "{id},{x},{y},{vx},{vy},{radius},{inverse_mass},{split},{material},{spin},{angle}")
            .and_then(|()| writeln!(text, ",{asleep},{quiet_steps}"))
            .expect("a string takes any text");
    }
    text
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn every_number_reads_back_to_the_same_bits() {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0));
        let odd = [0.1, -0.0, 1e-40, 3.402_823_5e38, 16_777_217.0, std::f32::consts::PI];
        world.add(
            Body {
                split: 1.000_000_1,
                spin: -0.3,
                angle: 6.2,
                asleep: true,
                quiet_steps: 9,
                ..Body::ball(Vec2::new(odd[0], odd[1]), odd[5])
            }
            .moving(Vec2::new(odd[2], odd[3])),
        );
        let text = csv(&world);
        let fields: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
        let bits = |index: usize| fields[index].parse::<f32>().unwrap().to_bits();
        let body = world.bodies[0];
        let expected = [
            body.position.x,
            body.position.y,
            body.velocity.x,
            body.velocity.y,
            body.radius,
            body.inverse_mass,
            body.split,
        ];
        for (index, number) in expected.into_iter().enumerate() {
            assert_eq!(bits(index + 1), number.to_bits(), "field {}", index + 1);
        }
        assert_eq!((fields[0], fields[8]), ("0", "0"));
        assert_eq!(fields[11..], ["1", "9"]);
        assert_eq!([bits(9), bits(10)], [body.spin, body.angle].map(f32::to_bits));
    }
}
