import Foundation
import Glibc

/// The program as a server in a child process, which ends with this value at the latest.
package final class RunningServer {
  /// The end of a process.
  package struct End: Sendable, Equatable {
    package var status: Int32
    package var wasSignalled: Bool

    package init(status: Int32, wasSignalled: Bool) {
      self.status = status
      self.wasSignalled = wasSignalled
    }
  }

  private struct NotReady: Error {
    let messages: String
  }

  private let process: pid_t
  private var end: End?
  private let folder: TemporaryFolder
  private let ready: String
  /// The contents of its ready file.
  package private(set) var facts: [String: String] = [:]
  package private(set) var port = 0

  /// Starts the server on a free local port, with its state in `state`, and waits until it is
  /// ready, or until `isEnough` is true for its messages.
  ///
  /// `output` is a file for its standard output.
  package init(
    _ arguments: [String], state: String, environment: [String: String] = [:],
    called name: String? = nil, command: [String] = ["serve"], output: String? = nil,
    unless isEnough: (String) -> Bool = { _ in false }
  ) throws {
    let folder = try TemporaryFolder()
    // Arguments after '--' belong to another program.
    let front = arguments.prefix { $0 != "--" }
    let given = front.firstIndex(of: "--ready-file").map { front[$0 + 1] }
    ready = given ?? folder.path("ready.json")
    var program = BuiltProgram.program
    if let name {
      program = folder.path(name)
      try FileManager.default.createSymbolicLink(
        atPath: program, withDestinationPath: BuiltProgram.program)
    }
    let own =
      (command == ["serve"] ? ["--host", "127.0.0.1"] : []) + ["--port", "0"]
      + (given == nil ? ["--ready-file", ready] : [])
    let homes = [
      "HOME": state, "XDG_DATA_HOME": state + "/data", "XDG_STATE_HOME": state + "/state",
    ]
    process = try BuiltProgram.spawn(
      [program] + (name == nil ? command : []) + front + own + arguments.dropFirst(front.count),
      homes.merging(environment) { $1 }, output: output ?? folder.path("output"),
      messages: folder.path("messages"))
    self.folder = folder
    try waitUntilReady(unless: isEnough)
  }

  /// Waits until the server is ready or ends, or until `isEnough` is true for its messages.
  package func waitUntilReady(unless isEnough: (String) -> Bool = { _ in false }) throws {
    let deadline = ContinuousClock.now + .seconds(600)
    while !FileManager.default.fileExists(atPath: ready), try !isEnough(messages) {
      if let end = readEnd() {
        self.end = end
        break
      }
      guard .now < deadline else { throw NotReady(messages: try messages) }
      usleep(2_000)
    }
    guard let data = FileManager.default.contents(atPath: ready),
      let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    else { return }
    facts = object.compactMapValues { $0 as? String }
    port = object["port"] as? Int ?? 0
  }

  deinit {
    guard readEnd() == nil else { return }
    kill(process, SIGKILL)
    var status: Int32 = 0
    _ = unsafe waitpid(process, &status, 0)
  }

  package var output: String { get throws { try text("output") } }
  package var messages: String { get throws { try text("messages") } }
  package var hasReadyFile: Bool {
    FileManager.default.fileExists(atPath: ready)
  }

  private func text(_ name: String) throws -> String {
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return "" }
    return String(decoding: try folder.contents(name), as: UTF8.self)
  }

  package func send(signal: Int32) { kill(process, signal) }

  /// Returns the end of the process; nil while it runs.
  private func readEnd() -> End? {
    if let end { return end }
    var status: Int32 = 0
    guard unsafe waitpid(process, &status, WNOHANG) == process else { return nil }
    let signal = status & 0x7F
    end = End(status: signal != 0 ? signal : (status >> 8) & 0xFF, wasSignalled: signal != 0)
    return end
  }

  /// Waits until the process has ended.
  package func wait() throws -> End {
    let deadline = ContinuousClock.now + .seconds(600)
    while .now < deadline {
      if let end = readEnd() { return end }
      usleep(2_000)
    }
    throw NotReady(messages: try messages)
  }

  /// Waits until its standard output contains a text.
  package func waits(forOutput text: String) throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(600)
    while .now < deadline {
      if try output.contains(text) { return true }
      usleep(5_000)
    }
    return false
  }
}
