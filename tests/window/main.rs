//! The real window, under a display server of its own: what the pointer and the keys do, as pictures, saved worlds and files
//! show it. Every key of the table is pressed here; a test beside the table sees to it.
//!
//! Needs Xvfb, xdotool, weston and a Vulkan driver; without them it says what was skipped, and fails where `BALLPIT_GPU=required`.
#![cfg(all(feature = "app", target_os = "linux"))]

mod desktop;
mod dropping;
#[cfg(target_os = "linux")]
mod failing;
mod files;
mod look;
mod pointer;
mod shot;
mod time;
mod wayland;
mod worlds;
