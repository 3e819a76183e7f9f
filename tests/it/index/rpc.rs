//! Edges between services and the code of other languages.

use std::path::Path;

use knowing_analysis::model::{EdgeType, NodeId};
use knowing_indexing::store::Reader;

use super::incremental::{check, run, write};

const GREETER: &str = "syntax = \"proto3\";
package helloworld;
service Greeter {
  rpc SayHello (HelloRequest) returns (HelloReply);
  rpc SayMore (HelloRequest) returns (stream HelloReply);
}
message HelloRequest { string name = 1; }
message HelloReply { string message = 1; }
";

/// Files whose generated code is not in the repository, by path.
const USERS: &[(&str, &str)] = &[
    (
        "py/server.py",
        "import helloworld_pb2_grpc\n\nclass Server(helloworld_pb2_grpc.GreeterServicer):\n    def SayHello(self, request, context):\n        return 1\n\ndef call(channel):\n    helloworld_pb2_grpc.GreeterStub(channel).SayMore(1)\n",
    ),
    (
        "embeds/main.go",
        "package embeds\n\nimport pb \"example.com/gen/helloworld\"\n\ntype server struct {\n\tpb.UnimplementedGreeterServer\n}\n\nfunc (s *server) SayHello() {}\n\nfunc call() {\n\tclient := pb.NewGreeterClient(nil)\n\tclient.SayMore(nil)\n}\n",
    ),
    (
        "plain/main.go",
        "package plain\n\nimport pb \"example.com/gen/helloworld\"\n\ntype server struct{}\n\nfunc (s *server) SayMore(in *pb.HelloRequest, out pb.Greeter_SayMoreServer) error { return nil }\n\nfunc (s *server) SayHello(in *pb.HelloRequest) (*pb.HelloReply, error) { return nil, nil }\n",
    ),
    (
        "Server.java",
        "package org.example;\n\nimport io.grpc.GreeterGrpc;\n\nclass Server extends GreeterGrpc.GreeterImplBase {\n    private GreeterGrpc.GreeterBlockingStub stub;\n\n    public void sayHello(Object request) { stub.sayMore(request); }\n}\n",
    ),
    (
        "src/main.rs",
        "use hello::greeter_client::GreeterClient;\nuse hello::greeter_server::Greeter;\n\nmod hello {\n    tonic::include_proto!(\"helloworld\");\n}\n\nstruct Mine;\n\nimpl Greeter for Mine {\n    async fn say_hello(&self) {}\n}\n\nasync fn call() {\n    GreeterClient::connect(\"x\").await.say_more(1).await;\n}\n",
    ),
    (
        "Greeter.cs",
        "namespace App;\n\nclass Service : Helloworld.Greeter.GreeterBase {\n    public override Task SayHello(object request) { return null; }\n}\n\nclass Caller {\n    private Helloworld.Greeter.GreeterClient client;\n\n    void Call() { client.SayMoreAsync(null); }\n}\n",
    ),
    ("generated/greeter_client.ts", "export class GreeterClient {\n  sayHello(request: object) {}\n}\n"),
    (
        "app.ts",
        "import { GreeterClient } from './generated/greeter_client';\n\nexport function call(client: GreeterClient) {\n  client.sayHello({});\n}\n",
    ),
];

/// Returns the edges of this type as `source -> target`, with names without the path.
pub(super) fn edges(database: &Path, edge_type: EdgeType) -> Vec<String> {
    let reader = Reader::open(database).unwrap();
    let symbols = reader.all_symbols().unwrap();
    let name = |node: NodeId| {
        let symbol = symbols.iter().find(|symbol| symbol.node == node).unwrap();
        format!("{}:{}", symbol.file, symbol.name)
    };
    let found = reader.all_edges().unwrap().into_iter().filter(|edge| edge.edge_type == edge_type);
    let mut lines: Vec<String> = found.map(|edge| format!("{} -> {}", name(edge.source), name(edge.target))).collect();
    lines.sort();
    lines
}

#[test]
fn procedures_are_implemented_and_called_in_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    write(&root.join("greeter.proto"), GREETER);
    USERS.iter().for_each(|(path, text)| write(&root.join(path), text));
    run(&root, &database, 2);
    let implemented = [
        "Greeter.cs:SayHello -> greeter.proto:SayHello",
        "Greeter.cs:Service -> greeter.proto:Greeter",
        "Server.java:Server -> greeter.proto:Greeter",
        "Server.java:sayHello -> greeter.proto:SayHello",
        "embeds/main.go:SayHello -> greeter.proto:SayHello",
        "embeds/main.go:server -> greeter.proto:Greeter",
        "plain/main.go:SayHello -> greeter.proto:SayHello",
        "plain/main.go:SayMore -> greeter.proto:SayMore",
        "plain/main.go:server -> greeter.proto:Greeter",
        "py/server.py:SayHello -> greeter.proto:SayHello",
        "py/server.py:Server -> greeter.proto:Greeter",
        "src/main.rs:Mine -> greeter.proto:Greeter",
        "src/main.rs:say_hello -> greeter.proto:SayHello",
    ];
    assert_eq!(edges(&database, EdgeType::ImplementsRpc), implemented);
    let called = [
        "Greeter.cs:Call -> greeter.proto:SayMore",
        "Server.java:sayHello -> greeter.proto:SayMore",
        "app.ts:call -> greeter.proto:SayHello",
        "embeds/main.go:call -> greeter.proto:SayMore",
        "generated/greeter_client.ts:sayHello -> greeter.proto:SayHello",
        "py/server.py:call -> greeter.proto:SayMore",
        "src/main.rs:call -> greeter.proto:SayMore",
    ];
    assert_eq!(edges(&database, EdgeType::ConsumesRpc), called);
    check(&root, &database, 1, "nothing");
    let arguments = ["--db", database.to_str().unwrap(), "impact", "greeter.proto.Greeter.SayMore"];
    let impact = crate::cli::stdout(&crate::cli::run_in(&root, &arguments));
    for user in ["plain/main.go", "embeds/main.go", "src/main.rs"] {
        assert!(impact.contains(user), "{impact}");
    }
}

#[test]
fn a_service_that_comes_or_changes_reaches_files_of_every_language() {
    let folder = tempfile::tempdir().unwrap();
    let (root, database) = (folder.path().join("repo"), folder.path().join("graph.db"));
    USERS.iter().for_each(|(path, text)| write(&root.join(path), text));
    run(&root, &database, 2);
    assert_eq!(edges(&database, EdgeType::ConsumesRpc), [""; 0]);
    for text in [GREETER, &GREETER.replace("SayMore", "say_hello"), &GREETER.replace("Greeter", "Other"), GREETER] {
        write(&root.join("greeter.proto"), text);
        run(&root, &database, 2);
        check(&root, &database, 2, text);
    }
    assert_eq!(edges(&database, EdgeType::ConsumesRpc).len(), 7);
    std::fs::remove_file(root.join("greeter.proto")).unwrap();
    run(&root, &database, 2);
    check(&root, &database, 2, "no service");
    assert_eq!(edges(&database, EdgeType::ImplementsRpc), [""; 0]);
}
