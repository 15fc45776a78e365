import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import Transfers

/// The files at a place that rclone reaches: a folder, or a remote such as `cdn:bucket`.
///
/// rclone is another program, with its own configuration. Its errors go to standard error. No
/// message of this program has the place, because it can contain a password.
struct RemoteFiles {
  private let place: String
  private let work: Work

  init(_ place: String, _ work: Work) {
    self.place = place
    self.work = work
  }

  /// The exit status of rclone for a folder that does not exist.
  private static let noFolder: Int32 = 3
  /// The maximum size of a listing in bytes.
  private static let mostBytes = 256 << 20

  /// Returns the path of a file at the place.
  private func path(_ name: String) -> String {
    place.hasSuffix(":") || place.hasSuffix("/") ? place + name : "\(place)/\(name)"
  }

  // MARK: Reading

  /// Returns the sizes of all files by their paths; empty if the place does not exist.
  func sizes() throws(PackError) -> [String: UInt64] {
    let words = ["lsjson", "--recursive", "--files-only", "--no-mimetype", "--no-modtime"]
    var (status, bytes) = try start(words, [place], isQuiet: true)
    if status == Self.noFolder { return [:] }
    // Once more, with the messages of the error.
    if status != 0 { (status, bytes) = try start(words, [place]) }
    try check(status, "list the files")
    var limits = JSONLimits()
    limits.size = Self.mostBytes
    let document = JSONDocument(parsing: SourceText(bytes, named: "rclone"), limits: limits)
    var found: [String: UInt64] = [:]
    for node in document.root.map({ Array($0.elements) }) ?? [] {
      guard let path = node["Path"]?.string, let size = node["Size"]?.number.flatMap({ UInt64($0) })
      else { continue }
      found[path] = size
    }
    return found
  }

  func contents(of name: String) throws(PackError) -> [UInt8] {
    let (status, bytes) = try start(["cat"], [path(name)])
    try check(status, "read '\(name)'")
    return bytes
  }

  // MARK: Writing

  /// Copies the files of a folder, except some at its top; never changes a file of the same size.
  func copy(_ folder: String, except names: [String]) throws(PackError) {
    let excluded = names.flatMap { ["--exclude", "/\($0)"] } + ["--exclude", "*.lock.json"]
    try run(["copy", "--checksum", "--immutable"] + excluded, [folder, place], "copy the packs")
  }

  func remove(_ name: String) throws(PackError) {
    try run(["deletefile"], [path(name)], "remove '\(name)'")
  }

  /// Copies a file at the place, and replaces the target.
  ///
  /// Some servers, such as those for WebDAV, refuse to replace a file by a copy. They receive the
  /// bytes again, as one file.
  func duplicate(_ name: String, as target: String) throws(PackError) {
    let copy = ["copyto", "--ignore-times", "--retries", "1"]
    let (status, _) = try start(copy, [path(name), path(target)], isQuiet: true)
    guard status != 0 else { return }
    let bytes = try contents(of: name)
    try check(
      try start(["rcat"] + Self.noCache, [path(target)], input: bytes).status, "copy '\(name)'")
  }

  /// Uploads a file under a name that no device requests.
  func upload(_ file: String, as name: String) throws(PackError) {
    try run(
      ["copyto", "--ignore-times"] + Self.noCache, [file, path(name)], "upload '\(name)'")
  }

  /// The header with which a cache checks the file before each use.
  private static let noCache = ["--header-upload", "Cache-Control: no-cache"]

  /// Replaces a file by another one at the place, in one step of the server.
  ///
  /// If the server refuses it, the file is copied, and then the other one is removed.
  func replace(_ name: String, by other: String) throws(PackError) {
    // With '--no-check-dest', rclone does not remove the file first.
    let move = ["moveto", "--no-check-dest", "--retries", "1"]
    let (status, _) = try start(move, [path(other), path(name)], isQuiet: true)
    guard status != 0 else { return }
    try duplicate(other, as: name)
    try remove(other)
  }

  // MARK: Running

  private func run(
    _ words: [String], _ operands: [String], _ task: String
  ) throws(PackError) {
    try check(try start(words, operands).status, task)
  }

  private func check(_ status: Int32, _ task: String) throws(PackError) {
    guard status != 0 else { return }
    throw PackError(
      .server(status: Int(status)), "cannot \(task): rclone ended with status \(status)",
      remedy: "run the command again: it continues, and devices still get the former manifest")
  }

  /// Runs rclone, and returns its exit status and its output.
  private func start(
    _ words: [String], _ operands: [String], input: [UInt8]? = nil, isQuiet: Bool = false
  ) throws(PackError) -> (status: Int32, output: [UInt8]) {
    let log = isQuiet ? ["--log-file", "/dev/null"] : []
    let child: ChildProcess
    do throws(Failure) {
      child = try ChildProcess(
        ["rclone"] + words + log + ["--"] + operands, input: input, capturesOutput: true)
    } catch {
      throw PackError(
        .missing, "cannot start 'rclone': \(error.reason)",
        remedy: "install rclone, which transfers the files")
    }
    do throws(Failure) {
      _ = try waitUntil(.readable, child.alarm.number, "", work)
    } catch {
      child.signal(SIGTERM)
      _ = try? waitUntil(.readable, child.alarm.number, "", .unstoppable)
      throw PackError(.interrupted, "interrupted; devices still get the former manifest")
    }
    let output = try mapFailure(.reading) { () throws(Failure) in
      try child.readOutput(atMost: Self.mostBytes)
    }
    switch child.end {
    case .status(let status): return (status, output)
    case .signal(let number): return (128 + number, output)
    case nil: return (1, output)
    }
  }
}
