import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * Writes the calls that javac resolves in a project, as lines `caller callee` of `file:line`, sorted.
 * Usage: java JavaCalls.java ROOT SOURCES CLASSPATH. A constructor stands for its class; code outside methods belongs
 * to its class. Calls that nobody wrote, of `super()` and of the constructor of an enum's constants, have the third word `implied`.
 */
class JavaCalls {
    static final TreeSet<String> CALLS = new TreeSet<>();

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]).toAbsolutePath().normalize();
        List<Path> files;
        try (Stream<Path> all = Files.walk(root.resolve(args[1]))) {
            files = all.filter(path -> path.toString().endsWith(".java")).sorted().toList();
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
        List<String> options = List.of("-proc:none", "-cp", args.length > 2 ? args[2] : "", "-Xmaxerrs", "0");
        JavacTask task = (JavacTask) compiler.getTask(null, manager, problem -> { }, options, null,
            manager.getJavaFileObjectsFromPaths(files));
        Iterable<? extends CompilationUnitTree> units = task.parse();
        task.analyze();
        Trees trees = Trees.instance(task);
        for (CompilationUnitTree unit : units) {
            new Scanner(root, trees, unit).scan(unit, null);
        }
        CALLS.forEach(System.out::println);
    }

    static class Scanner extends TreePathScanner<Void, Void> {
        final Path root;
        final Trees trees;
        final CompilationUnitTree unit;

        Scanner(Path root, Trees trees, CompilationUnitTree unit) {
            this.root = root;
            this.trees = trees;
            this.unit = unit;
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            // javac adds `super()` to constructors, and gives it no end.
            boolean isImplied = trees.getSourcePositions().getEndPosition(unit, call) < 0;
            add(trees.getElement(getCurrentPath()), isImplied ? " implied" : "");
            return super.visitMethodInvocation(call, none);
        }

        @Override
        public Void visitNewClass(NewClassTree call, Void none) {
            // The class of an anonymous class is its base.
            Element type = trees.getElement(new TreePath(getCurrentPath(), call.getIdentifier()));
            boolean isConstant = getCurrentPath().getParentPath().getLeaf() instanceof VariableTree field
                && trees.getElement(getCurrentPath().getParentPath()).getKind() == ElementKind.ENUM_CONSTANT;
            add(type, isConstant ? " implied" : "");
            return super.visitNewClass(call, none);
        }

        void add(Element target, String suffix) {
            if (target instanceof ExecutableElement && target.getKind() == ElementKind.CONSTRUCTOR) {
                target = target.getEnclosingElement();
            }
            boolean isDeclared = target instanceof ExecutableElement || target instanceof TypeElement;
            String callee = isDeclared ? location(trees.getPath(target)) : null;
            String caller = caller();
            if (callee != null && caller != null) {
                CALLS.add(caller + " " + callee + suffix);
            }
        }

        String caller() {
            for (TreePath at = getCurrentPath(); at != null; at = at.getParentPath()) {
                Tree leaf = at.getLeaf();
                boolean isClass = leaf instanceof ClassTree type && !type.getSimpleName().isEmpty();
                boolean isWritten = leaf instanceof MethodTree method && trees.getSourcePositions()
                    .getStartPosition(unit, method) >= 0;
                if (isWritten || isClass) {
                    String found = location(at);
                    if (found != null) {
                        return found;
                    }
                }
            }
            return null;
        }

        String location(TreePath path) {
            if (path == null) {
                return null;
            }
            CompilationUnitTree file = path.getCompilationUnit();
            Tree leaf = path.getLeaf();
            boolean isMethod = leaf instanceof MethodTree;
            String name = isMethod ? ((MethodTree) leaf).getName().toString() : ((ClassTree) leaf).getSimpleName().toString();
            Tree modifiers = isMethod ? ((MethodTree) leaf).getModifiers() : ((ClassTree) leaf).getModifiers();
            long start = trees.getSourcePositions().getStartPosition(file, leaf);
            long end = trees.getSourcePositions().getEndPosition(file, modifiers);
            if (start < 0) {
                return null;
            }
            // The line of a definition is that of its name.
            if (name.equals("<init>")) {
                name = ((ClassTree) path.getParentPath().getLeaf()).getSimpleName().toString();
            }
            try {
                String text = file.getSourceFile().getCharContent(true).toString();
                var at = java.util.regex.Pattern.compile("\\b" + name + (isMethod ? "\\s*\\(" : "\\b")).matcher(text);
                start = at.find((int) Math.max(start, end)) ? at.start() : start;
            } catch (java.io.IOException problem) {
                throw new java.io.UncheckedIOException(problem);
            }
            Path source = Path.of(file.getSourceFile().toUri());
            return source.startsWith(root)
                ? root.relativize(source) + ":" + file.getLineMap().getLineNumber(start)
                : null;
        }
    }
}
