//! Drawing without a window, and reading the result back.

use wgpu::util::{BufferInitDescriptor, DeviceExt};
use wgpu::{
    Buffer, BufferDescriptor, BufferUsages, CommandEncoder, CommandEncoderDescriptor, Extent3d, LoadOp, MapMode,
    Operations, PollType, RenderPassColorAttachment, RenderPassDescriptor, StoreOp, TexelCopyBufferInfo,
    TexelCopyBufferLayout, Texture, TextureDescriptor, TextureDimension, TextureFormat, TextureUsages, TextureView,
};

use super::{Balls, Neighbours, Picture, Renderer, View};
use crate::{CpuEngine, Error, Gpu, Home, Record, Result, Settings, Spin, World};

/// A target to draw on and read back from, for one picture or many of the same size.
#[derive(Debug)]
pub struct Offscreen {
    gpu: Gpu,
    renderer: Renderer,
    texture: Texture,
    target: TextureView,
    rows: Buffer,
    /// Bytes from a row to the next in `rows`: copies want a multiple of 256.
    stride: usize,
}

impl Offscreen {
    /// What a window draws on too, so that both show the same.
    pub const FORMAT: TextureFormat = TextureFormat::Rgba8Unorm;

    /// A target of `size` pixels.
    ///
    /// # Errors
    /// [`Error::Value`] for a size that the device can't draw on.
    pub fn new(gpu: &Gpu, size: (u32, u32)) -> Result<Self> {
        Self::with_format(gpu, size, Self::FORMAT)
    }

    /// As [`Offscreen::new`], of a format of four bytes in the order red, green, blue, alpha.
    pub(crate) fn with_format(gpu: &Gpu, size: (u32, u32), format: TextureFormat) -> Result<Self> {
        let (width, height) = size;
        let limits = gpu.device.limits();
        let most = limits.max_texture_dimension_2d;
        let stride = (4 * u64::from(width)).next_multiple_of(u64::from(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT));
        let bytes = stride * u64::from(height);
        if !(1..=most).contains(&width) || !(1..=most).contains(&height) || bytes > limits.max_buffer_size {
            return Err(Error::Value {
                name: "picture size".into(),
                value: format!("{width} × {height}"),
                accepted: format!("from 1 to {most} pixels a side, and {} bytes in all", limits.max_buffer_size),
            });
        }
        let texture = gpu.device.create_texture(&TextureDescriptor {
            label: Some("picture"),
            size: Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: TextureDimension::D2,
            format,
            usage: TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let rows = gpu.device.create_buffer(&BufferDescriptor {
            label: Some("picture rows"),
            size: bytes,
            usage: BufferUsages::COPY_DST | BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let target = texture.create_view(&Default::default());
        Ok(Self {
            gpu: gpu.clone(),
            renderer: Renderer::new(gpu, format),
            texture,
            target,
            rows,
            stride: stride as usize,
        })
    }

    /// As [`Renderer::forget`].
    pub fn forget(&mut self) {
        self.renderer.forget();
    }

    /// Draws the balls and waits until that is done, but leaves the picture on the device: to measure with.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails.
    pub fn paint(&mut self, balls: &Balls, view: &View) -> Result<()> {
        let encoder = self.encode(balls, view);
        self.gpu.queue.submit([encoder.finish()]);
        self.gpu.wait()
    }

    fn encode(&mut self, balls: &Balls, view: &View) -> CommandEncoder {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&CommandEncoderDescriptor { label: Some("picture") });
        self.renderer.prepare(queue, &mut encoder, balls, view);
        let attachment = RenderPassColorAttachment {
            view: &self.target,
            depth_slice: None,
            resolve_target: None,
            ops: Operations { load: LoadOp::Clear(self.renderer.background()), store: StoreOp::Store },
        };
        let descriptor = RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(attachment)],
            ..RenderPassDescriptor::default()
        };
        self.renderer.draw(&mut encoder.begin_render_pass(&descriptor), balls);
        encoder
    }

    /// Draws the balls and waits for the picture. The view's camera should have a viewport of the target's size.
    ///
    /// # Errors
    /// [`Error::Device`] if the device fails.
    pub fn draw(&mut self, balls: &Balls, view: &View) -> Result<Picture> {
        let mut encoder = self.encode(balls, view);
        let Gpu { device, queue, .. } = &self.gpu;
        let size = self.texture.size();
        let layout = TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(self.stride as u32), rows_per_image: None };
        let copy = TexelCopyBufferInfo { buffer: &self.rows, layout };
        encoder.copy_texture_to_buffer(self.texture.as_image_copy(), copy, size);
        encoder.map_buffer_on_submit(&self.rows, MapMode::Read, .., |_| ());
        queue.submit([encoder.finish()]);
        device.poll(PollType::wait_indefinitely()).map_err(failed)?;
        let rgba = {
            // A mapping that failed has no range to give.
            let rows = self.rows.get_mapped_range(..).map_err(failed)?;
            rows.chunks_exact(self.stride).flat_map(|row| &row[..4 * size.width as usize]).copied().collect()
        };
        self.rows.unmap();
        // What the device could not draw it leaves black, and keeps the reason.
        self.gpu.check()?;
        Picture::new(size.width, size.height, rgba)
    }
}

/// Draws a world at rest in `size` pixels: balls stand where they are, whatever the view's alpha. `loads` says what
/// presses on each ball, by id ([`crate::Engine::loads`]); it may be empty.
///
/// # Errors
/// [`Error::Value`] for a size that the device can't draw on, [`Error::TooManyBalls`] for a world that it can't hold,
/// [`Error::Device`] if it fails.
pub fn picture(gpu: &Gpu, world: &World, loads: &[f32], size: (u32, u32), view: &View) -> Result<Picture> {
    let limits = gpu.device.limits();
    let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) as usize / size_of::<Record>();
    let (records, balls) = (world.records(), world.bodies.len());
    if records.len() > most {
        return Err(Error::TooManyBalls { balls: records.len(), adapter: gpu.describe(), most });
    }
    let spins: Vec<Spin> = world.bodies.iter().map(Spin::from).collect();
    let turned = world.bodies.iter().any(|body| body.spin != 0.0 || body.angle != 0.0);
    let target = Offscreen::new(gpu, size)?;
    if view.shows_lists() {
        return draw_listed(gpu, world, (loads, turned.then_some(spins)), target, view);
    }
    let homes: Vec<Home> = (0..).zip(&records).map(|(id, r)| Home { x: r.x, y: r.y, reach: r.radius, id }).collect();
    let spins = turned.then_some(&spins[..]);
    draw(gpu, &Slots { records: &records, homes: &homes, spins, loads, balls, lists: None }, target, view)
}

/// Draws a world at rest whose balls an engine has sorted: what its grid and its lists say is part of the picture.
fn draw_listed(
    gpu: &Gpu,
    world: &World,
    (loads, spins): (&[f32], Option<Vec<Spin>>),
    target: Offscreen,
    view: &View,
) -> Result<Picture> {
    let mut engine = CpuEngine::new(world.clone(), Settings::default().with_sleep())?;
    engine.list();
    let (homes, balls) = (engine.homes(), world.bodies.len());
    let loads: Vec<f32> = homes.iter().map(|home| loads.get(home.id as usize).copied().unwrap_or_default()).collect();
    let of_slot = |home: &Home| spins.as_ref().and_then(|spins| spins.get(home.id as usize)).copied();
    let by_slot: Vec<Spin> = homes.iter().map(|home| of_slot(home).unwrap_or_default()).collect();
    let slots = Slots {
        records: engine.bodies(),
        homes,
        spins: spins.is_some().then_some(&by_slot[..]),
        loads: &loads,
        balls,
        lists: Some(&engine),
    };
    draw(gpu, &slots, target, &View { lattice: Some(engine.lattice()), ..*view })
}

/// Slots to draw, of which the first `balls` are balls.
struct Slots<'a> {
    records: &'a [Record],
    homes: &'a [Home],
    /// Where balls turn.
    spins: Option<&'a [Spin]>,
    loads: &'a [f32],
    balls: usize,
    /// The engine whose lists are drawn from.
    lists: Option<&'a CpuEngine>,
}

fn draw(gpu: &Gpu, slots: &Slots, mut target: Offscreen, view: &View) -> Result<Picture> {
    draw_on(&mut target, gpu, slots, view)
}

fn draw_on(target: &mut Offscreen, gpu: &Gpu, slots: &Slots, view: &View) -> Result<Picture> {
    let bodies = &upload(gpu, "bodies", slots.records);
    let homes = &upload(gpu, "homes", slots.homes);
    let held = &upload(gpu, "held", &[0u32; 2]);
    let spins = slots.spins.map(|spins| upload(gpu, "spins", spins));
    let loads = &upload(gpu, "loads", slots.loads);
    let lists = slots.lists.map(|engine| {
        let cells = upload(gpu, "cell_start", engine.cell_start());
        [cells, upload(gpu, "candidates", &engine.candidates()), upload(gpu, "nearby", engine.nearby())]
    });
    let lists = lists.as_ref();
    let neighbours = lists.map(|[cell_start, candidates, nearby]| Neighbours { cell_start, candidates, nearby });
    let (count, pieces) = (slots.balls as u32, (slots.records.len() - slots.balls) as u32);
    let (spins, loads) = (spins.as_ref(), Some(loads));
    target.draw(&Balls { bodies, homes, held, spins, loads, neighbours, count, pieces }, view)
}

fn upload<T: bytemuck::Pod>(gpu: &Gpu, label: &str, items: &[T]) -> Buffer {
    gpu.device.create_buffer_init(&BufferInitDescriptor {
        label: Some(label),
        // A binding can't be empty: no balls are one that is not drawn.
        contents: if items.is_empty() { &[0; size_of::<Record>()] } else { bytemuck::cast_slice(items) },
        usage: BufferUsages::STORAGE,
    })
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Device { reason: error.to_string() }
}

#[cfg(test)]
pub(super) mod tests {
    use std::f32::consts::PI;
    use std::io::Write;

    use glam::Vec2;

    use super::*;
    use crate::render::sift::Sift;
    use crate::render::{Camera, ColourBy};
    use crate::{Body, Surface};

    // Stated here again on purpose: the pictures are compared with what they should hold.
    const BACKGROUND: [f32; 3] = [17.0, 20.0, 26.0];
    const BLUE: [f32; 3] = [86.0, 180.0, 233.0];
    const GREEN: [f32; 3] = [0.0, 158.0, 115.0];

    impl Offscreen {
        pub(in crate::render) fn sift(&self) -> &Sift {
            &self.renderer.sift
        }

        /// As [`picture`], on a target that was drawn on before.
        pub(in crate::render) fn of(&mut self, world: &World, view: &View) -> Result<Picture> {
            let (records, gpu) = (world.records(), self.gpu.clone());
            let homes: Vec<Home> =
                (0..).zip(&records).map(|(id, r)| Home { x: r.x, y: r.y, reach: r.radius, id }).collect();
            let balls = world.bodies.len();
            draw_on(
                self,
                &gpu,
                &Slots { records: &records, homes: &homes, spins: None, loads: &[], balls, lists: None },
                view,
            )
        }
    }

    pub(in crate::render) fn gpu() -> Option<Gpu> {
        match Gpu::open() {
            Ok(gpu) => Some(gpu),
            Err(error) if std::env::var("BALLPIT_GPU").is_ok_and(|value| value == "required") => panic!("{error}"),
            Err(error) => {
                // The test harness hides what a passing test prints.
                let _ = writeln!(std::io::stderr(), "skipped on the GPU: {error}");
                None
            }
        }
    }

    /// A flat view of the world's first pixels, one pixel each.
    pub(in crate::render) fn flat(size: (u32, u32)) -> View<'static> {
        let viewport = Vec2::new(size.0 as f32, size.1 as f32);
        View::plain(Camera { centre: 0.5 * viewport, zoom: 1.0, viewport })
    }

    pub(in crate::render) fn world(balls: &[(f32, f32, f32)]) -> World {
        let mut world = World::new(Vec2::ZERO, Vec2::splat(100.0)).open();
        world.bodies = balls.iter().map(|&(x, y, radius)| Body::ball(Vec2::new(x, y), radius)).collect();
        world
    }

    #[test]
    fn a_ball_that_has_turned_shows_a_spoke() {
        let Some(gpu) = gpu() else { return };
        let mut world = world(&[(30.0, 30.0, 20.0)]);
        let view = View { shade: 1.0, ..flat((60, 60)) };
        let brightness = |world: &World, x, y| {
            let picture = picture(&gpu, world, &[], (60, 60), &view).unwrap();
            rgb(&picture, x, y).iter().sum::<f32>()
        };
        let (down, right) = (brightness(&world, 30, 40), brightness(&world, 40, 30));
        world.bodies[0].angle = 0.5 * PI;
        assert!(brightness(&world, 30, 40) < 0.7 * down, "the spoke points down");
        assert!((brightness(&world, 40, 30) - right).abs() < 3.0, "and nowhere else");
    }

    pub(in crate::render) fn rgb(picture: &Picture, x: u32, y: u32) -> [f32; 3] {
        let [r, g, b, a] = picture.pixel(x, y).expect("it is within the picture");
        assert_eq!(a, 255, "pictures are opaque");
        [r, g, b].map(f32::from)
    }

    pub(in crate::render) fn near(a: [f32; 3], b: [f32; 3], within: f32) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() <= within)
    }

    /// Area, pixels, that balls of one colour cover, and its centre; by the channel in which the colour stands out
    /// most.
    fn covered(picture: &Picture, colour: [f32; 3]) -> (f32, Vec2) {
        let channel = (0..3).max_by_key(|&c| (colour[c] - BACKGROUND[c]).abs() as u32).expect("there are three");
        let (mut area, mut moment) = (0.0, Vec2::ZERO);
        for (x, y) in (0..picture.height()).flat_map(|y| (0..picture.width()).map(move |x| (x, y))) {
            let share = (rgb(picture, x, y)[channel] - BACKGROUND[channel]) / (colour[channel] - BACKGROUND[channel]);
            area += share;
            moment += share * Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
        }
        (area, moment / area)
    }

    fn is_disc(picture: &Picture, place: Vec2, radius: f32) -> bool {
        let (area, centre) = covered(picture, BLUE);
        let expected = PI * radius * radius;
        (area - expected).abs() < 0.01 * expected && (centre - place).length() < 0.02
    }

    #[test]
    fn a_ball_covers_its_area_around_its_centre() {
        let Some(gpu) = gpu() else { return };
        let view = flat((100, 100));
        let draw = |x, y, r| picture(&gpu, &world(&[(x, y, r)]), &[], (100, 100), &view).expect("it is drawn");
        let one = draw(50.0, 50.0, 20.0);
        assert!(is_disc(&one, Vec2::splat(50.0), 20.0), "{:?}", covered(&one, BLUE));
        assert!(near(rgb(&one, 50, 50), BLUE, 1.0) && near(rgb(&one, 50, 68), BLUE, 1.0));
        assert!(near(rgb(&one, 50, 71), BACKGROUND, 1.0) && near(rgb(&one, 0, 0), BACKGROUND, 1.0));
        assert!(is_disc(&draw(41.3, 60.8, 7.2), Vec2::new(41.3, 60.8), 7.2));
        // Negative twins: a ball beside its place and a ball of another size are noticed.
        assert!(!is_disc(&draw(50.5, 50.0, 20.0), Vec2::splat(50.0), 20.0));
        assert!(!is_disc(&draw(50.0, 50.0, 20.2), Vec2::splat(50.0), 20.0));
    }

    #[test]
    fn two_balls_have_two_colours_in_a_picture_of_any_size() {
        let Some(gpu) = gpu() else { return };
        for size in [(61, 37), (64, 1), (1, 64), (130, 33)] {
            let balls = [(size.0 as f32 - 0.5, 0.5, 0.9), (0.5, size.1 as f32 - 0.5, 0.9)];
            let drawn = picture(&gpu, &world(&balls), &[], size, &flat(size)).expect("it is drawn");
            assert_eq!((drawn.width(), drawn.height()), size);
            assert!(near(rgb(&drawn, size.0 - 1, 0), BLUE, 8.0), "{size:?}");
            assert!(near(rgb(&drawn, 0, size.1 - 1), GREEN, 8.0), "{size:?}");
            if size.0.min(size.1) > 1 {
                assert!(near(rgb(&drawn, size.0 / 2, size.1 / 2), BACKGROUND, 0.5));
            }
        }
        assert!(picture(&gpu, &world(&[]), &[], (1, 1), &flat((1, 1))).is_ok());
        assert!(matches!(picture(&gpu, &world(&[]), &[], (0, 9), &flat((1, 1))), Err(Error::Value { .. })));
        assert!(matches!(picture(&gpu, &world(&[]), &[], (u32::MAX, 9), &flat((1, 1))), Err(Error::Value { .. })));
    }

    #[test]
    fn balls_are_drawn_between_their_last_two_places() {
        let Some(gpu) = gpu() else { return };
        let record = Record::from(&Body::ball(Vec2::new(60.0, 30.0), 10.0));
        let home = Home { x: 20.0, y: 40.0, reach: 10.0, id: 0 };
        for (alpha, place) in [(0.0, (20.0, 40.0)), (0.5, (40.0, 35.0)), (1.0, (60.0, 30.0))] {
            let target = Offscreen::new(&gpu, (80, 80)).expect("the size is fine");
            let slots = Slots { records: &[record], homes: &[home], spins: None, loads: &[], balls: 1, lists: None };
            let drawn = draw(&gpu, &slots, target, &View { alpha, ..flat((80, 80)) }).expect("it is drawn");
            assert!(is_disc(&drawn, place.into(), 10.0), "{:?} at {alpha}", covered(&drawn, BLUE));
        }
    }

    #[test]
    fn balls_below_a_pixel_are_as_bright_as_their_area() {
        let Some(gpu) = gpu() else { return };
        for radius in [0.05, 0.15, 0.25, 0.4, 0.6, 0.9, 1.3] {
            // Places that fall differently between the pixels, far enough apart to overlap nowhere.
            let balls: Vec<_> = (0..1600u16)
                .map(|i| (f32::from(i % 40) * 5.13 + 3.0, f32::from(i / 40) * 5.29 + 3.0, radius))
                .collect();
            let world = world(&balls);
            let view = View { colour: ColourBy::Material, ..flat((216, 216)) };
            let drawn = picture(&gpu, &world, &[], (216, 216), &view).expect("it is drawn");
            let (area, _) = covered(&drawn, BLUE);
            let share = area / (1600.0 * PI * radius * radius);
            // Eight bits round what a single ball adds.
            assert!(
                (share - 1.0).abs() < if radius < 0.2 { 0.2 } else { 0.03 },
                "{share} of the area at radius {radius}"
            );
        }
    }

    #[test]
    fn a_far_ball_does_not_flicker_as_it_moves() {
        let Some(gpu) = gpu() else { return };
        for radius in [0.3, 0.5, 0.8, 1.0] {
            let areas = (0..12).map(|i| {
                let balls = [(8.0 + 0.083 * i as f32, 8.0 + 0.031 * i as f32, radius)];
                covered(&picture(&gpu, &world(&balls), &[], (16, 16), &flat((16, 16))).expect("it is drawn"), BLUE).0
            });
            let areas: Vec<f32> = areas.collect();
            let (least, most) = areas.iter().fold((f32::MAX, 0f32), |(l, m), &a| (l.min(a), m.max(a)));
            assert!(most / least < 1.12, "{least} to {most} at radius {radius}");
        }
    }

    #[test]
    fn both_kinds_of_target_show_the_same_colours() {
        let Some(gpu) = gpu() else { return };
        let world = world(&[(30.0, 30.0, 20.0), (80.0, 40.0, 25.0)]);
        let records: Vec<Record> = world.bodies.iter().map(Record::from).collect();
        let homes: Vec<Home> =
            (0..).zip(&records).map(|(id, r)| Home { x: r.x, y: r.y, reach: r.radius, id }).collect();
        let drawn = [TextureFormat::Rgba8Unorm, TextureFormat::Rgba8UnormSrgb].map(|format| {
            let target = Offscreen::with_format(&gpu, (110, 70), format).expect("the size is fine");
            let slots =
                Slots { records: &records, homes: &homes, spins: None, loads: &[], balls: records.len(), lists: None };
            draw(&gpu, &slots, target, &View { shade: 1.0, ..flat((110, 70)) }).expect("it is drawn")
        });
        for (x, y) in [(30, 30), (30, 15), (44, 38), (80, 40), (95, 50), (2, 68)] {
            assert!(near(rgb(&drawn[0], x, y), rgb(&drawn[1], x, y), 1.0), "at {x} {y}");
        }
    }

    #[test]
    fn edges_are_crisp_at_any_zoom_and_stop_at_each_other() {
        let Some(gpu) = gpu() else { return };
        let surfaces = [Surface::new(Vec2::new(7.3, 5.0), Vec2::X), Surface::new(Vec2::new(7.3, 26.6), Vec2::NEG_Y)];
        for zoom in [1.0, 1.37, 0.61] {
            let mut view = View { surfaces: &surfaces, ..flat((40, 41)) };
            view.camera.zoom = zoom;
            let drawn = picture(&gpu, &world(&[]), &[], (40, 41), &view).expect("it is drawn");
            let is_line = |x, y| near(rgb(&drawn, x, y), [135.0, 145.0, 163.0], 1.0);
            let is_empty = |x, y| near(rgb(&drawn, x, y), BACKGROUND, 1.0);
            let corner = view.camera.pixel_from_world(Vec2::new(7.3, 26.6)).round().as_uvec2();
            for x in 0..40 {
                assert!(
                    if (corner.x - 2..corner.x).contains(&x) { is_line(x, 3) } else { is_empty(x, 3) },
                    "{x} at {zoom}"
                );
                let below = x >= corner.x - 2;
                assert!(if below { is_line(x, corner.y) } else { is_empty(x, corner.y) }, "{x} at {zoom}");
            }
            assert!(is_empty(corner.x, corner.y - 1) && is_line(20, corner.y + 1) && is_empty(20, corner.y + 2));
        }
    }

    #[test]
    fn the_held_ball_is_marked_and_tied_to_the_pointer() {
        let Some(gpu) = gpu() else { return };
        let world = world(&[(20.0, 20.0, 8.0), (20.0, 60.0, 8.0)]);
        let records: Vec<Record> = world.bodies.iter().map(Record::from).collect();
        let homes: Vec<Home> =
            (0..).zip(&records).map(|(id, r)| Home { x: r.x, y: r.y, reach: r.radius, id }).collect();
        let (bodies, homes) = (upload(&gpu, "bodies", &records), upload(&gpu, "homes", &homes));
        let mut target = Offscreen::new(&gpu, (100, 80)).expect("the size is fine");
        // What is held, its slot, and which of the two balls is marked and tied to the pointer.
        let none = [false; 2];
        let cases = [
            ([0u32, 0], none, none),
            ([1, 0], [true, false], [true, false]),
            ([2, 1], [false, true], [false, true]),
            // A slot of before the balls were sorted: no line goes to another ball.
            ([2, 0], [false, true], none),
        ];
        for (held, marked, tied) in cases {
            let held = upload(&gpu, "held", &held);
            let balls = Balls {
                bodies: &bodies,
                homes: &homes,
                held: &held,
                spins: None,
                loads: None,
                neighbours: None,
                count: 2,
                pieces: 0,
            };
            let view = View { pointer: Some(Vec2::new(90.0, 40.0)), ..flat((100, 80)) };
            let drawn = target.draw(&balls, &view).expect("it is drawn");
            let is_line = |x, y| rgb(&drawn, x, y).iter().all(|&v| v > 120.0);
            assert_eq!([is_line(55, 30), is_line(55, 50)], tied);
            let is_white = |x, y| rgb(&drawn, x, y).iter().all(|&v| v > 180.0);
            assert_eq!([is_white(20, 27), is_white(20, 67)], marked);
            assert!(!is_line(97, 43) && !is_line(55, 40), "the line goes elsewhere");
        }
        assert!(target.renderer.groups.len() <= super::super::MOST_GROUPS);
    }
}
