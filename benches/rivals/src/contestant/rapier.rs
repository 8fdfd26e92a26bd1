//! Rapier2D. What each setting is for stands in the README.

use ballpit::World;
use rapier2d::prelude::{
    ColliderBuilder, IntegrationParameters, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector,
};

use super::{Contestant, Motion};
use crate::Result;
use crate::workload::{STEP_S, walls};

/// Pixels that Rapier takes for a metre, as Box2D does.
const PX_A_METRE: f32 = 90.0;
const SUBSTEPS: usize = 4;

/// A Rapier world.
pub(super) struct Rapier {
    world: PhysicsWorld,
    balls: Vec<RigidBodyHandle>,
}

impl Rapier {
    pub(super) fn new(world: &World, threads: u32) -> Result<Self> {
        let mut rapier = PhysicsWorld::new();
        rapier.gravity = Vector::new(world.gravity.x, world.gravity.y);
        rapier.integration_parameters = IntegrationParameters {
            dt: STEP_S,
            length_unit: PX_A_METRE,
            num_solver_iterations: SUBSTEPS,
            ..IntegrationParameters::default()
        };
        rapier.configure_thread_pool(threads as usize)?;
        let restitution = world.materials[0].restitution;
        let slippery = |collider: ColliderBuilder| collider.friction(0.0).restitution(restitution);
        for wall in walls(world) {
            let centre = Vector::new(wall.centre.x, wall.centre.y);
            let collider = slippery(ColliderBuilder::cuboid(wall.half.x, wall.half.y)).translation(centre);
            rapier.insert_collider(collider, None);
        }
        let mut add = |ball: &ballpit::Body| {
            let place = Vector::new(ball.position.x, ball.position.y);
            let body = RigidBodyBuilder::dynamic().translation(place).can_sleep(false);
            rapier.insert(body, slippery(ColliderBuilder::ball(ball.radius))).0
        };
        let balls = world.bodies.iter().map(&mut add).collect();
        Ok(Self { world: rapier, balls })
    }
}

impl Contestant for Rapier {
    fn step(&mut self, count: u32) -> Result<()> {
        (0..count).for_each(|_| self.world.step());
        Ok(())
    }

    fn motions(&mut self) -> Result<Vec<Motion>> {
        let motion = |&handle: &RigidBodyHandle| {
            let body = &self.world.bodies[handle];
            let (place, velocity) = (body.translation(), body.linvel());
            Motion { place: glam::vec2(place.x, place.y), velocity: glam::vec2(velocity.x, velocity.y) }
        };
        Ok(self.balls.iter().map(motion).collect())
    }
}
