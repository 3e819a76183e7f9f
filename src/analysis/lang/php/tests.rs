//! Facts and edges of PHP snippets.

use crate::facts::SignalKind;
use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges_from};

const CART: &str = r#"<?php
namespace Shop;

use Shop\Model\Item;

/** Holds what a customer buys. */
#[Entity]
final class Cart extends Basket implements Priced
{
    use Logs;

    public const LIMIT = 9, MANY = 10;
    private array $items = [];
    protected static ?Item $last;

    public function __construct(private readonly Item $first, int $size = 1) {}

    /**
     * Adds an item.
     */
    #[Deprecated]
    public function add(Item $item, string ...$notes): bool { return true; }
}

enum Suit: string { case Hearts = 'H'; }
interface Priced { public function price(): int; }
trait Logs { }
function helper(int $a) { return new class extends Cart { function run() {} }; }
const MANY = 1;
"#;

#[test]
fn definitions() {
    let expected = [
        "type Cart: final class Cart extends Basket implements Priced",
        "field Cart.LIMIT: public const LIMIT = 9, MANY = 10",
        "field Cart.MANY: public const LIMIT = 9, MANY = 10",
        "field Cart.items: private array $items = []",
        "field Cart.last: protected static ?Item $last",
        "field Cart.first: private readonly Item $first",
        "method Cart.__construct: public function __construct(private readonly Item $first, int $size = 1)",
        "method Cart.add: public function add(Item $item, string ...$notes): bool",
        "type Suit: enum Suit: string",
        "field Suit.Hearts: case Hearts = 'H'",
        "interface Priced: interface Priced",
        "method Priced.price: public function price(): int",
        "type Logs: trait Logs",
        "function helper: function helper(int $a)",
        "type helper.class@anonymous: class extends Cart",
        "method helper.class@anonymous.run: function run()",
        "const MANY: const MANY = 1",
    ];
    assert_eq!(outline("Cart.php", CART), expected);
    let facts = parse("Cart.php", CART);
    let docs: Vec<&str> =
        facts.outline.definitions.iter().map(|one| one.doc.as_str()).filter(|d| !d.is_empty()).collect();
    assert_eq!(docs, ["Holds what a customer buys.", "Adds an item."]);
}

#[test]
fn names_resolve_by_namespace() {
    let item = "<?php namespace Shop\\Model; class Item { static function make(): self { return new static; } \
                function price() {} } function tax() {}";
    let global = "<?php function round_up() {} class Legacy { function run() {} }";
    let user = "<?php namespace Shop;
        use Shop\\Model\\Item as Thing;
        use Shop\\Model;
        use function Shop\\Model\\tax;
        class User {
            function all(Thing $a, Model\\Item $b) { $a->price(); $b->price(); tax(); round_up(); strlen('x'); }
            function absolute() { (new \\Legacy)->run(); \\Shop\\Model\\tax(); }
            function created() { return Thing::make()->price(); }
        }";
    let sources = [("a/Item.php", item), ("b/global.php", global), ("c/User.php", user)];
    assert_eq!(calls_from(&sources, "User.all"), ["Item.price", "round_up", "tax"]);
    assert_eq!(calls_from(&sources, "User.absolute"), ["Legacy", "Legacy.run", "tax"]);
    assert_eq!(calls_from(&sources, "User.created"), ["Item.make", "Item.price"]);
    assert_eq!(calls_from(&sources, "Item.make"), ["Item"]);
}

#[test]
fn members_come_from_bases_and_traits() {
    let text = "<?php
        class Base { protected Log $log; function __construct(Log $log) { $this->log = $log; } function save() {} }
        trait Counts { function count() {} }
        class Log { function write() {} static function open() {} }
        class Cart extends Base {
            use Counts;
            function add() { $this->log->write(); $this->count(); self::save(); parent::save(); Log::open(); }
            function later() { return function () { $this?->count(); }; }
        }";
    let sources = [("Cart.php", text)];
    let expected = ["Base.save", "Counts.count", "Log.open", "Log.write"];
    assert_eq!(calls_from(&sources, "Cart.add"), expected);
    assert_eq!(calls_from(&sources, "Cart.later"), ["Counts.count"]);
    assert_eq!(edges_from(&sources, "Cart"), ["extends Base", "extends Counts"]);
}

#[test]
fn variables_have_the_types_of_their_values() {
    let text = "<?php
        class A { function go() { return $this; } function other(): B { } }
        class B { function go() {} }
        function assigned() { $x = new A(); $x->go()->other()->go(); }
        function branches($x) { if ($x instanceof A) { $x->go(); } elseif ($x instanceof B) { $x->go(); } }
        function caught() { try { } catch (A $e) { $e->go(); } }
        function closure() { $f = fn (A $a) => $a->go(); $g = function (B $b) { $b->go(); }; }
        function chosen($y) { $x = $y ?? new A; $x->go(); }
        function called() { assigned(); $f = 'assigned'; $f(); }";
    let sources = [("a.php", text)];
    assert_eq!(calls_from(&sources, "assigned"), ["A", "A.go", "A.other", "B.go"]);
    assert_eq!(calls_from(&sources, "branches"), ["A.go", "B.go"]);
    assert_eq!(calls_from(&sources, "caught"), ["A.go"]);
    assert_eq!(calls_from(&sources, "closure"), ["A.go", "B.go"]);
    assert_eq!(calls_from(&sources, "chosen"), ["A", "A.go"]);
    assert_eq!(calls_from(&sources, "called"), ["assigned"]);
}

#[test]
fn doc_comments_have_types() {
    let text = "<?php
        class Item { function go() {} }
        /** @template T */
        class Box {
            /** @var Item[] */ private $items;
            private $size;
            /** @param Item $size */
            function __construct($size) { $this->size = $size; }
            /** @return \\Generator<int, Item> */
            function each() { }
            /** @return T|null */
            function first() { }
            /** @param array<string, Item> $more */
            function all(array $more) { foreach ($this->items as $item) { $item->go(); } $this->size->go(); }
            /** @param array<string, Item> $more */
            function some(array $more) { $more['x']->go(); foreach ($this->each() as $one) { $one->go(); } }
        }
        /** @extends Box<Item> */
        class Items extends Box { function one() { $this->first()->go(); } }
        class Test { function mocked() { /** @var Item $x */ $x = make(); $x->go(); } }";
    let sources = [("a.php", text)];
    assert_eq!(calls_from(&sources, "Box.all"), ["Item.go"]);
    assert_eq!(calls_from(&sources, "Box.some"), ["Box.each", "Item.go"]);
    assert_eq!(calls_from(&sources, "Items.one"), ["Box.first", "Item.go"]);
    assert_eq!(calls_from(&sources, "Test.mocked"), ["Item.go"]);
}

#[test]
fn callables_and_files_are_references() {
    let text = "<?php class A { function go() {} function all() { usort($x, [$this, 'go']); f([A::class, 'go']); } }
        require __DIR__ . '/../lib/b.php';";
    let sources = [("src/a.php", text), ("lib/b.php", "<?php function f() {}")];
    assert_eq!(edges_from(&sources, "A.all"), ["calls f", "references A", "references A.go"]);
    let files = crate::resolve::tests::edges(&sources);
    assert!(files.iter().any(|edge| edge.edge_type == "imports" && edge.target == "lib/b.php"));
}

#[test]
fn routes_and_environment() {
    let text = "<?php
        #[Route('/users')]
        class Users {
            #[Route('/{id}', name: 'one', methods: ['GET', 'PUT'])]
            function one() { getenv('HOME'); $_ENV['PATH']; new Process(['git', 'log']); exec('ls -l'); }
            #[Test]
            function finds() { $client->request('GET', '/users/1'); }
        }
        Route::get('/carts', [Users::class, 'one']);";
    let facts = parse("Users.php", text);
    let name = |atom| facts.outline.names.get(atom);
    let signals: Vec<&str> = (facts.code.signals.iter())
        .map(|signal| match &signal.kind {
            SignalKind::Route { route, .. } => name(*route),
            SignalKind::GatedBy { flag, .. } => name(*flag),
            SignalKind::ReadsEnv(text) | SignalKind::Executes(text) | SignalKind::Endpoint(text) => name(*text),
            SignalKind::SetsEnv(text) | SignalKind::Names { name: text, .. } => name(*text),
        })
        .collect();
    let expected = ["GET /users/{id}", "PUT /users/{id}", "HOME", "PATH", "git", "ls", "GET /users/1", "GET /carts"];
    assert_eq!(signals, expected);
    let tests: Vec<bool> = facts.outline.definitions.iter().map(|one| one.flags.is_test).collect();
    assert_eq!(tests, [false, false, true]);
}

#[test]
fn tests_run_by_phpunit() {
    let test = |name| crate::lang::test_runner::TestDefinition {
        file: "tests/CartTest.php",
        scope: "CartTest",
        name,
        kind: crate::model::SymbolKind::Method,
        is_nested: false,
        is_used: false,
        is_whole_file: false,
        is_whole_class: false,
    };
    assert!((super::test_runner::RUNNER.is_test)(&test("testAdd")));
    assert!(!(super::test_runner::RUNNER.is_test)(&test("setUp")));
    let commands = crate::lang::test_runner::commands(&[test("testAdd"), test("testDrop")], &[]);
    assert_eq!(commands, ["vendor/bin/phpunit --filter 'CartTest::testAdd|CartTest::testDrop' tests/CartTest.php"]);
}

#[test]
fn a_file_can_have_several_namespaces() {
    let braces = "<?php namespace Shop\\A { class Item { function pack() {} } function wrap() {} }
        namespace Shop\\B { use Shop\\A\\Item; class Cart { function add(Item $item) { $item->pack(); \\Shop\\A\\wrap(); } } }";
    let lines = "<?php\nnamespace Shop\\C;\nfunction wrap() {}\nnamespace Shop\\D;\nfunction wrap() {}\nfunction run() { wrap(); }";
    assert_eq!(
        outline("a.php", lines),
        [
            "package Shop.C: namespace Shop\\C",
            "function Shop.C.wrap: function wrap()",
            "package Shop.D: namespace Shop\\D",
            "function Shop.D.wrap: function wrap()",
            "function Shop.D.run: function run()",
        ]
    );
    let sources = [("a.php", braces), ("b.php", lines)];
    assert_eq!(calls_from(&sources, "Shop.B.Cart.add"), ["Shop.A.Item.pack", "Shop.A.wrap"]);
    assert_eq!(calls_from(&sources, "Shop.D.run"), ["Shop.D.wrap"]);
}

#[test]
fn resources_and_single_action_controllers_handle_routes() {
    let controllers = "<?php
namespace App\\Http\\Controllers;
class UploadController { public function __invoke() {} }
class AlbumController { public function index() {} public function show() {} public function create() {} public function destroy() {} }
class SongController { public function update() {} }";
    let routes = "<?php
use App\\Http\\Controllers\\AlbumController;
use App\\Http\\Controllers\\SongController;
use App\\Http\\Controllers\\UploadController;
Route::apiResource('albums', AlbumController::class)->except(['destroy']);
Route::middleware('auth')->resource('albums.songs', SongController::class)->only('update');
Route::post('up', UploadController::class);";
    let edges = crate::resolve::tests::edges(&[("routes/api.php", routes), ("app/all.php", controllers)]);
    let handled = edges.iter().filter(|edge| edge.edge_type == "handles_route");
    let mut lines: Vec<String> = handled.map(|edge| format!("{} {}", edge.source, edge.target)).collect();
    lines.sort();
    let expected = [
        "GET /albums AlbumController.index",
        "GET /albums/{album} AlbumController.show",
        "POST /up UploadController.__invoke",
        "PUT /albums/{album}/songs/{song} SongController.update",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn methods_of_traits_have_other_names() {
    let text = "<?php
trait Logs { protected function note($m) {} }
class One { use Logs { note as protected say; } function go() { $this->say('z'); } }
class Two { use Logs { Logs::note as public shout; } function go2() { $this->shout(1); } }";
    assert_eq!(calls_from(&[("a.php", text)], "One.go"), ["Logs.note", "One.say"]);
    assert_eq!(calls_from(&[("a.php", text)], "Two.go2"), ["Logs.note", "Two.shout"]);
}

#[test]
fn a_checked_property_has_the_type_of_the_check() {
    let text = "<?php
interface Handler { public function handle(); }
interface Resettable { public function reset(); }
interface Closable { public function close(); }
class Group {
    private Handler $handler;
    function clear() {
        if ($this->handler instanceof Resettable) { $this->handler->reset(); }
        $this->handler->handle();
    }
    function end() {
        if (!$this->handler instanceof Closable) { throw new \\Exception(); }
        $this->handler->close();
    }
    function swap(Handler $other) {
        if ($this->handler instanceof Closable) { $this->handler = $other; $this->handler->handle(); }
    }
}";
    let calls = |from: &str| calls_from(&[("a.php", text)], from);
    assert_eq!(calls("Group.clear"), ["Handler.handle", "Resettable.reset"]);
    assert_eq!(calls("Group.end"), ["Closable.close"]);
    assert_eq!(calls("Group.swap"), ["Handler.handle"]);
}
