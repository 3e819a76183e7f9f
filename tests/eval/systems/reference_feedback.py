"""Records votes in the reference by the tool `feedback` of its MCP server.

reference_feedback.py PROGRAM DATABASE [--useful NAME | --not-useful NAME]…
"""
import json
import sqlite3
import subprocess
import sys


def votes(database, words):
    nodes = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    for option, name in zip(words[::2], words[1::2]):
        row = nodes.execute("select node_hash from nodes where qualified_name = ?", (name,)).fetchone()
        if row is None:
            sys.exit(f"the index has no {name}")
        yield row[0].hex(), option == "--useful"


def main():
    program, database, *words = sys.argv[1:]
    server = subprocess.Popen(
        [program, "mcp", "-db", database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )

    def send(message):
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()

    def call(method, parameters):
        call.number += 1
        send({"id": call.number, "method": method, "params": parameters})
        while True:
            line = server.stdout.readline()
            if not line:
                sys.exit("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == call.number:
                break
        result = answer.get("result", {})
        if "error" in answer or result.get("isError"):
            sys.exit(json.dumps(answer)[:300])

    call.number = 0
    client = {"name": "benchmark", "version": "1"}
    call("initialize", {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": client})
    send({"method": "notifications/initialized"})
    for symbol, is_useful in list(votes(database, words)):
        arguments = {"action": "record", "symbol_hash": symbol, "useful": is_useful, "session_id": "benchmark"}
        call("tools/call", {"name": "feedback", "arguments": arguments})
    server.stdin.close()
    server.wait(timeout=30)


main()
