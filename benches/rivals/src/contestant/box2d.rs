//! Box2D v3, through the binding `boxdd`. What each setting is for stands in the README.

use ballpit::World;
use boxdd::{
    BodyId, BodyType, Foundation, FoundationConfig, Position, ShapeDef, SurfaceMaterial, Vec2, WorkerCount, shapes,
};

use super::{Contestant, Motion};
use crate::Result;
use crate::workload::{STEP_S, Wall, walls};

/// Pixels that Box2D takes for a metre: gravity is then 10 m/s², and balls are 13 to 31 cm in radius.
const PX_A_METRE: f32 = 90.0;
const SUBSTEPS: i32 = 4;

/// What all of Box2D's worlds share.
fn foundation() -> Result<&'static Foundation> {
    Ok(Foundation::initialize(FoundationConfig::new(PX_A_METRE))?)
}

/// Its version.
///
/// # Errors
/// If it does not start.
pub(crate) fn version() -> Result<String> {
    foundation()?;
    let version = boxdd::version()?;
    Ok(format!("{}.{}.{}", version.major, version.minor, version.revision))
}

/// A Box2D world.
pub(super) struct Box2d {
    world: boxdd::World,
    balls: Vec<BodyId>,
}

impl Box2d {
    pub(super) fn new(world: &World, threads: u32) -> Result<Self> {
        let foundation = foundation()?;
        let definition = foundation
            .world_builder()
            .gravity(Vec2::new(world.gravity.x, world.gravity.y))
            .enable_sleep(false)
            .worker_count(WorkerCount::new(threads)?)
            .build()?;
        let mut box2d = Self { world: foundation.create_world(definition)?, balls: Vec::new() };
        let material = SurfaceMaterial::new().with_friction(0.0)?.with_restitution(world.materials[0].restitution)?;
        let shape = ShapeDef::builder().density(1.0).material(material).enable_contact_events(false).build()?;
        for wall in walls(world) {
            box2d.add_wall(foundation, &shape, &wall)?;
        }
        for ball in &world.bodies {
            let place = Position::new(ball.position.x, ball.position.y);
            let body = foundation.body_builder().body_type(BodyType::Dynamic).position(place).build()?;
            let id = box2d.world.create_body(body)?;
            box2d.world.body(id)?.create_centered_circle(&shape, ball.radius)?;
            box2d.balls.push(id);
        }
        Ok(box2d)
    }

    fn add_wall(&mut self, foundation: &Foundation, shape: &ShapeDef, wall: &Wall) -> Result<()> {
        let body = foundation.body_builder().position(Position::new(wall.centre.x, wall.centre.y)).build()?;
        let id = self.world.create_body(body)?;
        self.world.body(id)?.create_polygon(shape, &shapes::box_polygon(wall.half.x, wall.half.y)?)?;
        Ok(())
    }
}

impl Contestant for Box2d {
    fn step(&mut self, count: u32) -> Result<()> {
        for _ in 0..count {
            drop(self.world.step(STEP_S, SUBSTEPS)?);
        }
        Ok(())
    }

    fn motions(&mut self) -> Result<Vec<Motion>> {
        let world = &mut self.world;
        let motion = |&id: &BodyId| {
            let body = world.body(id)?;
            let (place, velocity) = (body.position()?, body.linear_velocity()?);
            Ok(Motion { place: glam::vec2(place.x, place.y), velocity: glam::vec2(velocity.x, velocity.y) })
        };
        self.balls.iter().map(motion).collect()
    }
}
