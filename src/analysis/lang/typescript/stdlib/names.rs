//! Names of global values and types, and names of common members.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Names of the language, browsers, Node and test runners that every file sees.
const GLOBALS: &str = "Array ReadonlyArray Set ReadonlySet WeakSet Map ReadonlyMap WeakMap Promise PromiseLike Object \
    Function String Number Boolean Symbol BigInt Math JSON Date RegExp Error TypeError RangeError SyntaxError \
    ReferenceError EvalError URIError AggregateError Reflect Proxy Intl Atomics ArrayBuffer SharedArrayBuffer DataView \
    Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Uint8ClampedArray \
    BigInt64Array BigUint64Array Iterable Iterator IterableIterator IteratorResult AsyncIterable AsyncIterator \
    AsyncIterableIterator Generator AsyncGenerator ArrayLike Partial Required Readonly Pick Omit Record Exclude Extract \
    NonNullable Parameters ConstructorParameters ReturnType InstanceType ThisType Awaited NoInfer Uppercase Lowercase \
    Capitalize Uncapitalize PropertyKey PropertyDescriptor WeakRef FinalizationRegistry console window document \
    globalThis global process Buffer module exports require setTimeout clearTimeout setInterval clearInterval \
    setImmediate clearImmediate queueMicrotask requestAnimationFrame cancelAnimationFrame structuredClone fetch \
    Request Response Headers RequestInit RequestInfo URL URLSearchParams FormData Blob File FileReader AbortController \
    AbortSignal Event EventTarget CustomEvent MessageEvent ErrorEvent ProgressEvent WebSocket XMLHttpRequest Worker \
    ReadableStream WritableStream TransformStream TextEncoder TextDecoder Element HTMLElement HTMLInputElement Node \
    NodeList NodeListOf NodeJS Window Document navigator location history localStorage sessionStorage performance \
    crypto parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI eval NaN \
    Infinity arguments React JSX MouseEvent KeyboardEvent describe it test expect jest vi beforeEach afterEach \
    beforeAll afterAll suite Thenable DOMException Storage IntersectionObserver MutationObserver ResizeObserver";

/// Names of common members of the standard library. A unique definition of such a name in the repository is no evidence
/// that a receiver of unknown type has its type.
const UBIQUITOUS: &str = "add all apply at bind call catch charAt clear close concat copy create data delete done emit \
    end entries error every exec fill filter finally find findIndex flat flatMap forEach format from get getTime has \
    includes indexOf info init is isArray join keys lastIndexOf length listen load log map match name next of off on \
    once open parse pipe pop push read reduce remove replace replaceAll request reset resolve reverse run search send \
    set setItem getItem shift slice some sort splice split start startsWith endsWith stop stringify subscribe substr \
    substring test then throw toFixed toISOString toJSON toLowerCase toString toUpperCase trim unshift update use \
    value valueOf values warn write assign freeze addEventListener removeEventListener dispatchEvent abort append \
    appendChild querySelector preventDefault stopPropagation render click focus blur json text blob body status";

static GLOBAL_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| GLOBALS.split_ascii_whitespace().collect());
static UBIQUITOUS_NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| UBIQUITOUS.split_ascii_whitespace().collect());

/// Returns whether every file sees a name without declaring or importing it.
pub fn is_global(name: &str) -> bool {
    GLOBAL_NAMES.contains(name)
}

/// Returns whether a member name is too common to identify a receiver.
pub fn is_ubiquitous(name: &str) -> bool {
    UBIQUITOUS_NAMES.contains(name)
}
