#!/usr/bin/python3
"""The comments of pull request 7 of owner/game, as on GitHub.

comment_service.py FOLDER serves them until its standard input ends: FOLDER/port contains the port, and
FOLDER/comments.json the comments."""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "not-a-real-token"
AUTHOR = "github-actions[bot]"
DENIED = {"message": "Resource not accessible by integration"}


class CommentService:
    def __init__(self, comments=()):
        self.comments = list(comments)
        self.requests = []
        # As with the token of a pull request from a fork.
        self.is_read_only = False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Handler,), {"service": self}))
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        assert self.headers["Authorization"] == f"Bearer {TOKEN}", self.headers
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.service.requests.append((self.command, self.path))
        return json.loads(text) if text else None

    def listed(self, comment):
        return dict(comment, url=f"{self.service.address}/comments/{comment['id']}")

    def do_GET(self):
        self.body()
        path, _, query = self.path.partition("?")
        assert path == "/repos/owner/game/issues/7/comments", path
        fields = dict(part.split("=") for part in query.split("&"))
        size, page = int(fields["per_page"]), int(fields["page"])
        found = self.service.comments[(page - 1) * size:page * size]
        self.answer([self.listed(comment) for comment in found])

    def do_POST(self):
        sent = self.body()
        if self.path == "/graphql":
            self.service.requests.pop()
            assert "viewer" in sent["query"], sent
            return self.answer({"data": {"viewer": {"login": AUTHOR}}})
        if self.service.is_read_only:
            return self.answer(DENIED, 403)
        comments = self.service.comments
        comments.append({"id": len(comments), "body": sent["body"], "user": {"login": AUTHOR}})
        self.answer(self.listed(comments[-1]), 201)

    def do_PATCH(self):
        sent = self.body()
        if self.service.is_read_only:
            return self.answer(DENIED, 403)
        self.service.comments[int(self.path.split("/")[-1])]["body"] = sent["body"]
        self.answer({})

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    folder = sys.argv[1]
    service = CommentService()
    with open(f"{folder}/port.new", "w") as out:
        out.write(service.address.rpartition(":")[2])
    os.rename(f"{folder}/port.new", f"{folder}/port")
    sys.stdin.read()
    with open(f"{folder}/comments.json", "w") as out:
        json.dump(service.comments, out)
