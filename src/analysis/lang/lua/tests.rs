//! Tests of Lua's extraction and resolution.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::{calls_from, edges_from};

const CART: &str = r#"#!/usr/bin/lua
-- Carts.

local item = require("shop.item")
local Base = { limit = 3, speak = function(self) end }
local Cart = setmetatable({}, { __index = Base })
-- Makes a cart.
function Cart.new(owner) return setmetatable({ owner = owner }, Cart) end
function Cart:total(a, ...) return self:speak() end
Cart.add = function(cart, one) item.weigh(one) end
Cart["x" .. 1] = function() end
local function hidden() end
function shared() hidden() end
function other.lib.far() end
local run = function() local cart = Cart.new(1) cart:total() end
return Cart
"#;

#[test]
fn functions_belong_to_the_tables_that_their_names_name() {
    let expected = [
        "type Base: local Base = { limit = 3, speak = function(self) end }",
        "method Base.speak: speak = function(self) end",
        "type Cart: local Cart = setmetatable({}, { __index = Base })",
        "method Cart.new: function Cart.new(owner)",
        "method Cart.total: function Cart:total(a, ...)",
        "method Cart.add: Cart.add = function(cart, one)",
        "function hidden: local function hidden() end",
        "function shared: function shared()",
        "method other.lib.far: function other.lib.far() end",
        "function run: local run = function()",
    ];
    assert_eq!(outline("shop/cart.lua", CART), expected);
    let facts = parse("shop/cart.lua", CART);
    assert_eq!(facts.outline.doc, "Carts.");
    assert_eq!(facts.outline.definitions[3].doc, "Makes a cart.");
}

#[test]
fn calls_resolve_through_require_and_metatables() {
    let item = "local M = {}\nfunction M.weigh(one) end\nreturn M\n";
    let main = "local Cart = require 'shop.cart'\nlocal function go() Cart.new(1):total() shared() end";
    let sources = [("shop/cart.lua", CART), ("shop/item.lua", item), ("main.lua", main)];
    assert_eq!(edges_from(&sources, "Cart"), ["extends Base"]);
    assert_eq!(calls_from(&sources, "Cart.add"), ["M.weigh"]);
    assert_eq!(calls_from(&sources, "Cart.total"), ["Base.speak"]);
    assert_eq!(calls_from(&sources, "run"), ["Cart.new", "Cart.total"]);
    assert_eq!(calls_from(&sources, "go"), ["Cart.new", "Cart.total", "shared"]);
}

#[test]
fn a_returned_table_has_local_functions() {
    let util = "local function one() end\nreturn { one = one, two = function() one() end, sub = { one = one } }";
    let main = "local util = require('util')\nfunction go() util.one() util.sub.one() one() end";
    let sources = [("src/util.lua", util), ("src/main.lua", main)];
    assert_eq!(calls_from(&sources, "go"), ["one"]);
    let names = "function same() end";
    let far = [("a/x.lua", names), ("b/x.lua", names), ("a/y.lua", "function go() same() end"), ("z.lua", "same()")];
    assert_eq!(crate::resolve::tests::edges(&far).iter().filter(|edge| edge.edge_type == "calls").count(), 1);
}

#[test]
fn members_forward_locals_and_all_returned_values_are_read() {
    let core = "local core = {}\nfunction core.root() end\nfunction core.join() end\nreturn core";
    let path = "local core = require('core')\nlocal path = {}\npath.root = core.root\npath.limit = 3
local step, other
local function start() step() return core.join(), other(), core.root() end
step = function() start() end
function other() end
function path.all() local inner; local go = function() inner() end; inner = function() go() end return go, inner() end
return path";
    let main = "local path = require('path')\nlocal function main() path.root() path.all() end";
    let sources = [("core.lua", core), ("path.lua", path), ("main.lua", main), ("far.lua", "step()")];
    assert_eq!(calls_from(&sources, "start"), ["core.join", "core.root", "other", "step"]);
    assert_eq!(calls_from(&sources, "step"), ["start"]);
    assert_eq!(edges_from(&sources, "main"), ["calls core.root", "calls path.all", "calls path.root"]);
    // A local function is not a name of other files.
    assert!(!crate::resolve::tests::edges(&sources).iter().any(|edge| edge.source == "far.lua"));
}
