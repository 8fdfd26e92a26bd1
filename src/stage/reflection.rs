//! Tests that hold every shader to what Rust says of it, without a GPU.

use std::collections::BTreeMap;

use encase::ShaderType;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, BinaryOperator, Expression, Function, MathFunction, Module, ScalarKind, Statement, StorageAccess,
    TypeInner,
};

use super::dialect::{Dialect, MOST_TEXTURES};
use super::kernel::{Extent, Kernel};
use super::*;
use crate::Record;
use crate::actor::{ActorRecord, OrderRecord};
use crate::params::{
    CharacterParams, Kick, LevelParams, MaterialParams, Params, Pointer, Steering, SurfaceParams, Traits,
};

fn reflect(source: &str) -> (Module, ModuleInfo) {
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    let info = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module);
    let info = info.unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    (module, info)
}

const DIALECTS: [Dialect; 2] = [Dialect::Hardware, Dialect::Software];

/// Every kernel in every dialect.
fn kernels() -> impl Iterator<Item = (Kernel, Dialect)> {
    DIALECTS.into_iter().flat_map(|dialect| Kernel::all(dialect).map(move |kernel| (kernel, dialect)))
}

/// A stage's kernel on hardware, for worlds with everything.
fn on_hardware(stage: Stage) -> Module {
    reflect(&Kernel::Whole(stage).wgsl(Arithmetic::Exact, ALL, Dialect::Hardware)).0
}

const BOTH: [Arithmetic; 2] = [Arithmetic::Exact, Arithmetic::Plain];
/// Worlds with everything and with nothing.
const KINDS: [Traits; 2] = [
    Traits { rubs: true, rolls: true, segments: true, acts: true, carries: true },
    Traits { rubs: false, rolls: false, segments: false, acts: false, carries: false },
];
const ALL: Traits = KINDS[0];

#[test]
fn entry_point_and_workgroup_size_are_the_kernels_own() {
    for (kernel, dialect) in kernels() {
        for (arithmetic, traits) in BOTH.into_iter().zip(KINDS) {
            let (module, _) = reflect(&kernel.wgsl(arithmetic, traits, dialect));
            let entry = &module.entry_points[0];
            let size = if kernel.extent() == Extent::Blocks { SCAN_WORKGROUP } else { WORKGROUP };
            assert_eq!((module.entry_points.len(), &*entry.name), (1, kernel.name()));
            assert_eq!(entry.workgroup_size, [size, 1, 1], "{kernel:?}");
        }
    }
}

#[test]
fn a_software_adapter_runs_one_stage_by_two_kernels_and_the_others_as_hardware_does() {
    let [hardware, software] = DIALECTS.map(|dialect| Kernel::all(dialect).collect::<Vec<_>>());
    let only = |these: &[Kernel], those: &[Kernel]| -> Vec<Kernel> {
        these.iter().copied().filter(|kernel| !those.contains(kernel)).collect()
    };
    assert_eq!(only(&hardware, &software), [Kernel::Whole(Stage::ContactPass)]);
    assert_eq!(only(&software, &hardware), [Kernel::RestPass, Kernel::ImpactPass]);
    assert_eq!(hardware.len(), Stage::ALL.len() + 1, "`find_calm` is a kernel of `apply_forces`");
}

#[test]
fn bindings_are_the_list_in_rust() {
    for (kernel, dialect) in kernels() {
        let (module, _) = reflect(&kernel.wgsl(Arithmetic::Exact, ALL, dialect));
        let mut bound = BTreeMap::new();
        let mut textures = Vec::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = variable.binding else { continue };
            let name = variable.name.clone().unwrap();
            let access = match variable.space {
                AddressSpace::Uniform if name == "kick" => Access::PerTurn,
                AddressSpace::Uniform => Access::Uniform,
                AddressSpace::Storage { access } if access == StorageAccess::LOAD => Access::Read,
                AddressSpace::Storage { .. } => Access::Write,
                AddressSpace::Handle => {
                    textures.push(name.clone());
                    Access::Read
                }
                other => panic!("{kernel:?} binds {other:?}"),
            };
            bound.insert(binding.binding, (name, access));
        }
        // WGSL has two words for storage.
        let word = |access| match access {
            Access::Update => Access::Write,
            Access::Seldom => Access::Read,
            access => access,
        };
        let bindings = kernel.bindings().iter().map(|&(buffer, access)| (buffer.shader_name(), word(access)));
        let listed: BTreeMap<u32, (String, Access)> = (0..).zip(bindings).collect();
        assert_eq!(bound, listed, "{kernel:?}");

        let is_read = |bound: &&(Buffer, Access)| dialect.texels_of(**bound).is_some();
        let mut read: Vec<String> =
            kernel.bindings().iter().filter(is_read).map(|(buffer, _)| buffer.shader_name()).collect();
        read.sort();
        textures.sort();
        assert_eq!(textures, read, "{kernel:?}");
        assert!(textures.len() <= MOST_TEXTURES as usize, "{kernel:?} reads {textures:?}");
        let is_storage = |access: &Access| matches!(access, Access::Read | Access::Write);
        let storage = listed.values().filter(|(_, access)| is_storage(access)).count() - textures.len();
        assert!(storage <= 8, "{kernel:?} binds {storage} storage buffers");
    }
}

#[test]
fn structs_lie_in_memory_as_rust_writes_them() {
    let module = on_hardware(Stage::ContactPass);
    let sizes = [
        ("Params", Params::min_size().get()),
        ("LevelParams", LevelParams::min_size().get()),
        ("SurfaceParams", SurfaceParams::min_size().get()),
        ("MaterialParams", MaterialParams::min_size().get()),
        ("Kick", Kick::min_size().get()),
        ("Pointer", Pointer::min_size().get()),
        ("CharacterParams", CharacterParams::min_size().get()),
        ("Steering", Steering::min_size().get()),
        ("Record", size_of::<Record>() as u64),
        ("Home", size_of::<crate::Home>() as u64),
        ("Spin", size_of::<crate::Spin>() as u64),
    ];
    for (name, size) in sizes {
        let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect(name);
        let TypeInner::Struct { span, .. } = ty.inner else { panic!("{name} is no struct") };
        assert_eq!(u64::from(span), size, "{name}");
    }
    assert_eq!(offsets(&module, "Home"), [0, 8, 12]);
    let rubbing = on_hardware(Stage::FrictionPass);
    assert_eq!(offsets(&rubbing, "Spin"), [0, 4, 8]);
    assert_eq!(offsets(&rubbing, "Grip"), [0, 4]);
    let acting = on_hardware(Stage::Steer);
    assert_eq!(offsets(&acting, "Actor"), [0, 8, 16, 24, 28, 32]);
    assert_eq!(size_of::<ActorRecord>(), 40, "36 bytes, and two floats are aligned to 8");
    assert_eq!(offsets(&acting, "Order"), [0, 4, 8]);
    assert_eq!(size_of::<OrderRecord>(), 12);
    let in_shader = offsets(&acting, "Steering");
    let in_rust: Vec<u64> = (0..in_shader.len()).map(|field| Steering::METADATA.offset(field)).collect();
    assert_eq!(in_shader, in_rust);
    let in_shader = offsets(&module, "Params");
    let in_rust: Vec<u64> = (0..in_shader.len()).map(|field| Params::METADATA.offset(field)).collect();
    assert_eq!(in_shader, in_rust);
}

fn offsets(module: &Module, name: &str) -> Vec<u64> {
    let (_, ty) = module.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect(name);
    let TypeInner::Struct { members, .. } = &ty.inner else { panic!("{name} is no struct") };
    members.iter().map(|member| u64::from(member.offset)).collect()
}

/// Float operations of a shader that a compiler may fuse, reorder or approximate, each as `function: operation`.
fn unguarded(source: &str) -> Vec<String> {
    let (module, info) = reflect(source);
    let mut found = Vec::new();
    for (handle, function) in module.functions.iter() {
        found.extend(unguarded_in(&module, function, &info[handle]));
    }
    for (index, entry) in module.entry_points.iter().enumerate() {
        found.extend(unguarded_in(&module, &entry.function, info.get_entry_point(index)));
    }
    found
}

fn unguarded_in(module: &Module, function: &Function, info: &naga::valid::FunctionInfo) -> Vec<String> {
    let guarded = arguments_of_opaque(module, function);
    let is_float = |expression: naga::Handle<Expression>| {
        let inner = info[expression].ty.inner_with(&module.types);
        matches!(inner.scalar_kind(), Some(ScalarKind::Float | ScalarKind::AbstractFloat))
    };
    let operation = |(handle, expression): (_, &Expression)| {
        let what = match expression {
            Expression::Binary { op, .. } => match op {
                BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::Divide
                    if is_float(handle) && !guarded.contains(&handle) =>
                {
                    format!("{op:?}")
                }
                _ => return None,
            },
            Expression::Math { fun: MathFunction::Abs, .. } => return None,
            Expression::Math { fun, .. } if is_float(handle) => format!("{fun:?}"),
            _ => return None,
        };
        Some(format!("{}: {what}", function.name.as_deref().unwrap_or("entry point")))
    };
    function.expressions.iter().filter_map(operation).collect()
}

fn arguments_of_opaque(module: &Module, function: &Function) -> Vec<naga::Handle<Expression>> {
    let mut arguments = Vec::new();
    for statement in function.body.iter() {
        if let Statement::Call { function: callee, arguments: passed, .. } = statement
            && module.functions[*callee].name.as_deref() == Some("opaque")
        {
            arguments.extend(passed);
        }
    }
    arguments
}

#[test]
fn every_rounding_is_behind_a_barrier() {
    for (kernel, dialect) in kernels() {
        let found = unguarded(&kernel.wgsl(Arithmetic::Exact, ALL, dialect));
        assert_eq!(found, Vec::<String>::new(), "{kernel:?}, {dialect:?}");
    }
}

#[test]
fn a_missing_barrier_is_found() {
    for (kernel, dialect) in [
        (Kernel::Whole(Stage::ContactPass), Dialect::Hardware),
        (Kernel::RestPass, Dialect::Software),
        (Kernel::ImpactPass, Dialect::Software),
    ] {
        let plain = unguarded(&kernel.wgsl(Arithmetic::Plain, ALL, dialect));
        assert!(plain.contains(&"mul: Multiply".into()) && plain.contains(&"rsqrt: InverseSqrt".into()), "{plain:?}");
        let exact = kernel.wgsl(Arithmetic::Exact, ALL, dialect);
        let bare = exact.replace("let half_kick =", "let bare = kick.x * kick.y; let half_kick =");
        assert_eq!(unguarded(&bare), ["rebound: Multiply"]);
    }
}

const UNIFORMS: [&str; 3] = ["params", "kick", "pointer"];

/// Scalars of uniforms that functions other than the entry point read.
fn scalars_read_below(module: &Module) -> Vec<String> {
    let mut read = Vec::new();
    for (_, function) in module.functions.iter() {
        for (_, expression) in function.expressions.iter() {
            let Expression::AccessIndex { base, index } = expression else { continue };
            let Expression::GlobalVariable(global) = function.expressions[*base] else { continue };
            let variable = &module.global_variables[global];
            let TypeInner::Struct { members, .. } = &module.types[variable.ty].inner else { continue };
            let (name, member) = (variable.name.clone().unwrap_or_default(), &members[*index as usize]);
            let is_scalar = matches!(module.types[member.ty].inner, TypeInner::Scalar(_));
            if UNIFORMS.contains(&&*name) && is_scalar {
                read.push(format!("{}: {name}.{}", function.name.as_deref().unwrap(), member.name.as_deref().unwrap()));
            }
        }
    }
    read
}

#[test]
fn a_software_adapter_reads_the_scalars_of_uniforms_as_a_kernel_begins() {
    for kernel in Kernel::all(Dialect::Software) {
        let (module, _) = reflect(&kernel.wgsl(Arithmetic::Exact, ALL, Dialect::Software));
        assert_eq!(scalars_read_below(&module), Vec::<String>::new(), "{kernel:?}");
    }
    let on_hardware = scalars_read_below(&on_hardware(Stage::ContactPass));
    for read in ["opaque: params.zero", "kicked: kick.x", "kicked: pointer.x"] {
        assert!(on_hardware.contains(&read.into()), "{read} is not among {on_hardware:?}");
    }
}

/// What is replaced in the text of a uniform would be replaced in that of a local of its name, too.
#[test]
fn nothing_in_a_kernel_has_the_name_of_a_uniform() {
    for (kernel, dialect) in kernels() {
        let (module, _) = reflect(&kernel.wgsl(Arithmetic::Exact, ALL, dialect));
        let entry = module.entry_points.iter().map(|entry| &entry.function);
        for function in module.functions.iter().map(|(_, function)| function).chain(entry) {
            let arguments = function.arguments.iter().filter_map(|argument| argument.name.as_deref());
            let locals = function.local_variables.iter().filter_map(|(_, local)| local.name.as_deref());
            let named = function.named_expressions.values().map(String::as_str);
            let mut names = arguments.chain(locals).chain(named);
            assert_eq!(names.find(|name| UNIFORMS.contains(name)), None, "{kernel:?}, {:?}", function.name);
        }
    }
}

#[test]
fn the_barrier_hides_behind_a_value_that_no_compiler_knows() {
    let exact = include_str!("../../shaders/exact.wgsl");
    assert!(exact.contains("bitcast<f32>(bitcast<u32>(x) ^ params.zero)"));
    assert_eq!(Params::default().zero, 0);
}
