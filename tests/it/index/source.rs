//! Generates small random source files that refer to each other.

/// A pseudo-random number generator.
pub struct Dice(u64);

impl Dice {
    /// Equal seeds give equal sequences.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// Returns a number below `bound`.
    pub fn roll(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    fn pick(&mut self, options: &[&str]) -> String {
        options[self.roll(options.len() as u64) as usize].to_owned()
    }
}

const NAMES: u64 = 4;

/// The paths of generated files.
pub const PATHS: &[&str] = &[
    "app/__init__.py",
    "app/m0.py",
    "app/m1.py",
    "app/test_m2.py",
    "m3.py",
    "web/m0.ts",
    "web/m1.ts",
    "web/deep/index.ts",
    "store/m0.go",
    "store/m1.go",
    "main.go",
    "src/lib.rs",
    "src/m0.rs",
    "src/m1.rs",
];

/// Returns the content of the file at `path`.
pub fn source(path: &str, seed: u64) -> String {
    let dice = &mut Dice::new(seed);
    match path.rsplit_once('.').unwrap().1 {
        "py" => python(dice),
        "ts" => typescript(dice),
        "go" => go(path, dice),
        _ => rust(path, dice),
    }
}

fn python(dice: &mut Dice) -> String {
    let mut text = String::from("\"\"\"A file of things.\"\"\"\nimport os\n");
    let module = |dice: &mut Dice| dice.pick(&["app", "app.m0", "app.m1", "m3", ".m0", "."]);
    for _ in 0..=dice.roll(3) {
        let (from, name) = (module(dice), dice.roll(NAMES));
        text += &match dice.roll(4) {
            0 => format!("from {from} import C{name}\n"),
            1 => format!("from {from} import f{name} as g{name}\n"),
            2 => format!("from {from} import *\n"),
            _ => format!("import app.m0 as m{name}\n"),
        };
    }
    for _ in 0..=dice.roll(2) {
        let (own, base, other) = (dice.roll(NAMES), dice.roll(NAMES), dice.roll(NAMES));
        text += &format!(
            "class C{own}(C{base}):\n    field: C{other} = None\n    def __init__(self, x):\n        self.x = C{base}()\n"
        );
        text += &format!("    def get{other}(self, other: C{other}):\n        \"\"\"Gets {own}.\"\"\"\n");
        text += &format!("        v = other.get{base}(self)\n        self.x.get{own}(v)\n        return self.x\n");
    }
    for _ in 0..=dice.roll(2) {
        let (own, other, called) = (dice.roll(NAMES), dice.roll(NAMES), dice.roll(NAMES));
        let prefix = dice.pick(&["", "test_"]);
        text += &format!("def {prefix}f{own}(v: C{other}):\n    w = C{called}(v)\n    w.get{own}(v).get{other}(w)\n");
        text += &format!(
            "    g{called}(w)\n    f{other}(os.environ['HOME'])\n    m{own}.f{called}(v)\n    return f{called}(w)\n"
        );
    }
    text
}

fn typescript(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..=dice.roll(2) {
        let from = dice.pick(&["./m0", "./m1", "./deep", "../m0", "."]);
        let name = dice.roll(NAMES);
        text += &match dice.roll(3) {
            0 => format!("import {{ C{name}, f{name} }} from '{from}';\n"),
            1 => format!("export * from '{from}';\n"),
            _ => format!("import * as m{name} from '{from}';\n"),
        };
    }
    let (own, base, other) = (dice.roll(NAMES), dice.roll(NAMES), dice.roll(NAMES));
    text += &format!("export interface I{own} {{ get{other}(x: C{base}): C{own}; }}\n");
    text += &format!("export class C{own} extends C{base} implements I{other} {{\n  x: C{other};\n");
    text += &format!("  get{other}(x: C{base}) {{ return this.x.get{own}(x); }}\n}}\n");
    text += &format!(
        "export function f{own}(v: I{base}) {{ const w = new C{other}(); return v.get{other}(w) ?? f{other}(w); }}\n"
    );
    text += &format!("export const h{base} = (v: C{own}) => m{base}.f{other}(v.get{base}(v));\n");
    text
}

fn go(path: &str, dice: &mut Dice) -> String {
    let is_main = !path.contains('/');
    let mut text = format!("package {}\n", if is_main { "main" } else { "store" });
    if is_main {
        text += "import \"example.org/repo/store\"\n";
    }
    let (own, base, other) = (dice.roll(NAMES), dice.roll(NAMES), dice.roll(NAMES));
    let prefix = if is_main { "store." } else { "" };
    text += &format!("type I{own} interface {{ Get{other}(x int) error }}\n");
    text += &format!("type C{own} struct {{ {prefix}C{base}; field {prefix}I{other} }}\n");
    text += &format!("func (c *C{own}) Get{other}(x int) error {{ return c.field.Get{other}(x) }}\n");
    text += &format!("func (c C{base}) Get{base}(x int) error {{ return F{own}(&c) }}\n");
    text += &format!(
        "func F{own}(v {prefix}I{base}) error {{ w := {prefix}C{other}{{}}; w.Get{base}(1); return {prefix}F{other}(v) }}\n"
    );
    text += "func init() { F0(nil); F1(nil) }\n";
    text
}

fn rust(path: &str, dice: &mut Dice) -> String {
    let mut text = String::new();
    if path.ends_with("lib.rs") {
        for module in 0..=dice.roll(2) {
            text += &format!("pub mod m{module};\n");
        }
    }
    for _ in 0..=dice.roll(2) {
        let (from, name) = (dice.pick(&["crate", "crate::m0", "crate::m1", "super"]), dice.roll(NAMES));
        text += &match dice.roll(3) {
            0 => format!("use {from}::C{name};\n"),
            1 => format!("pub use {from}::*;\n"),
            _ => format!("use {from}::{{f{name}, T{name}}};\n"),
        };
    }
    let (own, base, other) = (dice.roll(NAMES), dice.roll(NAMES), dice.roll(NAMES));
    text += &format!(
        "pub struct C{own} {{ x: C{other} }}\npub trait T{own} {{ fn get{other}(&self) -> C{base}; fn all(&self) {{ self.get{other}(); }} }}\n"
    );
    text += &format!(
        "impl C{own} {{ pub fn new() -> Self {{ f{base}() }} pub fn run{base}(&self) -> C{other} {{ self.x.get{own}() }} }}\n"
    );
    text += &format!("impl T{base} for C{own} {{ fn get{other}(&self) -> C{base} {{ C{base}::new() }} }}\n");
    text += &format!(
        "pub fn f{own}() -> C{other} {{ let v = C{base}::new(); v.run{base}().get{other}(); crate::m0::f{base}() }}\n"
    );
    text
}
