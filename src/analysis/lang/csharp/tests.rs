//! Facts and edges of C# snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges_from, signatures_called};

const CART: &str = r#"
using System;
namespace Shop.Sales
{
    /// <summary>Holds what a <see cref="Customer"/> buys.</summary>
    [Serializable]
    public sealed partial class Cart<T> : Basket, IPriced, IEnumerable<T> where T : Item, new()
    {
        private readonly List<T> items = new List<T>(), old;
        public event EventHandler Changed;
        public int Limit { get; set; } = 9;
        public int Count => items.Count;
        public string Name { get { return name; } private set { name = value; } }
        public T this[int index] => items[index];

        public Cart(int size) : base(size) { }
        ~Cart() { }
        public static Cart<T> operator +(Cart<T> one, T item) { return one; }
        public static implicit operator int(Cart<T> cart) => cart.Count;

        [Obsolete("old")]
        public bool Add(T item, int count = 1, params string[] notes) { Check(item); return true; }
        void IPriced.Reset() { }
    }
    public enum State : byte { Open = 1, Closed }
    public record Line(Item Item, int Count);
    public struct Point { public int X; }
    public interface IVisitor { void Visit(Line line); int Depth { get; } }
    public delegate void Handler(Cart<Item> cart);
}
"#;

#[test]
fn definitions() {
    let expected = [
        "type Cart: public sealed partial class Cart<T> : Basket, IPriced, IEnumerable<T> where T : Item, new()",
        "field Cart.items: private readonly List<T> items = new List<T>(), old",
        "field Cart.old: private readonly List<T> items = new List<T>(), old",
        "field Cart.Changed: public event EventHandler Changed",
        "field Cart.Limit: public int Limit",
        "method Cart.Count: public int Count",
        "method Cart.Name: public string Name",
        "method Cart.this[]: public T this[int index]",
        "method Cart.Cart: public Cart(int size)",
        "method Cart.~Cart: ~Cart()",
        "method Cart.operator +: public static Cart<T> operator +(Cart<T> one, T item)",
        "method Cart.operator int: public static implicit operator int(Cart<T> cart)",
        "method Cart.Add: public bool Add(T item, int count = 1, params string[] notes)",
        "method Cart.Reset: void IPriced.Reset()",
        "type State: public enum State : byte",
        "field State.Open: Open = 1",
        "field State.Closed: Closed",
        "type Line: public record Line(Item Item, int Count)",
        "field Line.Item: Item Item",
        "field Line.Count: int Count",
        "type Point: public struct Point",
        "field Point.X: public int X",
        "interface IVisitor: public interface IVisitor",
        "method IVisitor.Visit: void Visit(Line line)",
        "field IVisitor.Depth: int Depth",
        "type Handler: public delegate void Handler(Cart<Item> cart)",
    ];
    assert_eq!(outline("Cart.cs", CART), expected);
    let facts = parse("Cart.cs", CART);
    assert_eq!(facts.outline.definitions[0].doc, "Holds what a Customer buys.");
    let relations: Vec<_> = facts.outline.definitions[0].bases.iter().map(|base| base.relation).collect();
    use crate::facts::BaseRelation::{Extends, Implements};
    assert_eq!(relations, [Extends, Implements, Implements]);
}

#[test]
fn conditions_divide_statements() {
    let text = "#if NET\nusing A;\n#endif\nnamespace P {\n#if X\n[Serializable]\n#endif\nclass Cart {
        void Go() {\n#if X\n if (a) {\n#else\n if (b) {\n#endif\n Add(); } }
        void Add() { } } }";
    let expected = ["type Cart: class Cart", "method Cart.Go: void Go()", "method Cart.Add: void Add()"];
    assert_eq!(outline("Cart.cs", text), expected);
    assert_eq!(calls_from(&[("Cart.cs", text)], "Cart.Go"), ["Cart.Add"]);
    let whole = "#if NET\nnamespace P { class Cart { } }\n#endif";
    assert_eq!(outline("Cart.cs", whole), ["type Cart: class Cart"]);
}

#[test]
fn namespaces_span_files_and_nest() {
    let store = "namespace Shop; public class Store { public void Save() { } }";
    let deep = "namespace Shop.Sales.Tax { class Rate { void Find(Store store, Order order) { store.Save(); order.Pay(); } } }";
    let many = "namespace Shop.Sales { class Order { public void Pay() { } } }
        namespace Shop { namespace Parts { class Bolt { public static void Turn() { } } } }";
    let user = "using Shop.Parts; using static Shop.Parts.Bolt; using S = Shop.Store;
        namespace App { class User { void Use(S store) {
            store.Save(); Bolt.Turn(); Turn(); new Shop.Sales.Order().Pay(); Shop.Parts.Bolt.Turn(); } } }";
    let sources = [("a/Store.cs", store), ("b/Rate.cs", deep), ("c/Many.cs", many), ("d/User.cs", user)];
    assert_eq!(calls_from(&sources, "Rate.Find"), ["Shop.Sales.Order.Pay", "Store.Save"]);
    let expected = ["Shop.Parts.Bolt.Turn", "Shop.Sales.Order", "Shop.Sales.Order.Pay", "Store.Save"];
    assert_eq!(calls_from(&sources, "User.Use"), expected);
}

#[test]
fn partial_types_share_members() {
    let sources = [
        ("Form.cs", "namespace App { partial class Form { void Load() { Init(); } } }"),
        ("Form.Parts.cs", "namespace App { partial class Form : Window { void Init() { Show(); } } }"),
        ("Window.cs", "namespace App { class Window { protected void Show() { } } }"),
    ];
    assert_eq!(calls_from(&sources, "Form.Load"), ["Form.Init"]);
    assert_eq!(calls_from(&sources, "Form.Init"), ["Window.Show"]);
}

#[test]
fn global_usings_apply_to_all_files() {
    let sources = [
        ("Usings.cs", "global using Shop.Parts;"),
        ("Bolt.cs", "namespace Shop.Parts; class Bolt { public static void Turn() { } }"),
        ("User.cs", "namespace App; class User { void Use() { Bolt.Turn(); } }"),
    ];
    assert_eq!(calls_from(&sources, "User.Use"), ["Bolt.Turn"]);
}

#[test]
fn receivers_have_types() {
    let text = "namespace P;
        class Request { public void Send() { } public Request Next() => this; public Request[] All; public Request Prev { get { return null; } }
            public Task<Request> Load() { return null; } public Request this[int i] => null; }
        interface IBox<T> { T Get(); }
        delegate void Handler(Request request);
        class Base { protected Request own; protected virtual void Go() { } }
        class Server : Base {
            event Handler Called;
            void On(Handler handler) { handler(own); }
            void Each(Func<Request, bool> f) { }
            void Start() { On(request => request.Next().Send()); Each(r => r.Prev.Next() == null); }
            void Loop(Request one) { foreach (var r in one.All) r.Send(); one?.Next()?.Send(); one[0].Next(); }
            void Some(object o) { if (o is Request r) r.Send(); switch (o) { case Request q: q.Next(); break; } (o as Request).Load(); }
            async Task Wait(Request r) { var loaded = await r.Load(); loaded.Send(); }
            void Make() { Request a = new(); a.Send(); var b = new Request { All = null }; b.Next(); }
            void Up() { base.Go(); this.Some(own); own.Send(); }
            void Box<T>(IBox<Request> box, T t) where T : Request { box.Get().Send(); t.Next(); }
            void Out() { Fill(out var x); Fill(out Request y); y.Send(); void Fill(out Request r) { r = null; } }
        }";
    let calls = |from: &str| calls_from(&[("Server.cs", text)], &format!("Server.{from}"));
    assert_eq!(calls("Start"), ["Request.Next", "Request.Prev", "Request.Send", "Server.Each", "Server.On"]);
    assert_eq!(calls("Loop"), ["Request.Next", "Request.Send", "Request.this[]"]);
    assert_eq!(calls("Some"), ["Request.Load", "Request.Next", "Request.Send"]);
    assert_eq!(calls("Wait"), ["Request.Load", "Request.Send"]);
    assert_eq!(calls("Make"), ["Request", "Request.Next", "Request.Send"]);
    assert_eq!(calls("Up"), ["Base.Go", "Request.Send", "Server.Some"]);
    assert_eq!(calls("Box"), ["IBox.Get", "Request.Next", "Request.Send"]);
    assert_eq!(calls("Out"), ["Request.Send", "Server.Out.Fill"]);
    let edges = edges_from(&[("Server.cs", text)], "Server.Make");
    assert!(edges.contains(&"accesses_field Request.All".to_owned()), "{edges:?}");
}

#[test]
fn members_of_the_library_have_types() {
    let text = "namespace P;
        class Order { public Line Main; public List<Line> Lines { get; } public void Pay() { } }
        class Line { public void Print() { } public int Size; }
        class Shop {
            Dictionary<string, Order> orders;
            void Query() {
                orders.Values.Where(o => o.Main != null).SelectMany(o => o.Lines).First().Print();
                orders[\"a\"].Pay();
                foreach (var pair in orders) pair.Value.Lines.ForEach(one => one.Print());
                var lines = from o in orders.Values select o; var list = orders.Values.ToList(); list[0].Pay();
            }
            async Task Load(Task<Order> task) { (await task.ConfigureAwait(false)).Pay(); task.Result.Main.Print(); }
        }";
    let calls = |from: &str| calls_from(&[("Shop.cs", text)], from);
    assert_eq!(calls("Shop.Query"), ["Line.Print", "Order.Pay"]);
    assert_eq!(calls("Shop.Load"), ["Line.Print", "Order.Pay"]);
}

#[test]
fn extension_methods_belong_to_their_receivers() {
    let text = "namespace P;
        class Cart { public int Size; }
        interface ILog { }
        class FileLog : ILog { }
        static class Extensions {
            public static Cart Twice(this Cart cart) { return cart; }
            public static T Checked<T>(this T value) { return value; }
            public static void Write(this ILog log, string text) { }
            public static string Shout(this string text) { return text; }
            public static void Every<T>(this IEnumerable<T> all, Action<T> act) { }
        }
        class User { void Use(Cart cart, FileLog log, List<Cart> carts) {
            cart.Twice().Checked().Twice(); log.Write(\"a\".Shout()); carts.Every(one => one.Twice()); } }";
    let expected =
        ["Extensions.Checked", "Extensions.Every", "Extensions.Shout", "Extensions.Twice", "Extensions.Write"];
    assert_eq!(calls_from(&[("Cart.cs", text)], "User.Use"), expected);
}

#[test]
fn arguments_choose_overloads() {
    let text = r#"namespace P;
        class Job : Work { }
        class Work { }
        class Log {
            void Write(string text) { }
            void Write(int number) { }
            void Write(Work work) { }
            void Write(string text, params object[] values) { }
            void All(Job job) { Write("a"); Write(1); Write(job); Write("a", 1, 2); }
        }"#;
    let mut signatures = crate::resolve::tests::signatures_called(&[("Log.cs", text)], "Log.All");
    signatures.sort();
    let expected = [
        "void Write(Work work)",
        "void Write(int number)",
        "void Write(string text)",
        "void Write(string text, params object[] values)",
    ];
    assert_eq!(signatures, expected);
}

#[test]
fn attributes_make_tests_and_routes() {
    let text = "namespace P;
        class AuditAttribute : Attribute { }
        [Route(\"api/[controller]\")]
        class UsersController {
            [HttpGet(\"{id}\")] [Audit] string One() { return Environment.GetEnvironmentVariable(\"HOME\"); }
            [Fact] void Finds() { }
            static void Map(App app) { app.MapPost(\"/users\", Create); }
            static void Create() { }
        }";
    let facts = parse("Users.cs", text);
    let signals: Vec<String> = (facts.code.signals.iter())
        .map(|signal| match &signal.kind {
            crate::facts::SignalKind::Route { route, .. } => facts.outline.names.get(*route).to_owned(),
            crate::facts::SignalKind::ReadsEnv(name) => facts.outline.names.get(*name).to_owned(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(signals, ["GET /api/Users/{id}", "HOME", "POST /users"]);
    let tests: Vec<bool> = facts.outline.definitions.iter().map(|one| one.flags.is_test).collect();
    assert_eq!(tests, [false, false, false, true, false, false]);
    let edges = edges_from(&[("Users.cs", text)], "UsersController.One");
    assert_eq!(edges, ["decorates AuditAttribute"]);
}

#[test]
fn out_variables_have_the_types_of_the_parameters() {
    let text = "namespace P;
        class Item { public void Pack() { } }
        class Store { public bool Find(int id, out Item item) { item = null; return true; } }
        class Shop {
            Dictionary<string, Item> all;
            void Run(Store store) {
                if (store.Find(1, out var found)) { found.Pack(); }
            }
            void Look() { if (all.TryGetValue(\"a\", out var known)) { known.Pack(); } }
        }";
    let sources = [("Shop.cs", text)];
    assert_eq!(calls_from(&sources, "Shop.Run"), ["Item.Pack", "Store.Find"]);
    assert_eq!(calls_from(&sources, "Shop.Look"), ["Item.Pack"]);
}

#[test]
fn classes_of_one_name_in_two_projects_are_two_types() {
    let files = [
        ("Depot/Stock.cs", "namespace E;\npublic class Stock { public void Save() {} }\n"),
        ("Depot/Job.cs", "namespace E;\nclass Job { Stock s; void Two() { s.Save(); } }\n"),
        ("Shop/Stock.cs", "namespace E;\npublic class Stock { public void Save(int n = 0) {} }\n"),
        ("Shop/Till.cs", "namespace E;\nclass Till { Stock s; void One() { s.Save(); } }\n"),
        ("Shop/Bag.cs", "namespace E;\npartial class Bag { void Put() { Take(); } }\n"),
        ("Shop/Parts/Bag.cs", "namespace E;\npartial class Bag { void Take() {} }\n"),
    ];
    assert_eq!(signatures_called(&files, "Job.Two"), ["public void Save()"]);
    assert_eq!(signatures_called(&files, "Till.One"), ["public void Save(int n = 0)"]);
    assert_eq!(signatures_called(&files, "Bag.Put"), ["void Take()"]);
}

#[test]
fn types_beside_a_namespace_block_belong_to_no_namespace() {
    let files = [
        (
            "Guard.cs",
            "namespace X.Y { class Unused {} }\nstatic class Guard { public static void NotNull(object a) {} }\n",
        ),
        ("Use.cs", "namespace Z; class Use { void Go() { Guard.NotNull(1); } }\n"),
        ("Other.cs", "namespace X.Y { class Other { Unused one; void Go() { Guard.NotNull(one); } } }\n"),
    ];
    assert_eq!(calls_from(&files, "Use.Go"), ["Guard.NotNull"]);
    assert_eq!(calls_from(&files, "Other.Go"), ["Guard.NotNull"]);
    assert!(
        edges_from(&files, "Other").iter().any(|edge| edge.ends_with("Unused")),
        "{:?}",
        edges_from(&files, "Other")
    );
}

#[test]
fn a_method_that_is_named_without_a_call_is_used() {
    let text = "namespace N;
public class Svc {
    event System.Action Done;
    public void Run(System.Collections.Generic.List<int> xs) {
        xs.ForEach(Print);
        System.Func<int, int> f = Twice;
        xs.Select(this.Thrice);
        xs.Select(Util.Four);
        Done += OnDone;
        new System.Threading.Thread(Work);
    }
    void Print(int x) { }
    static int Twice(int x) => x * 2;
    int Thrice(int x) => x * 3;
    void OnDone() { }
    void Work() { }
}
public static class Util { public static int Four(int x) => 4; }
";
    let edges = edges_from(&[("Svc.cs", text)], "Svc.Run");
    for used in ["Svc.Print", "Svc.Twice", "Svc.Thrice", "Svc.OnDone", "Svc.Work", "Util.Four"] {
        assert!(edges.contains(&format!("references {used}")), "{used}: {edges:?}");
    }
}

#[test]
fn an_extension_method_is_suggested_by_its_name_on_a_member_of_an_external_value() {
    let files = [
        (
            "Ext.cs",
            "namespace N; public static class Bag { public static void PutNote(this IDictionary<object, object> bag, string e) {} }",
        ),
        (
            "Use.cs",
            "namespace N; class Use { void Go(HttpContext context) { context.Items.PutNote(\"x\"); context.Items.Remove(1); } }",
        ),
    ];
    assert_eq!(calls_from(&files, "Use.Go"), ["Bag.PutNote"]);
}
