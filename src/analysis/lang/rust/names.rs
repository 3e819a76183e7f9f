//! Names of the standard library: macros, common methods, the prelude.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::resolve::value::Value;

/// Macros of the standard library. A macro of the repository with such a name must be imported to replace one.
static MACROS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "
    addr_of assert assert_eq assert_ne cfg column compile_error concat dbg debug_assert debug_assert_eq
    debug_assert_ne env eprint eprintln file format format_args include include_bytes include_str line
    macro_rules matches module_path option_env panic pin print println stringify thread_local todo try
    unimplemented unreachable vec write writeln
    "
    .split_whitespace()
    .collect()
});

/// Names of common methods of the standard library. A unique definition of such a name in the repository is not evidence
/// that a receiver of unknown type has its type.
static UBIQUITOUS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "
    abs add all and and_then any append arg args as_bytes as_deref as_mut as_path as_ptr as_ref as_slice as_str
    await borrow borrow_mut build by_ref bytes ceil chain chars checked_add checked_sub chunks clear clone
    cloned close cmp collect concat contains contains_key copied count current_dir dedup default deref
    deserialize display drain drop end ends_with entry enumerate env eq err escape exists expect extend
    extension fetch_add file_name file_type fill filter filter_map find finish first flat_map flatten floor
    flush fmt fold for_each from from_str ge get get_mut get_or_insert_with gt hash id index insert inspect into
    into_inner into_iter into_string is_absolute is_char_boundary is_digit is_dir is_empty is_err is_file
    is_none is_ok is_some is_symlink iter iter_mut join keys kind last le len lines load lock lt map map_err
    map_or matches max max_by metadata min modified name ne neg new next next_back not nth ok ok_or ok_or_else
    open or or_default or_else or_insert or_insert_with output parent parse partial_cmp partition path peek
    peekable poll pop position pow product push push_back push_str range read read_line read_to_end
    read_to_string recv reduce remove repeat replace reserve resize retain rev reverse rfind run send serialize
    set shrink_to_fit size skip skip_while slice sort sort_by sort_by_key sort_unstable source spawn split
    split_at split_whitespace splitn start starts_with status stderr stdin stdout step_by store strip_prefix
    strip_suffix sub sum swap take take_while then then_some to_ascii_lowercase to_lowercase to_owned
    to_path_buf to_str to_string to_string_lossy to_uppercase to_vec trim trim_end trim_start truncate try_from
    try_into unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip update values wait windows
    with_capacity with_extension wrapping_add write write_all write_fmt write_str zip
    "
    .split_whitespace()
    .collect()
});

/// Qualified names of the prelude.
const PRELUDE: &str = "
    std.convert.AsMut std.convert.AsRef std.boxed.Box std.clone.Clone std.marker.Copy std.fmt.Debug
    std.default.Default std.iter.DoubleEndedIterator std.ops.Drop std.cmp.Eq std.result.Result.Err
    std.iter.ExactSizeIterator std.iter.Extend std.ops.Fn std.ops.FnMut std.ops.FnOnce std.convert.From
    std.iter.FromIterator std.future.Future std.hash.Hash std.convert.Into std.future.IntoFuture
    std.iter.IntoIterator std.iter.Iterator std.option.Option.None std.result.Result.Ok std.option.Option
    std.cmp.Ord std.cmp.PartialEq std.cmp.PartialOrd std.result.Result std.marker.Send std.marker.Sized
    std.option.Option.Some std.string.String std.marker.Sync std.borrow.ToOwned std.string.ToString
    std.convert.TryFrom std.convert.TryInto std.marker.Unpin std.vec.Vec std.mem.drop
";

/// Traits of the standard library and of serde with their members, also those that other types have by them.
const TRAIT_MEMBERS: &str = "
    Add:add AddAssign:add_assign Any:type_id AsMut:as_mut AsRef:as_ref Binary:fmt BitAnd:bitand
    BitAndAssign:bitand_assign BitOr:bitor BitOrAssign:bitor_assign BitXor:bitxor BitXorAssign:bitxor_assign
    Borrow:borrow BorrowMut:borrow_mut Clone:clone,clone_from Copy: Debug:fmt Default:default Deref:deref
    DerefMut:deref_mut Deserialize:deserialize Display:fmt,to_string Div:div DivAssign:div_assign Drop:drop Eq:
    Error:source,description,cause ExactSizeIterator:len Extend:extend Fn:call FnMut:call_mut FnOnce:call_once
    From:from FromIterator:from_iter FromStr:from_str FusedIterator: Future:poll,into_future Hash:hash,hash_slice
    Index:index IndexMut:index_mut Into:into IntoFuture:into_future IntoIterator:into_iter LowerExp:fmt LowerHex:fmt
    Mul:mul MulAssign:mul_assign Neg:neg Not:not Octal:fmt Ord:cmp,max,min,clamp PartialEq:eq,ne
    PartialOrd:partial_cmp,lt,le,gt,ge Pointer:fmt Product:product RangeBounds:start_bound,end_bound,contains
    RefUnwindSafe: Rem:rem RemAssign:rem_assign Seek:seek,rewind,stream_position Send: Serialize:serialize Shl:shl
    ShlAssign:shl_assign Shr:shr ShrAssign:shr_assign Sized: StructuralPartialEq: Sub:sub SubAssign:sub_assign Sum:sum
    Sync: Termination:report ToOwned:to_owned,clone_into ToString:to_string TryFrom:try_from TryInto:try_into Unpin:
    UnwindSafe: UpperExp:fmt UpperHex:fmt Wake:wake,wake_by_ref
    BufRead:fill_buf,consume,read_until,skip_until,read_line,split,lines,has_data_left
    DoubleEndedIterator:next_back,rev,rfold,rfind,nth_back,try_rfold,advance_back_by,rposition
    Hasher:finish,write,write_u8,write_u16,write_u32,write_u64,write_u128,write_usize,write_i32,write_i64,write_str
    Read:read,read_to_end,read_to_string,read_exact,read_vectored,by_ref,bytes,chain,take,read_buf
    Write:write,flush,write_all,write_fmt,by_ref,write_vectored,write_str,write_char
    Iterator:next,size_hint,count,last,advance_by,nth,step_by,chain,zip,intersperse,map,for_each,filter,filter_map
    Iterator:enumerate,peekable,skip_while,take_while,map_while,skip,take,scan,flat_map,flatten,fuse,inspect,by_ref
    Iterator:collect,partition,is_partitioned,try_fold,try_for_each,fold,reduce,try_reduce,all,any,find,find_map
    Iterator:try_find,position,rposition,max,min,max_by_key,max_by,min_by_key,min_by,rev,unzip,copied,cloned,cycle
    Iterator:array_chunks,map_windows,sum,product,cmp,cmp_by,partial_cmp,eq,ne,lt,le,gt,ge,is_sorted,into_iter
";

/// Returns whether a trait has a member; `None` if its members are not known.
pub fn has_member(of: &str, member: &str) -> Option<bool> {
    static MEMBERS: LazyLock<HashMap<&str, HashSet<&str>>> = LazyLock::new(|| {
        let mut members: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (name, own) in TRAIT_MEMBERS.split_whitespace().filter_map(|entry| entry.split_once(':')) {
            members.entry(name).or_default().extend(own.split(','));
        }
        members
    });
    let (outer, name) = of.rsplit_once('.')?;
    let is_known = outer == "serde" || outer == "std" || outer.starts_with("std.");
    MEMBERS.get(name).filter(|_| is_known).map(|members| members.contains(member))
}

/// Returns whether a dotted name is that of a type.
pub fn is_type(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    last.starts_with(char::is_uppercase) || is_number(last) || matches!(last, "str" | "bool" | "char" | "[]")
}

/// Returns whether a name is that of a type of numbers.
pub fn is_number(name: &str) -> bool {
    let digits = name.strip_prefix(['i', 'u', 'f']).unwrap_or_default();
    digits == "size" || matches!(digits, "8" | "16" | "32" | "64" | "128")
}

/// Returns the item of the prelude with this name.
pub fn prelude_item(name: &str) -> Option<Value> {
    static FULL_NAMES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        PRELUDE.split_whitespace().map(|full| (full.rsplit('.').next().unwrap_or(full), full)).collect()
    });
    FULL_NAMES.get(name).map(|full| Value::external(full))
}

/// Returns whether the standard library has a macro of this name.
pub fn is_std_macro(name: &str) -> bool {
    MACROS.contains(name)
}

/// Returns whether a method name is too common to identify a receiver.
pub fn is_ubiquitous(name: &str) -> bool {
    UBIQUITOUS.contains(name)
}
