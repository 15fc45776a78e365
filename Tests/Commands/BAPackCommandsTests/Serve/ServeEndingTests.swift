import Arguments
import Foundation
import Glibc
import SystemIO
import TestSupport
import Testing

/// The start and the end of `serve` with blocked outputs, ports in use, missing commands and other
/// servers.
@Suite(.mustEnd)
final class ServeEndingTests {
  let folder: TemporaryFolder
  let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    try folder.makeFile("packs/a.aar", pack("a"))
  }

  private func serve(_ more: [String] = [], output: String? = nil) throws -> RunningServer {
    try RunningServer([folder.path("packs")] + more, state: state.path, output: output)
  }

  /// Sends `times` requests on one connection, and returns the number of responses with status 404.
  ///
  /// The query of each request has `letters` characters.
  private func sendRequests(_ server: RunningServer, times: Int, letters: Int) throws -> String {
    let script = """
      import http.client, ssl, sys
      port, root, times, letters = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
      context = ssl.create_default_context(cafile=root)
      connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=context)
      good = 0
      for number in range(times):
          connection.request("GET", "/%d?%s" % (number, "x" * letters))
          answer = connection.getresponse()
          answer.read()
          good += answer.status == 404
      print(good)
      """
    let root = try #require(server.facts["caFile"])
    return try Peer.ask(
      "python3", ["-c", script, "\(server.port)", root, "\(times)", "\(letters)"]
    ).output
  }

  /// Makes a pipe whose reader does not read yet.
  private func makePipe() throws -> (path: String, reader: Int32) {
    let path = folder.path("pipe")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
    #expect(reader >= 0)
    return (path, reader)
  }

  @Test(.needs("python3"), arguments: [["--format", "json"], []])
  func `an unread output delays no request, and the first signal ends the server`(
    arguments: [String]
  ) throws {
    let (path, reader) = try makePipe()
    defer { _ = close(reader) }
    let server = try serve(arguments, output: path)
    // A pipe holds 64 KiB.
    #expect(try sendRequests(server, times: 40, letters: 8000) == "40\n")
    server.send(signal: SIGINT)
    #expect(try server.wait() == .init(status: SIGINT, wasSignalled: true))
    #expect(!server.hasReadyFile)
  }

  @Test(.heavy, .needs("python3"))
  func `dropped lines are counted, and reported when the output accepts text again`() throws {
    let (path, reader) = try makePipe()
    defer { _ = close(reader) }
    let server = try serve(
      ["--format", "json", "--log", folder.path("log.jsonl")], output: path)
    #expect(try sendRequests(server, times: 2500, letters: 4000) == "2500\n")
    var text: [UInt8] = []
    let end = ContinuousClock.now + .seconds(600)
    func lines() throws -> [[String: Any]] {
      try text.split(separator: UInt8(ascii: "\n")).map {
        try #require(try JSONSerialization.jsonObject(with: Data($0)) as? [String: Any])
      }
    }
    var isReported = false
    while !isReported, .now < end {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = unsafe read(reader, &buffer, buffer.count)
      if count > 0 { text += buffer[..<count] } else { usleep(1000) }
      isReported =
        text.last == UInt8(ascii: "\n")
        && String(decoding: text.suffix(100), as: UTF8.self).contains("\"dropped\"")
    }
    let all = try lines()
    let requests = all.count { $0["event"] as? String == "request" }
    let dropped = all.compactMap { $0["event"] as? String == "dropped" ? $0["count"] as? Int : nil }
    #expect(requests + dropped.reduce(0, +) == 2500)
    #expect(requests > 1000 && dropped.reduce(0, +) > 100)
    // The log file has all requests.
    server.send(signal: SIGTERM)
    #expect(try server.wait() == .init(status: SIGTERM, wasSignalled: true))
    let log = try folder.contents("log.jsonl")
    #expect(log.count { $0 == UInt8(ascii: "\n") } == 2500)
  }

  @Test func `a missing or non-executable command ends the server with the exit status of a shell`()
    throws
  {
    let missing = try serve(["--exec", "--", "no-such-program-anywhere", "x"])
    #expect(try missing.wait() == .init(status: 127, wasSignalled: false))
    #expect(try missing.messages.contains("cannot start 'no-such-program-anywhere': No such file"))
    #expect(try missing.messages.contains("a shell command requires 'sh -c'"))
    #expect(!(try missing.messages.contains("folder")))
    try folder.makeFile("plain", Array("nothing to run".utf8))
    let plain = try serve(["--exec", "--", folder.path("plain")])
    #expect(try plain.wait() == .init(status: 126, wasSignalled: false))
    #expect(!missing.hasReadyFile && !plain.hasReadyFile)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends the command and its child processes`(signal: Int32) throws {
    let pids = folder.path("pids")
    // One child process would keep running, and the other one ignores signals.
    let line =
      "sleep 600 & echo $! >> '\(pids)'; (trap '' TERM INT; sleep 601) & echo $! >> '\(pids)'; "
      + "echo $$ >> '\(pids)'; wait"
    let server = try serve(["--exec", "--", "/bin/sh", "-c", line])
    let end = ContinuousClock.now + .seconds(600)
    func processes() -> [pid_t] {
      let text = (try? String(contentsOfFile: pids, encoding: .utf8)) ?? ""
      return text.split(separator: "\n").compactMap { pid_t($0) }
    }
    while processes().count < 3, .now < end { usleep(2_000) }
    #expect(processes().count == 3)
    server.send(signal: signal)
    #expect(try server.wait() == .init(status: signal, wasSignalled: true))
    // A zombie process has already ended.
    func isRunning(_ process: pid_t) -> Bool {
      guard let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return false
      }
      return facts.split(separator: ")").last?.hasPrefix(" Z") == false
    }
    while processes().contains(where: isRunning), .now < end { usleep(2_000) }
    #expect(processes().filter(isRunning) == [])
  }

  @Test func `'--exec' together with '--exit-when-idle' is refused`() throws {
    let captured = Captured([
      "serve", folder.path("packs"), "--exit-when-idle", "1s", "--exec", "--", "true",
    ])
    #expect(captured.ending == .status(.usage))
    #expect(
      captured.messages.contains("'--exec'") && captured.messages.contains("'--exit-when-idle'"))
  }

  @Test func `if two servers write one ready file, the file of the last one is kept until it ends`()
    throws
  {
    let ready = folder.path("shared.json")
    let first = try serve(["--ready-file", ready])
    let before = try folder.contents("shared.json")
    let second = try serve(["--ready-file", ready])
    let end = ContinuousClock.now + .seconds(600)
    func current() -> [UInt8]? { try? folder.contents("shared.json") }
    while current() == nil || current() == before, .now < end { usleep(2_000) }
    let after = try #require(current())
    #expect(before != after)
    first.send(signal: SIGTERM)
    #expect(try first.wait() == .init(status: SIGTERM, wasSignalled: true))
    #expect(try folder.contents("shared.json") == after)
    second.send(signal: SIGTERM)
    #expect(try second.wait() == .init(status: SIGTERM, wasSignalled: true))
    #expect(!FileManager.default.fileExists(atPath: ready))
  }

  @Test func `one error lists all ports in use with their options`() throws {
    let (first, second, third) = (
      try OccupiedPort(Listener()), try OccupiedPort(Listener()), try OccupiedPort(Listener())
    )
    let taken = [first, second, third].map(\.port)
    let captured = Captured([
      "serve", folder.path("packs"), "--host", "127.0.0.1", "--port", "\(taken[0])",
      "--enrolment-port", "\(taken[1])", "--page-port", "\(taken[2])", "--identity",
      state.path("i"), "--state", state.path("s"),
    ])
    #expect(captured.ending == .status(.failed))
    for (port, option) in zip(taken, ["--port", "--enrolment-port", "--page-port"]) {
      #expect(
        captured.messages.contains(
          "cannot listen on port \(port): Address already in use ('\(option)')"))
    }
    #expect(captured.messages.components(separatedBy: "Error:").count == 2)
    #expect(
      captured.messages.contains(
        "use other ports with '--port', '--enrolment-port', '--page-port'"))
  }

  @Test func `several faults in one option, or faults that match no pack, are reported`() throws {
    let captured = Captured(["serve", "x", "--fault", "levle-*: cut 60%, tiny: corrupt"])
    #expect(captured.ending == .status(.usage))
    #expect(captured.messages.contains("a second one starts after ',' (character 17)"))
    #expect(
      captured.messages.contains(
        "repeat the option: --fault 'levle-*: cut 60%' --fault 'tiny: corrupt'"))
    try folder.makeFile("packs/level-1.aar", pack("level-1"))
    let server = try serve([
      "--fault", "levle-*: cut 60%", "--fault", "a: corrupt", "--fault", "manifest: stale",
    ])
    let warning =
      "no pack matches 'levle-*' of '--fault levle-*: cut 60%'\nhint: did you mean 'level-*'?"
    #expect(try server.messages.contains(warning))
    #expect(try server.messages.components(separatedBy: "no pack matches").count == 2)
  }

  @Test(.needs("python3")) func `the log has no status if no response was sent`() throws {
    let server = try serve(["--offline", "--format", "json"])
    #expect(try sendRequests(server, times: 1, letters: 1).isEmpty)
    #expect(try server.waits(forOutput: "\"fault\":\"offline\""))
    #expect(!(try server.output.contains("\"status\"")))
    let arguments = try serve(["--offline"])
    #expect(try sendRequests(arguments, times: 1, letters: 1).isEmpty)
    #expect(try arguments.waits(forOutput: "GET /0?x  no response  "))
  }

  /// A port in use.
  private final class OccupiedPort {
    let port: Int
    private let listener: Listener

    init(_ listener: consuming Listener) {
      port = Int(listener.address.port)
      self.listener = listener
    }
  }
}
