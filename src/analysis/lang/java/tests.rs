//! Facts and edges of Java snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges, edges_from, signatures_called};

const CART: &str = r#"
package shop;

import java.util.List;

/** Holds what a customer buys. */
public class Cart<T extends Item> extends Basket implements Priced {
    private final List<T> items = new ArrayList<>();
    static final int LIMIT = 9, MANY = 10;

    public Cart(int size) { super(size); }

    /**
     * Adds an item.
     */
    @Deprecated
    public boolean add(T item, String... notes) {
        check(item);
        return items.add(item);
    }

    enum State { OPEN, CLOSED { void close() { } } }
    record Line(Item item, int count) { }
    interface Visitor { void visit(Line line); }
    @interface Marked { String value() default ""; }
}
"#;

#[test]
fn definitions() {
    let lines = outline("Cart.java", CART);
    let expected = [
        "type Cart: public class Cart<T extends Item> extends Basket implements Priced",
        "field Cart.items: private final List<T> items = new ArrayList<>()",
        "field Cart.LIMIT: static final int LIMIT = 9, MANY = 10",
        "field Cart.MANY: static final int LIMIT = 9, MANY = 10",
        "method Cart.Cart: public Cart(int size)",
        "method Cart.add: public boolean add(T item, String... notes)",
        "type Cart.State: enum State",
        "field Cart.State.OPEN: OPEN",
        "field Cart.State.CLOSED: CLOSED",
        "function Cart.State.close: void close()",
        "type Cart.Line: record Line(Item item, int count)",
        "field Cart.Line.item: Item item",
        "field Cart.Line.count: int count",
        "interface Cart.Visitor: interface Visitor",
        "method Cart.Visitor.visit: void visit(Line line)",
        "interface Cart.Marked: @interface Marked",
        "method Cart.Marked.value: String value() default \"\"",
    ];
    assert_eq!(lines, expected);
    let facts = parse("Cart.java", CART);
    let docs: Vec<&str> =
        facts.outline.definitions.iter().map(|one| one.doc.as_str()).filter(|d| !d.is_empty()).collect();
    assert_eq!(docs, ["Holds what a customer buys.", "Adds an item."]);
}

#[test]
fn members_are_found_without_a_receiver() {
    let base = "package shop; class Basket { protected Store store; void check() { } static class Inner { } }";
    let store = "package shop; class Store { void save() { } }";
    let cart = "package shop; class Cart extends Basket {
        Inner inner;
        void add() { check(); store.save(); new Runnable() { public void run() { check(); } }; }
        class Part { void go() { check(); Cart.this.add(); } }
    }";
    let sources = [("a/Basket.java", base), ("b/Store.java", store), ("c/Cart.java", cart)];
    assert_eq!(calls_from(&sources, "Cart.add"), ["Basket.check", "Store.save"]);
    assert_eq!(calls_from(&sources, "Cart.Part.go"), ["Basket.check", "Cart.add"]);
    assert_eq!(edges_from(&sources, "Cart.inner"), [""; 0]);
    assert_eq!(edges_from(&sources, "Cart"), ["extends Basket", "type_hint_of Basket.Inner"]);
}

#[test]
fn imports_name_types_members_and_packages() {
    let util = "package shop.util; public class Money { public static int round(int a) { return a; } public static class Unit { } }";
    let other = "package shop.all; public class Log { public void write() { } }";
    let user = "package app;
        import shop.util.Money;
        import shop.util.Money.Unit;
        import static shop.util.Money.round;
        import shop.all.*;
        class User { void use(Log log) { Money.round(1); round(2); log.write(); Unit unit = new Unit(); } }";
    let sources = [("Money.java", util), ("Log.java", other), ("User.java", user)];
    assert_eq!(calls_from(&sources, "User.use"), ["Log.write", "Money.Unit", "Money.round"]);
}

#[test]
fn types_in_types_have_the_name_after_the_dot() {
    let box_text = "package shop; public class Box { public static class Lid { public void open() { } } }";
    let user = "package shop; import java.util.Map;
        class User extends Box.Lid {
            Box.Lid lid;
            void use() { lid.open(); new Box.Lid(); }
            void each(Map.Entry<String, Box.Lid> entry) { entry.getValue().open(); }
        }";
    let sources = [("Box.java", box_text), ("User.java", user)];
    assert_eq!(calls_from(&sources, "User.use"), ["Box.Lid", "Box.Lid.open"]);
    assert_eq!(calls_from(&sources, "User.each"), ["Box.Lid.open"]);
    assert_eq!(edges_from(&sources, "User"), ["extends Box.Lid", "type_hint_of Box", "type_hint_of Box.Lid"]);
}

#[test]
fn lambdas_and_loops_have_types() {
    let text = "package p;
        interface Handler { void handle(Request request); }
        class Request { void send() { } Request next() { return this; } Request[] all; }
        class Server {
            void on(Handler handler) { }
            void start() { on(request -> request.next().send()); }
            void each(Request one) { for (var r : one.all) r.send(); }
            void some(Object o) { if (o instanceof Request r) r.send(); }
            void refer() { on(Request::send); }
        }";
    let sources = [("Server.java", text)];
    assert_eq!(calls_from(&sources, "Server.start"), ["Request.next", "Request.send", "Server.on"]);
    assert_eq!(calls_from(&sources, "Server.each"), ["Request.send"]);
    assert_eq!(calls_from(&sources, "Server.some"), ["Request.send"]);
    assert_eq!(
        edges_from(&sources, "Server.refer"),
        ["calls Server.on", "references Request", "references Request.send"]
    );
}

#[test]
fn fields_and_methods_share_names() {
    let text = "package p; class Box { int size; int size() { return size; } void use() { int size = size(); } }";
    assert_eq!(calls_from(&[("Box.java", text)], "Box.use"), ["Box.size"]);
    assert_eq!(edges_from(&[("Box.java", text)], "Box.size"), ["accesses_field Box.size"]);
}

#[test]
fn annotations_make_tests_and_routes() {
    let text = "package p;
        @RequestMapping(\"/users\")
        class Users {
            @GetMapping(\"/{id}\") String one() { return System.getenv(\"HOME\"); }
            @Test void finds() { }
        }";
    let facts = parse("Users.java", text);
    let signals: Vec<String> = facts
        .code
        .signals
        .iter()
        .map(|signal| match &signal.kind {
            crate::facts::SignalKind::Route { route, .. } => facts.outline.names.get(*route).to_owned(),
            crate::facts::SignalKind::ReadsEnv(name) => facts.outline.names.get(*name).to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(signals, ["GET /users/{id}", "HOME"]);
    let tests: Vec<bool> = facts.outline.definitions.iter().map(|one| one.flags.is_test).collect();
    assert_eq!(tests, [false, false, true]);
}

#[test]
fn test_files_are_in_folders_of_maven_and_gradle_or_have_names_of_junit() {
    let is_test = |path: &str| {
        let facts = parse(path, "class A { void run() { } }");
        facts.outline.definitions.iter().all(|one| one.flags.is_test)
    };
    for path in ["src/test/java/A.java", "core/src/integTest/java/p/A.java", "src/testcases/A.java", "src/UserIT.java"]
    {
        assert!(is_test(path), "{path}");
    }
    for path in ["spring-test/src/main/java/A.java", "src/main/java/latest/A.java", "src/main/java/AUDIT.java"] {
        assert!(!is_test(path), "{path}");
    }
}

#[test]
fn arguments_choose_overloads() {
    let text = r#"package p;
        interface Task { void run(Job job); }
        class Job extends Work { }
        class Work { }
        class Log {
            void log(String text) { }
            void log(int number) { }
            void log(Work work) { }
            void log(Task task) { }
            void log(String text, Object... values) { }
            void all(Job job, int[] numbers) { log("a"); log(1); log(job); log(j -> { }); log("a", 1, 2); }
        }"#;
    let sources = [("Log.java", text)];
    let mut signatures = crate::resolve::tests::signatures_called(&sources, "Log.all");
    signatures.sort();
    let expected = [
        "void log(String text)",
        "void log(String text, Object... values)",
        "void log(Task task)",
        "void log(Work work)",
        "void log(int number)",
    ];
    assert_eq!(signatures, expected);
}

#[test]
fn new_names_a_type() {
    let text = "package p; class Dialog { } class View { Dialog Dialog() { return new Dialog(); } Dialog Dialog = new Dialog(); }";
    assert_eq!(calls_from(&[("View.java", text)], "View.Dialog"), ["Dialog"]);
}

#[test]
fn a_class_of_two_modules_is_that_of_the_own_module_or_the_nearest() {
    let files = [
        ("depot/src/main/java/e/Stock.java", "package e; public class Stock { void save() {} }"),
        ("depot/src/main/java/e/Job.java", "package e; class Job { Stock s; void two() { s.save(); } }"),
        ("shop/src/main/java/e/Stock.java", "package e; public class Stock { public void save() {} }"),
        ("shop/src/main/java/e/Till.java", "package e; class Till { Stock s; void one() { s.save(); } }"),
        (
            "shop/src/test/java/f/TillTest.java",
            "package f; import e.Stock; class TillTest { void tries() { new Stock().save(); } }",
        ),
        ("shop/src/main/java/f/Desk.java", "package f; import e.*; class Desk { Stock s; void three() { s.save(); } }"),
    ];
    assert_eq!(signatures_called(&files, "Job.two"), ["void save()"]);
    for other in ["Till.one", "Desk.three"] {
        assert_eq!(signatures_called(&files, other), ["public void save()"], "{other}");
    }
    let called = signatures_called(&files, "TillTest.tries");
    assert_eq!(called, ["public class Stock", "public void save()"]);
}

#[test]
fn static_imports_of_own_methods_are_called() {
    let names = "package a.util; public final class Names extends Base {
        public static String cut(String s) { return s; }
        public static String cut(String s, int n) { return s; }
        public static final int MAX = 3;
        public static int size = 1;
        public static int size() { return 2; }
        String inner() { return \"\"; }
    }";
    let base = "package a.util; class Base { public static void inherited() {} }";
    let one = "package b; import static a.util.Names.cut; import static a.util.Names.size;
        class One { void run() { cut(\"x\", 1); cut(\"x\").trim(); size(); int n = size; } }";
    let all = "package b; import static a.util.Names.*;
        class All { void run() { cut(\"x\"); inherited(); inner(); int n = MAX; } }";
    let files = [
        ("src/main/java/a/util/Names.java", names),
        ("src/main/java/a/util/Base.java", base),
        ("src/main/java/b/One.java", one),
        ("src/test/java/b/All.java", all),
    ];
    let called =
        ["public static String cut(String s)", "public static String cut(String s, int n)", "public static int size()"];
    let mut found = signatures_called(&files, "One.run");
    found.sort();
    assert_eq!(found, called);
    assert!(edges_from(&files, "One.run").contains(&"accesses_field Names.size".to_owned()));
    let mut found = signatures_called(&files, "All.run");
    found.sort();
    assert_eq!(found, ["public static String cut(String s)", "public static void inherited()"]);
    assert!(edges_from(&files, "All.run").contains(&"accesses_field Names.MAX".to_owned()));
}

#[test]
fn methods_that_a_generator_makes_use_their_fields() {
    let card = "package p; import lombok.*;
        @Data @Builder public class Card extends Frame {
            private String day; private boolean paid; private Owner owner;
            boolean late() { return getDay() == null; }
        }";
    let owner = "package p; class Owner { String name; void call() {} }";
    let user = "package p; class User {
        void reads(Card c) { c.getDay(); c.isPaid(); c.getOwner().call(); c.getName(); }
        Card makes() { return Card.builder().day(\"x\").paid(true).build(); }
        void sets(Card c) { c.setDay(\"y\"); makes().setPaid(true); }
    }";
    let files = [("p/Card.java", card), ("p/Owner.java", owner), ("p/User.java", user)];
    let from = |name: &str| edges_from(&files, name);
    let read = ["accesses_field Card.day", "accesses_field Card.owner", "accesses_field Card.paid", "calls Owner.call"];
    assert_eq!(from("User.reads")[..4], read);
    assert_eq!(from("User.makes")[..3], ["accesses_field Card.day", "accesses_field Card.paid", "calls Card"]);
    assert_eq!(from("User.sets")[..3], ["accesses_field Card.day", "accesses_field Card.paid", "calls User.makes"]);
    assert_eq!(from("Card.late"), ["accesses_field Card.day"]);
}

#[test]
fn methods_of_types_without_a_name_override() {
    let text = "package p; abstract class Adapter<T> extends Root { abstract void write(T value); void write(int n, T value) {} }
        class Root { void close() {} }
        enum Mode { FAST { @Override int speed() { return 2; } int other() { return 1; } }, SLOW; int speed() { return 1; } }
        class Make { Adapter<String> make() {
            return new Adapter<>() {
                @Override void write(String value) { helper(); }
                @Override void close() {}
                void helper() {}
            };
        } }";
    let overrides: Vec<String> = edges(&[("p/Adapter.java", text)])
        .into_iter()
        .filter(|edge| edge.edge_type == "overrides")
        .map(|edge| format!("{} -> {}: {}", edge.source, edge.target, edge.target_signature))
        .collect();
    let expected = [
        "Mode.speed -> Mode.speed: int speed()",
        "Make.make.write -> Adapter.write: abstract void write(T value)",
        "Make.make.close -> Root.close: void close()",
    ];
    assert_eq!(overrides, expected);
}

#[test]
fn case_labels_are_constants_of_what_is_switched_on() {
    let mode = "package q; public enum Mode { FAST, SLOW; public static final Mode USUAL = SLOW; }";
    let user = "package p; import q.Mode; class User {
        static final int MAX = 9; Mode mode; Mode mode() { return mode; }
        void old(int n) { switch (mode) { case FAST: go(); break; default: } switch (n) { case MAX: go(); } }
        int rule() { return switch (mode()) { case SLOW, FAST -> switch (limit()) { case MAX -> 1; default -> 2; }; }; }
        int limit() { return 1; }
        void go() {}
        void foreign(java.util.concurrent.TimeUnit unit) { switch (unit) { case DAYS: go(); } }
    }";
    let files = [("q/Mode.java", mode), ("p/User.java", user)];
    let read = |name: &str| {
        let from = edges_from(&files, name);
        from.into_iter().filter(|edge| edge.starts_with("accesses_field")).collect::<Vec<_>>()
    };
    assert_eq!(read("User.old"), ["accesses_field Mode.FAST", "accesses_field User.MAX", "accesses_field User.mode"]);
    assert_eq!(read("User.rule"), ["accesses_field Mode.FAST", "accesses_field Mode.SLOW", "accesses_field User.MAX"]);
    assert_eq!(read("User.foreign"), [""; 0]);
}

#[test]
fn super_in_a_class_without_a_name_is_what_it_extends() {
    let text = "package p; class Root { void close() {} void open() {} }
        class Reader extends Root { void close() {} }
        class Make { Reader make() {
            return new Reader() {
                void close() { super.close(); Runnable later = () -> super.open(); }
                void other() { new Root() { void close() { super.close(); } }; }
            };
        } }
        enum Mode {
            FAST { int speed() { return super.speed() + step(1); } int step(int n) { return n; } };
            int speed() { return 1; }
            int step(int n) { return 0; }
        }";
    let files = [("p/Reader.java", text)];
    let called = |name: &str| calls_from(&files, name);
    assert_eq!(called("Make.make.close"), ["Reader.close", "Root.open"]);
    assert_eq!(called("Make.make.other.close"), ["Root.close"]);
    assert_eq!(called("Mode.speed"), ["Mode.speed", "Mode.step"]);
    assert_eq!(signatures_called(&files, "Mode.speed"), ["int step(int n)", "int speed()"]);
}
