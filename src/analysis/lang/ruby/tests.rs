//! Facts and edges of Ruby snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges_from};

const CART: &str = r#"# Shopping.

require "json"

module Shop
  # Holds what a customer buys.
  class Cart < Basket
    include Priced
    LIMIT = 9
    Line = Struct.new(:item, :count) do
      def total = item.price * count
    end
    attr_reader :items, :owner

    def initialize(owner, limit: LIMIT)
      @owner = owner
      @items = []
    end

    # Adds an item.
    def add(item, *notes, &block)
      check(item)
      @items << item
    end

    def self.open(name)
      new(name)
    end

    class << self
      def default; end
    end

    alias_method :push, :add
    delegate :size, to: :items
  end
end

class Shop::Order; end
"#;

#[test]
fn definitions() {
    let expected = [
        "interface Shop: module Shop",
        "type Shop.Cart: class Cart < Basket",
        "const Shop.Cart.LIMIT: LIMIT = 9",
        "type Shop.Cart.Line: Line = Struct.new(:item, :count) do def total = item.price * count end",
        "field Shop.Cart.Line.item: :item",
        "field Shop.Cart.Line.count: :count",
        "method Shop.Cart.Line.total: def total",
        "method Shop.Cart.items: attr_reader :items, :owner",
        "method Shop.Cart.owner: attr_reader :items, :owner",
        "method Shop.Cart.initialize: def initialize(owner, limit: LIMIT)",
        "field Shop.Cart.@owner: @owner = owner",
        "field Shop.Cart.@items: @items = []",
        "method Shop.Cart.add: def add(item, *notes, &block)",
        "method Shop.Cart.open: def self.open(name)",
        "method Shop.Cart.default: def default; end",
        "method Shop.Cart.push: alias_method :push, :add",
        "method Shop.Cart.size: delegate :size, to: :items",
        "type Shop.Order: class Shop::Order; end",
    ];
    assert_eq!(outline("lib/shop/cart.rb", CART), expected);
    let facts = parse("lib/shop/cart.rb", CART);
    let docs: Vec<&str> =
        facts.outline.definitions.iter().map(|one| one.doc.as_str()).filter(|d| !d.is_empty()).collect();
    assert_eq!(docs, ["Holds what a customer buys.", "Adds an item."]);
}

#[test]
fn classes_are_reopened() {
    let sources = [
        ("lib/shop.rb", "module Shop\n  def self.logger = Logger.new\n  class Error < StandardError; end\nend"),
        (
            "lib/shop/cart.rb",
            "module Shop\n  class Cart\n    def add\n      check\n      Shop.logger\n    end\n  end\nend",
        ),
        ("lib/shop/more.rb", "class Shop::Cart\n  def check\n    raise Shop::Error, 'x'\n  end\nend"),
        ("lib/main.rb", "def run\n  cart = Shop::Cart.new\n  cart.check\n  cart.add\nend"),
    ];
    assert_eq!(calls_from(&sources, "Shop.Cart.add"), ["Shop.Cart.check", "Shop.logger"]);
    assert_eq!(calls_from(&sources, "run"), ["Shop.Cart", "Shop.Cart.add", "Shop.Cart.check"]);
    let check = edges_from(&sources, "Shop.Cart.check");
    assert!(check.contains(&"throws Shop.Error".to_owned()), "{check:?}");
}

#[test]
fn receivers_have_the_type_of_what_is_assigned() {
    let text = "class Store\n  def save; end\n  def self.open = new\nend
class Cart\n  attr_reader :store\n  def initialize\n    @store = Store.open\n  end
  def add\n    store.save\n    @store.save\n    other = self.store\n    other.save\n  end\nend";
    let sources = [("lib/a.rb", text)];
    assert_eq!(calls_from(&sources, "Cart.add"), ["Cart.store", "Store.save"]);
    assert_eq!(calls_from(&sources, "Cart.initialize"), ["Store.open"]);
    assert_eq!(
        edges_from(&sources, "Cart.add"),
        ["accesses_field Cart.@store", "calls Cart.store", "calls Store.save"]
    );
}

#[test]
fn methods_of_a_class_and_of_its_instances_differ() {
    let text = "class Job\n  def self.call(x) = new.call\n  def call\n    helper\n  end\n  def helper = self.class.call(1)\nend
module Util\n  module_function\n  def twice; end\nend
module Named\n  def title = name_of\n  def name_of; end\nend
class Book\n  include Named\n  def initialize; end\n  def show\n    title\n    Util.twice\n    Book.new\n  end\nend
class Atlas < Book\n  def show\n    super\n  end\nend";
    let sources = [("lib/a.rb", text)];
    assert_eq!(edges_from(&sources, "Job.call"), ["calls Job", "calls Job.call", "calls Job.helper"]);
    assert_eq!(calls_from(&sources, "Book.show"), ["Book", "Book.initialize", "Named.title", "Util.twice"]);
    assert_eq!(calls_from(&sources, "Atlas.show"), ["Book.show"]);
    assert_eq!(edges_from(&sources, "Book"), ["implements Named"]);
}

#[test]
fn blocks_have_elements() {
    let text = "class Item\n  def price; end\nend
class Cart\n  def total\n    [Item.new].each { |item| item.price }\n    [Item.new].map(&:price)\n  end
  def first\n    [Item.new].first.price\n  end\nend";
    assert_eq!(calls_from(&[("lib/a.rb", text)], "Cart.total"), ["Item", "Item.price"]);
    assert_eq!(calls_from(&[("lib/a.rb", text)], "Cart.first"), ["Item", "Item.price"]);
}

#[test]
fn files_are_required() {
    let sources = [
        ("lib/shop.rb", "require 'shop/cart'\nrequire_relative 'shop/item'\nrequire 'json'"),
        ("lib/shop/cart.rb", ""),
        ("lib/shop/item.rb", ""),
    ];
    let edges = crate::resolve::tests::edges(&sources);
    let lines: Vec<String> =
        edges.iter().map(|edge| format!("{} {} {}", edge.source, edge.edge_type, edge.target)).collect();
    assert_eq!(lines, ["lib/shop.rb imports lib/shop/cart.rb", "lib/shop.rb imports lib/shop/item.rb"]);
}

#[test]
fn tests_are_functions_with_their_descriptions() {
    let spec = "RSpec.describe Shop::Cart do\n  context 'when empty' do\n    it 'adds items' do\n      Shop::Cart.new.add\n    end
  end\nend";
    assert_eq!(outline("spec/cart_spec.rb", spec), ["function Shop::Cart.when empty.adds items: it 'adds items'"]);
    let sources =
        [("spec/cart_spec.rb", spec), ("lib/cart.rb", "module Shop\n  class Cart\n    def add; end\n  end\nend")];
    let calls = calls_from(&sources, "Shop::Cart.when empty.adds items");
    assert_eq!(calls, ["Shop.Cart", "Shop.Cart.add"]);
    let minitest = "class CartTest < Minitest::Test\n  test 'adds one' do\n  end\n  def test_add; end\nend";
    let lines = outline("test/cart_test.rb", minitest);
    assert_eq!(
        lines[1..],
        ["method CartTest.adds one: test 'adds one'", "method CartTest.test_add: def test_add; end"]
    );
}

#[test]
fn routes_have_handlers() {
    let facts = parse("app.rb", "get '/users/:id' do\n  show\nend\nget '/x', to: 'admin/users#show'");
    let lines: Vec<String> = facts.code.signals.iter().map(|signal| format!("{:?}", signal.source)).collect();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(outline("app.rb", "get '/users' do\nend"), ["function GET /users: get '/users'"]);
}

#[test]
fn an_extended_module_has_methods_of_the_class_only() {
    let text = "module Findable\n  def find; end\nend
class Store\n  extend Findable\n  def find; end\nend
class Shelf < Store\nend
class Page\n  extend Findable\n  def show = find\nend
def run\n  Shelf.find\n  Store.new.find\nend";
    let sources = [("lib/a.rb", text)];
    assert_eq!(calls_from(&sources, "run"), ["Findable.find", "Store", "Store.find"]);
    assert!(calls_from(&sources, "Page.show").is_empty());
    assert_eq!(edges_from(&sources, "Page"), ["implements Findable"]);
}

#[test]
fn resources_have_the_actions_of_their_controllers() {
    let routes = "Rails.application.routes.draw do
  root to: 'pages#home'
  resources :users, only: [:index, :show] do
    get :preview, on: :member
    member { post :lock }
    resource :profile, except: :destroy
  end
  namespace :admin do
    resources :posts, only: :destroy
    get 'stats' => 'reports#stats'
  end
end";
    let controllers = "class UsersController\n  def index; end\n  def show; end\n  def preview; end\n  def lock; end\n  def new; end\nend
class ProfilesController\n  def show; end\n  def destroy; end\nend
module Admin\n  class PostsController\n    def destroy; end\n  end\n  class ReportsController\n    def stats; end\n  end\nend";
    let edges = crate::resolve::tests::edges(&[("config/routes.rb", routes), ("app/all.rb", controllers)]);
    let mut lines: Vec<String> = edges
        .iter()
        .filter(|edge| edge.edge_type == "handles_route")
        .map(|edge| format!("{} {}", edge.source, edge.target))
        .collect();
    lines.sort();
    let expected = [
        "DELETE /admin/posts/:id Admin.PostsController.destroy",
        "GET /admin/stats Admin.ReportsController.stats",
        "GET /users UsersController.index",
        "GET /users/:id UsersController.show",
        "GET /users/:user_id/preview UsersController.preview",
        "GET /users/:user_id/profile ProfilesController.show",
        "POST /users/:id/lock UsersController.lock",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn files_of_ruby_without_an_extension() {
    assert_eq!(outline("Rakefile", "task :clean do\nend"), ["function clean: task :clean"]);
}

#[test]
fn associations_and_scopes_are_methods_of_models() {
    let models = "class Person < ApplicationRecord
  def greet; end
end
class Issue < ApplicationRecord
  belongs_to :author, class_name: 'Person'
  has_many :people
  has_one :twin, :class_name => '::Issue'
  scope :open, -> { where(closed: false) }
  has_one_attached :file
  def close; end
  def notify
    author.greet
    people.first.greet
    twin.close
    Issue.open.last.close
    unknown.save
  end
end
class Journal
  def save; end
end
";
    let sources = [("models.rb", models)];
    let expected = ["Issue.author", "Issue.close", "Issue.open", "Issue.people", "Issue.twin", "Person.greet"];
    assert_eq!(calls_from(&sources, "Issue.notify"), expected);
}

#[test]
fn a_mixin_calls_methods_of_its_siblings() {
    let text = "class Request
  module Env\n    def header(n) = n\n    def bare; end\n  end
  module Helpers\n    def host = header('Host')\n    def other = nothing\n  end
  include Env\n  include Helpers\n  def path; end\nend
module Named\n  def label = path_of\nend
class One\n  include Named\n  def path_of; end\nend
class Two\n  include Named\n  def path_of; end\nend
module ClassMethods\n  def build = create_one\nend
class Three\n  extend ClassMethods\n  def self.create_one; end\nend";
    let sources = [("lib/a.rb", text)];
    assert_eq!(calls_from(&sources, "Request.Helpers.host"), ["Request.Env.header"]);
    assert_eq!(calls_from(&sources, "ClassMethods.build"), ["Three.create_one"]);
    // Two types have different methods of the name.
    assert!(calls_from(&sources, "Named.label").is_empty());
}

#[test]
fn names_of_testing_libraries_are_not_guessed() {
    let text = "class Page\n  def to(x); end\n  def stubs; end\n  def unusual_name; end\nend";
    let spec = "def check(page, thing)\n  expect(page).to eq(1)\n  thing.stubs\n  thing.unusual_name\nend";
    assert_eq!(calls_from(&[("lib/page.rb", text), ("spec/page_spec.rb", spec)], "check"), ["Page.unusual_name"]);
}

#[test]
fn other_names_of_methods_lead_to_them() {
    let text = "class Tool
  before_action :prepare, if: :ready?
  def run; end
  alias go run
  alias_method :start, :run
  delegate :size, to: :part
  def part = Part.new
  def prepare; end
  def ready?; end
  def one; go; end
  def two; start; end
  def three; method(:run).call; [1].each(&method(:run)); end
  def four; send(:run); end
  def five(other) = other.public_send(:run)
end
class Part\n  def size; end\nend";
    let sources = [("lib/a.rb", text)];
    assert_eq!(calls_from(&sources, "Tool.one"), ["Tool.go", "Tool.run"]);
    assert_eq!(calls_from(&sources, "Tool.two"), ["Tool.run", "Tool.start"]);
    assert_eq!(edges_from(&sources, "Tool.three"), ["references Tool.run"]);
    assert_eq!(calls_from(&sources, "Tool.four"), ["Tool.run"]);
    assert_eq!(calls_from(&sources, "Tool.size"), ["Part.size"]);
    assert_eq!(edges_from(&sources, "Tool"), ["references Tool.prepare", "references Tool.ready?"]);
}

#[test]
fn of_two_classes_of_a_name_the_required_or_nearest_one_is_meant() {
    let stock = "class Stock\n  def save; end\nend";
    let user = |name: &str, head: &str| format!("{head}\nclass {name}\n  def go; Stock.new.save; end\nend");
    let (till, job) = (user("Till", "require_relative '../depot/stock'"), user("Job", ""));
    let sources =
        [("depot/stock.rb", stock), ("shop/stock.rb", stock), ("shop/job.rb", &*job), ("shop/till.rb", &*till)];
    let targets = |from: &str| {
        let files: Vec<_> = crate::resolve::tests::target_files(&sources, from, "Stock.save");
        files
    };
    assert_eq!(targets("Till.go"), ["depot/stock.rb"]);
    assert_eq!(targets("Job.go"), ["shop/stock.rb"]);
}

#[test]
fn names_of_a_group_of_tests_have_the_values_of_their_blocks() {
    let product = "module Shop\n  class Cart\n    def initialize; end\n    def add; self; end\n    def note; only_tests; end\n  end\nend";
    let spec = "def only_tests; end
RSpec.describe Shop::Cart do
  let(:cart) { described_class.new }
  subject { cart }
  it 'adds' do
    cart.add
  end
  context 'twice' do
    subject(:twice) { cart.add }
    it('adds again') { twice.add }
    it('is one') { subject.add }
  end
end
cart.add";
    let sources = [("lib/cart.rb", product), ("spec/cart_spec.rb", spec)];
    let calls = |name: &str| calls_from(&sources, &format!("Shop::Cart.{name}"));
    assert_eq!(calls("adds"), ["Shop.Cart.add", "Shop::Cart.cart"]);
    assert_eq!(calls("cart"), ["Shop.Cart", "Shop.Cart.initialize"]);
    assert_eq!(calls("twice.adds again"), ["Shop.Cart.add", "Shop::Cart.twice.twice"]);
    assert_eq!(calls("twice.is one"), ["Shop.Cart.add", "Shop::Cart.subject"]);
    assert!(calls_from(&sources, "Shop.Cart.note").is_empty());
}
