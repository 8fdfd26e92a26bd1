//! Tests that hold every shader to what Rust says of it, without a GPU.

use std::collections::BTreeMap;

use encase::ShaderType;
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    AddressSpace, BinaryOperator, Expression, Function, MathFunction, Module, ScalarKind, Statement, StorageAccess,
    TypeInner,
};

use super::*;

/// A kernel, which may need no more than its words do.
fn reflect(source: &str, words: Words) -> (Module, ModuleInfo) {
    let needs = if words == Words::Double { Capabilities::SHADER_INT64 } else { Capabilities::empty() };
    let module = naga::front::wgsl::parse_str(source).unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    let info = Validator::new(ValidationFlags::all(), needs).validate(&module);
    let info = info.unwrap_or_else(|e| panic!("{}", e.emit_to_string(source)));
    (module, info)
}

const WORDS: [Words; 2] = [Words::Single, Words::Double];
const BOTH: [Arithmetic; 2] = [Arithmetic::Exact, Arithmetic::Plain];
/// Worlds with everything and with nothing.
const KINDS: [Traits; 2] = [
    Traits { rubs: true, rolls: true, segments: true, acts: true, carries: true },
    Traits { rubs: false, rolls: false, segments: false, acts: false, carries: false },
];
const ALL: Traits = KINDS[0];

#[test]
fn entry_point_and_workgroup_size_are_the_stages_own() {
    for &stage in Stage::ALL {
        for (arithmetic, traits) in BOTH.into_iter().zip(KINDS) {
            for words in WORDS {
                let (module, _) = reflect(&stage.wgsl(arithmetic, traits, words), words);
                let entry = &module.entry_points[0];
                let size = if stage.extent() == Extent::Blocks { SCAN_WORKGROUP } else { WORKGROUP };
                assert_eq!((module.entry_points.len(), &*entry.name), (1, stage.name()));
                assert_eq!(entry.workgroup_size, [size, 1, 1], "{stage:?}");
            }
        }
    }
}

#[test]
fn bindings_are_the_list_in_rust() {
    for &stage in Stage::ALL {
        let (module, _) = reflect(&stage.wgsl(Arithmetic::Exact, ALL, Words::Single), Words::Single);
        let mut bound = BTreeMap::new();
        for (_, variable) in module.global_variables.iter() {
            let Some(binding) = variable.binding else { continue };
            let access = match variable.space {
                AddressSpace::Uniform if variable.name.as_deref() == Some("kick") => Access::PerTurn,
                AddressSpace::Uniform => Access::Uniform,
                AddressSpace::Storage { access } if access == StorageAccess::LOAD => Access::Read,
                AddressSpace::Storage { .. } => Access::Write,
                other => panic!("{stage:?} binds {other:?}"),
            };
            bound.insert(binding.binding, (variable.name.clone().unwrap(), access));
        }
        // WGSL has two words for storage.
        let word = |access| match access {
            Access::Update => Access::Write,
            Access::Seldom => Access::Read,
            access => access,
        };
        let bindings = stage.bindings().iter().map(|&(buffer, access)| (snake_case(buffer), word(access)));
        let listed: BTreeMap<u32, (String, Access)> = (0..).zip(bindings).collect();
        assert_eq!(bound, listed, "{stage:?}");
        let is_storage = |access: &Access| matches!(access, Access::Read | Access::Write);
        let storage = listed.values().filter(|(_, access)| is_storage(access)).count();
        assert!(storage <= 8, "{stage:?} binds {storage} storage buffers");
    }
}

/// `CellOf` → `cell_of`: what a shader calls a buffer.
fn snake_case(buffer: Buffer) -> String {
    let mut name = String::new();
    for letter in format!("{buffer:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}

/// From element to element of a buffer, bytes.
fn stride(module: &Module, buffer: &str) -> u32 {
    let (_, variable) = module.global_variables.iter().find(|(_, v)| v.name.as_deref() == Some(buffer)).expect(buffer);
    let TypeInner::Array { stride, .. } = module.types[variable.ty].inner else { panic!("{buffer} is no array") };
    stride
}

#[test]
fn structs_lie_in_memory_as_rust_writes_them() {
    let (module, _) = reflect(&Stage::ContactPass.wgsl(Arithmetic::Exact, ALL, Words::Single), Words::Single);
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
    let (doubled, _) = reflect(&Stage::ContactPass.wgsl(Arithmetic::Exact, ALL, Words::Double), Words::Double);
    assert_eq!((stride(&doubled, "bodies"), stride(&doubled, "homes")), (32, 16));
    let (rubbing, _) = reflect(&Stage::FrictionPass.wgsl(Arithmetic::Exact, ALL, Words::Single), Words::Single);
    assert_eq!(offsets(&rubbing, "Spin"), [0, 4, 8]);
    assert_eq!(offsets(&rubbing, "Grip"), [0, 4]);
    let (acting, _) = reflect(&Stage::Steer.wgsl(Arithmetic::Exact, ALL, Words::Single), Words::Single);
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
fn unguarded(source: &str, words: Words) -> Vec<String> {
    let (module, info) = reflect(source, words);
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
    for &stage in Stage::ALL {
        for words in WORDS {
            let found = unguarded(&stage.wgsl(Arithmetic::Exact, ALL, words), words);
            assert_eq!(found, Vec::<String>::new(), "{stage:?}, {words:?}");
        }
    }
}

#[test]
fn a_missing_barrier_is_found() {
    let plain = unguarded(&Stage::ContactPass.wgsl(Arithmetic::Plain, ALL, Words::Single), Words::Single);
    assert!(plain.contains(&"mul: Multiply".into()) && plain.contains(&"rsqrt: InverseSqrt".into()), "{plain:?}");
    let exact = Stage::ContactPass.wgsl(Arithmetic::Exact, ALL, Words::Single);
    let bare = exact.replace("let half_kick =", "let bare = kick.x * kick.y; let half_kick =");
    assert_eq!(unguarded(&bare, Words::Single), ["rebound: Multiply"]);
}

#[test]
fn the_barrier_hides_behind_a_value_that_no_compiler_knows() {
    let exact = include_str!("../../shaders/exact.wgsl");
    assert!(exact.contains("bitcast<f32>(bitcast<u32>(x) ^ params.zero)"));
    assert_eq!(Params::default().zero, 0);
}
