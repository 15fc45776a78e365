"""Builds the packs of a Bazel workspace on BuildGrid, with two workers, one of which is killed.
   bazel-workers.py TOP                      runs in the workspace; called by check-bazel, which puts Bazel into PATH
   bazel-workers.py worker PORT NAME FOLDER [MARKER]

BuildGrid has no worker. The worker here is for this check only: it has no sandbox. With a
MARKER, a worker creates that file at its first action, and then does nothing until it is killed.
BuildGrid requires PostgreSQL, which runs in a temporary folder without TCP.
"""

import io
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as execution
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, worker_pb2
from buildgrid._protos.google.devtools.remoteworkers.v1test2.bots_pb2_grpc import BotsStub
from buildgrid.server.client.cas import download, upload

# The longest silence of a worker in seconds; then BuildGrid gives its action to another one.
SILENCE = 8
# The longest build in seconds.
LIMIT = 300
# The packs, their two checks, and a generated file.
ACTIONS = 10
CONFIGURATION = """
server:
  - !channel
    address: 127.0.0.1:{port}
    insecure-mode: true
connections:
  - !sql-connection &sql
    connection-string: {database}
storages:
  - !lru-storage &storage
    size: 256M
caches:
  - !lru-action-cache &actions
    storage: *storage
    max-cached-refs: 256
schedulers:
  - !sql-scheduler &scheduler
    sql: *sql
    storage: *storage
    action-cache: *actions
    bot-session-keepalive-timeout: {silence}
    session-expiry-timer-interval: 1
    assigners:
      - !priority-age-assigner
        interval: 0.05
instances:
  - name: ''
    services:
      - !action-cache
        cache: *actions
      - !execution
        scheduler: *scheduler
      - !cas
        storage: *storage
      - !bytestream
        storage: *storage
      - !bots
        scheduler: *scheduler
thread-pool-size: 40
"""


class Worker:
    """A worker for one action at a time."""

    def __init__(self, port, name, folder, marker):
        self.channel = grpc.insecure_channel(f"127.0.0.1:{port}")
        self.bots = BotsStub(self.channel)
        self.folder, self.marker = Path(folder), marker
        worker = worker_pb2.Worker(devices=[worker_pb2.Device(handle=name)])
        session = bots_pb2.BotSession(
            bot_id=name, status=bots_pb2.BotStatus.Value("OK"), worker=worker)
        self.session = self.bots.CreateBotSession(
            bots_pb2.CreateBotSessionRequest(parent="", bot_session=session), timeout=60)

    def update(self):
        """Reports the state of the action, and waits for one if there is none."""
        self.session = self.bots.UpdateBotSession(
            bots_pb2.UpdateBotSessionRequest(name=self.session.name, bot_session=self.session),
            timeout=60)

    def run(self):
        while True:
            for lease in self.session.leases:
                if lease.state == bots_pb2.LeaseState.Value("PENDING"):
                    lease.state = bots_pb2.LeaseState.Value("ACTIVE")
                elif lease.state == bots_pb2.LeaseState.Value("ACTIVE"):
                    if self.marker:
                        Path(self.marker).touch()
                        signal.pause()
                    self.perform(lease.payload)
                    # The session was replaced by each update during the action.
                    for lease in self.session.leases:
                        lease.result.Pack(self.result)
                        lease.state = bots_pb2.LeaseState.Value("COMPLETED")
                    break
            self.update()

    def perform(self, payload):
        action, command = execution.Action(), execution.Command()
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        with download(self.channel, instance="") as source:
            if not payload.Unpack(action):
                digest = execution.Digest()
                payload.Unpack(digest)
                action = source.get_message(digest, action)
            command = source.get_message(action.command_digest, command)
            source.download_directory(action.input_root_digest, str(folder))
        for path in folder.rglob("*"):
            if path.is_file():
                path.chmod(0o555)
        outputs = [*command.output_files, *command.output_paths]
        for path in outputs:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
        process = subprocess.Popen(
            list(command.arguments), cwd=folder / command.working_directory,
            env={variable.name: variable.value for variable in command.environment_variables},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while True:
            try:
                output, messages = process.communicate(timeout=SILENCE / 4)
                break
            except subprocess.TimeoutExpired:
                self.update()
        self.result = execution.ActionResult(
            exit_code=process.returncode, stdout_raw=output, stderr_raw=messages)
        with upload(self.channel, instance="") as target:
            for path in outputs:
                file = folder / path
                if file.is_file():
                    digest = target.put_blob(io.BytesIO(file.read_bytes()))
                    self.result.output_files.add(
                        path=path, digest=digest, is_executable=os.access(file, os.X_OK))
        shutil.rmtree(folder)
        print("action", flush=True)


# The check

started = []


def start(words, **options):
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, start_new_session=True, **options)
    started.append(process)
    return process


def wait(condition, process, what):
    """Waits for a condition while a process runs."""
    while not condition():
        if process.poll() is not None:
            output = process.stdout.read() if process.stdout else ""
            raise SystemExit(f"{output}\nFAILED: {what} does not start")
        time.sleep(0.02)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def is_open(port):
    try:
        socket.create_connection(("127.0.0.1", port), 60).close()
        return True
    except (ConnectionRefusedError, ConnectionResetError):
        # A connection is reset if the server closes its socket at this time.
        return False


def start_database(folder, log):
    """Starts PostgreSQL, which refuses to run as root, and returns its address."""
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    user = []
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
    subprocess.run(
        [*user, binaries / "initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres",
         "--no-sync"], check=True, stdout=log, stderr=log, cwd=folder)
    database = start(
        [*user, binaries / "postgres", "-D", folder / "data", "-k", folder, "-F", "-c",
         "listen_addresses="], stdout=log, stderr=log, cwd=folder)
    ready = [binaries / "pg_isready", "-q", "-h", folder]
    wait(lambda: subprocess.run(ready).returncode == 0, database, "PostgreSQL")
    return f"postgresql+psycopg2://postgres@/postgres?host={folder}"


class Check:
    def __init__(self, top):
        self.top = Path(top)
        self.log = (self.top / "buildgrid.log").open("w")
        self.port = free_port()
        self.workers = {}

    def start_server(self):
        commands = Path(sys.executable).parent
        folder = Path(tempfile.mkdtemp())
        self.database_folder = folder
        database = start_database(folder, self.log)
        subprocess.run(
            [commands / "bgd", "migrate", "apply", database], check=True, stdout=self.log,
            stderr=self.log)
        configuration = self.top / "buildgrid.yml"
        configuration.write_text(
            CONFIGURATION.format(port=self.port, database=database, silence=SILENCE))
        server = start(
            [commands / "bgd", "server", "start", configuration], stdout=self.log,
            stderr=self.log)
        wait(lambda: is_open(self.port), server, "BuildGrid")

    def start_worker(self, name, marker=""):
        folder = self.top / f"worker {name}"
        folder.mkdir()
        output = (self.top / f"{name}.actions").open("w")
        self.workers[name] = start(
            [sys.executable, __file__, "worker", str(self.port), name, folder, marker],
            stdout=output, stderr=self.log)
        return self.workers[name]

    def actions(self, name):
        return (self.top / f"{name}.actions").read_text().count("action")

    def build(self, *options):
        return start(
            ["bazel", "build", "//:packs", f"--remote_executor=grpc://127.0.0.1:{self.port}",
             "--spawn_strategy=remote", "--jobs=8", *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def clean(self):
        subprocess.run(
            ["bazel", "clean"], check=True, stdout=self.log, stderr=self.log)

    def end(self, build):
        """Waits for a build, and returns the kinds of its processes with their numbers."""
        deadline = time.monotonic() + LIMIT
        while True:
            try:
                output, _ = build.communicate(timeout=1)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() > deadline or any(
                        worker.poll() is not None for worker in self.workers.values()):
                    raise SystemExit("FAILED: a worker ended, or the build takes too long")
        if build.returncode != 0:
            raise SystemExit(f"{output}\nFAILED: the build with remote workers")
        line = re.search(r"INFO: \d+ process(?:es)?: (.*)\.", output)[1]
        return {kind: int(number) for number, kind in re.findall(r"(\d+) ([a-z ]+)", line)}

    def run(self):
        self.start_server()
        self.clean()
        marker = self.top / "marker"
        first = self.start_worker("first", str(marker))
        build = self.build()
        wait(marker.exists, build, "the first worker")
        self.start_worker("second")
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
        del self.workers["first"]
        counts = self.end(build)
        self.expect("the first worker is killed", counts, "remote", ACTIONS)
        assert self.actions("second") == ACTIONS, self.actions("second")

        self.clean()
        self.expect("cached", self.end(self.build()), "remote cache hit", ACTIONS)

        self.clean()
        self.start_worker("third")
        counts = self.end(self.build("--noremote_accept_cached"))
        self.expect("two workers", counts, "remote", ACTIONS)
        shares = [self.actions("second") - ACTIONS, self.actions("third")]
        assert sum(shares) == ACTIONS, shares

    def expect(self, what, counts, kind, number):
        if counts.get(kind) != number:
            raise SystemExit(f"FAILED: {what}: {counts}")
        print(f"  {what}: {number} actions ({kind})")

    def stop(self):
        for process in started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in started:
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        shutil.rmtree(self.database_folder, ignore_errors=True)
        self.log.close()


def main():
    if sys.argv[1] == "worker":
        Worker(*sys.argv[2:6]).run()
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    check = Check(sys.argv[1])
    try:
        check.run()
    except BaseException:
        print((check.top / "buildgrid.log").read_text()[-4000:])
        raise
    finally:
        check.stop()


main()
