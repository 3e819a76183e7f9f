//! Names of methods that so many types of the language, of PSR interfaces and of libraries have that one type of the
//! repository says little.

/// Returns whether a method name is common.
pub fn is_ubiquitous(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

/// Sorted for binary search.
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "add", "addAll", "all", "append", "apply", "assert", "bind", "boot", "build", "call", "clear", "clone", "close",
    "commit", "configure", "connect", "contains", "copy", "count", "create", "current", "decode", "delete", "diff",
    "dispatch", "each", "encode", "end", "execute", "exists", "export", "fail", "fetch", "fetchAll", "fetchColumn",
    "filter", "find", "findAll", "findBy", "findOneBy", "first", "flush", "forget", "format", "formatted", "get",
    "getArgs", "getAttribute", "getAttributes", "getClass", "getCode", "getConstructor", "getContent", "getContents",
    "getData", "getDocComment", "getFile", "getFileName", "getFilename", "getHeaders", "getId", "getIterator",
    "getKey", "getLine", "getMessage", "getMethod", "getMethods", "getMock", "getName", "getNamespaceName",
    "getOptions", "getParameters", "getParent", "getParentClass", "getPath", "getPathname", "getPrevious",
    "getProperties", "getProperty", "getRealPath", "getReturnType", "getShortName", "getStatusCode", "getTimestamp",
    "getTrace", "getTraceAsString", "getType", "getUri", "getValue", "getVersion", "handle", "has", "hasAttribute",
    "hasMethod", "hasProperty", "id", "info", "init", "instance", "invoke", "invokeArgs", "isAbstract", "isBuiltin",
    "isDir", "isEmpty", "isFile", "isInstance", "isPublic", "isReadable", "isStatic", "isValid", "isWritable",
    "items", "join", "key", "keys", "last", "length", "load", "lock", "log", "main", "map", "match", "merge",
    "method", "modify", "name", "newInstance", "newInstanceArgs", "next", "notify", "offsetExists", "offsetGet",
    "offsetSet", "offsetUnset", "open", "order", "parse", "persist", "pop", "prepare", "process", "push", "put",
    "query", "read", "register", "reject", "remove", "render", "replace", "request", "reset", "resolve", "rewind",
    "rollback", "run", "save", "seek", "select", "send", "set", "setAttribute", "setOptions", "setTimezone",
    "setValue", "shift", "size", "slice", "sort", "split", "start", "status", "stop", "store", "sub", "then",
    "toArray", "toString", "trim", "type", "unregister", "update", "url", "valid", "validate", "value", "values",
    "where", "willReturn", "with", "write",
];

#[cfg(test)]
mod tests {
    use super::NAMES;

    #[test]
    fn names_are_sorted() {
        assert!(NAMES.is_sorted());
    }
}
