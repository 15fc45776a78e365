package import BAPackKit
package import SystemIO
import TerminalText

/// Reads a Git repository that is not trusted: without its hooks and programs, without a network,
/// and for a limited time.
package struct GitRepository: Sendable {
  /// The folder whose files are read; it may be a subfolder of the repository.
  let folder: String
  /// The time at which the reading ends with an error.
  let deadline: ContinuousClock.Instant
  let work: Work

  package init(
    folder: String, until deadline: ContinuousClock.Instant, _ work: Work
  ) {
    self.folder = folder
    self.deadline = deadline
    self.work = work
  }

  /// The maximum number of bytes of a list: a tree can contain itself many times.
  private static let longestList = 256 << 20

  /// The settings that Git must not take from the repository.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.untrackedCache=false",
    "protocol.allow=never", "core.pager=cat", "diff.external=", "log.showSignature=false",
  ]

  /// The environment of Git; variables without a value are removed.
  private static let environment: [String: String?] = [
    "GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": "none", "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_PAGER": "cat", "LC_ALL": "C",
    "GIT_DIR": nil, "GIT_COMMON_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil,
    "GIT_OBJECT_DIRECTORY": nil, "GIT_NAMESPACE": nil, "GIT_PREFIX": nil, "GIT_TRACE": nil,
  ]

  /// Runs a command of Git; returns its output, and the reason if it failed.
  func run(
    _ words: [String], reading input: [UInt8] = []
  ) throws(PackError) -> (bytes: [UInt8], fault: String?) {
    var command = ["git", "-C", folder]
    for setting in Self.settings { command += ["-c", setting] }
    let output: ProgramOutput
    do throws(Failure) {
      output = try ProgramOutput(
        of: command + words, changing: Self.environment, reading: input,
        atMost: Self.longestList, until: deadline, work)
    } catch {
      throw refusal(error)
    }
    if output.end == .status(0) { return (output.bytes, nil) }
    let line = output.errors.prefix { $0 != UInt8(ascii: "\n") }
    let fault = shownBytes(Array(line))
    return (output.bytes, fault.isEmpty ? "git \(words[0]) failed" : fault)
  }

  /// Returns whether files in the folder differ from the last commit; those that Git does not track
  /// never do.
  package func hasChanges(in names: [String]) throws(PackError) -> Bool {
    let list = try output(
      of: ["--literal-pathspecs", "status", "--porcelain", "-z", "--untracked-files=no", "--"]
        + names)
    return !list.isEmpty
  }

  /// Throws if the folder is in no repository that Git reads.
  func check() throws(PackError) {
    let (_, fault) = try run(["rev-parse", "--git-dir"])
    if let fault {
      throw unreadable(fault, remedies: ["use a source root in a Git repository of this user"])
    }
  }

  /// Returns the top of the work tree, and the path of the folder in it.
  func place() throws(PackError) -> (top: String, path: String) {
    try check()
    let bytes = try output(of: ["rev-parse", "--show-toplevel", "--show-prefix"])
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return (lines.first ?? "", lines.dropFirst().first ?? "")
  }

  /// Runs a command that must succeed.
  func output(of words: [String], reading input: [UInt8] = []) throws(PackError) -> [UInt8] {
    let (bytes, fault) = try run(words, reading: input)
    if let fault { throw unreadable(fault) }
    return bytes
  }

  func unreadable(_ reason: String, remedies: [Remedy] = []) -> PackError {
    PackError(
      .malformed(offset: nil), "cannot read the Git history of '\(folder)': \(reason)",
      remedies: remedies)
  }

  private func refusal(_ failure: Failure) -> PackError {
    switch failure.kind {
    case .interrupted: return PackError(failure, while: .reading)
    case .timedOut:
      return PackError(
        .timedOut, "reading the Git history of '\(folder)' took too long",
        remedy: "choose fewer releases")
    case .malformed:
      return unreadable("a list of files is too long", remedies: ["choose other releases"])
    default:
      return PackError(
        .missing, "cannot start 'git': \(failure.reason)", remedy: "install Git")
    }
  }

  /// The lines of an output.
  static func lines(_ bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
