//! The figures that the product must reproduce, on every engine. A test bears the id of the figure it asserts.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../benches/quality/worlds.rs"]
#[allow(dead_code, reason = "some are the bench's only")]
mod worlds;

mod actors;
mod bounces;
mod clock;
mod contacts;
mod court;
mod energy;
mod forces;
mod friction;
mod galton;
mod piles;
mod surfaces;
mod textbook;
mod walls;
