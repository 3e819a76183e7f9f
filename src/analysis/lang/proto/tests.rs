//! Facts and edges of Protocol Buffers snippets.

use crate::lang::testing::{outline, parse};
use crate::resolve::tests::edges_from;

const STORE: &str = r#"
syntax = "proto3";
package shop.v1;

import "shop/v1/money.proto";
import "google/protobuf/timestamp.proto";

option java_package = "com.example.shop";

// Keeps what customers buy.
service Store {
  option deprecated = true;

  // Adds an item.
  rpc AddItem(AddItemRequest) returns (stream .shop.v1.Item) {
    option (google.api.http) = { post: "/v1/items" };
  }
  rpc Close (google.protobuf.Empty) returns (Money);
}

message AddItemRequest {
  /* The item. */
  Item item = 1;
  repeated string notes = 2 [deprecated = true];
  map<string, Money> prices = 3;
  oneof when {
    google.protobuf.Timestamp at = 4;
    Item.State state = 5;
  }
  reserved 6 to 9;
}

message Item {
  enum State { UNKNOWN = 0; OPEN = 1; }
}

extend google.protobuf.FieldOptions { string secret = 50000; }
"#;

#[test]
fn definitions() {
    let expected = [
        "interface Store: service Store",
        "method Store.AddItem: rpc AddItem(AddItemRequest) returns (stream .shop.v1.Item)",
        "method Store.Close: rpc Close (google.protobuf.Empty) returns (Money)",
        "type AddItemRequest: message AddItemRequest",
        "field AddItemRequest.item: Item item = 1",
        "field AddItemRequest.notes: repeated string notes = 2 [deprecated = true]",
        "field AddItemRequest.prices: map<string, Money> prices = 3",
        "field AddItemRequest.when: oneof when",
        "field AddItemRequest.at: google.protobuf.Timestamp at = 4",
        "field AddItemRequest.state: Item.State state = 5",
        "type Item: message Item",
        "type Item.State: enum State",
        "field Item.State.UNKNOWN: UNKNOWN = 0",
        "field Item.State.OPEN: OPEN = 1",
        "var secret: string secret = 50000",
    ];
    assert_eq!(outline("shop/v1/store.proto", STORE), expected);
    let facts = parse("shop/v1/store.proto", STORE);
    let docs: Vec<&str> =
        facts.outline.definitions.iter().map(|one| one.doc.as_str()).filter(|doc| !doc.is_empty()).collect();
    assert_eq!(docs, ["Keeps what customers buy.", "Adds an item.", "The item."]);
}

#[test]
fn types_are_those_of_imported_files() {
    let money = "syntax = \"proto3\"; package shop.v1; message Money { int64 cents = 1; }";
    let other = "syntax = \"proto3\"; package shop.v2; message Money { } message Timestamp { }";
    let sources =
        [("api/shop/v1/money.proto", money), ("api/shop/v2/money.proto", other), ("api/shop/v1/store.proto", STORE)];
    assert_eq!(edges_from(&sources, "Store.AddItem"), ["type_hint_of AddItemRequest", "type_hint_of Item"]);
    assert_eq!(edges_from(&sources, "Store.Close"), ["type_hint_of Money"]);
    assert_eq!(
        edges_from(&sources, "AddItemRequest"),
        ["type_hint_of Item", "type_hint_of Item.State", "type_hint_of Money"]
    );
}
