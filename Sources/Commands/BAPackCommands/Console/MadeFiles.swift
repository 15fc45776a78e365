import Arguments
import BAPackKit
import SystemIO
import TerminalText

/// The kind of a file that a command makes in addition to its result.
///
/// Such a file is replaced, or a log is extended, without `--force`. Therefore the existing file
/// must be empty or of the same kind.
enum MadeFile: CaseIterable {
  case junit, depfile, log, downloadManifest

  /// The options whose values are such files.
  static let options: [(name: String, kind: MadeFile)] = [
    ("junit", .junit), ("depfile", .depfile), ("log", .log), ("managed-output", .downloadManifest),
  ]
  /// The options that name a file of which the command decides whether it can be replaced.
  static let otherOutputs = ["output-path", "ready-file"]

  /// The kind in messages.
  var noun: String {
    switch self {
    case .junit: "JUnit report"
    case .depfile: "depfile"
    case .log: "log of requests"
    case .downloadManifest: "download manifest"
    }
  }

  /// Returns whether a file is of this kind, by its first bytes.
  func matches(_ start: [UInt8]) -> Bool {
    if start.isEmpty { return true }
    let text = String(decoding: start, as: UTF8.self)
    switch self {
    case .junit:
      return text.hasPrefix("<?xml") && text.contains("<testsuite")
        || text.hasPrefix("<testsuite")
    case .depfile:
      let rule = text.prefix { $0 != "\n" }
      return !text.hasPrefix("{") && (rule.hasSuffix(": \\") || rule.hasSuffix(":"))
    case .log: return text.hasPrefix(#"{"time":"#) || text.hasPrefix(#"{"dropped":"#)
    case .downloadManifest: return text.contains(#""assetPacks""#)
    }
  }

  private static let startLength = 4_000

  /// Throws if an option names a file that the command must not write: one of its inputs, the file
  /// of another option, or a file of another kind.
  static func check(_ arguments: ParsedArguments) throws(PackError) {
    let parameters = arguments.path.parameters
    let names = options.map(\.name) + otherOutputs
    let outputs = parameters.filter { names.contains($0.name) }
    var others: Set<FileIdentity> = []
    for parameter in parameters where parameter.completion.isFile && !names.contains(parameter.name)
    {
      others.formUnion(arguments.words(of: parameter).compactMap(file))
    }
    for parameter in outputs {
      guard let path = arguments.words(of: parameter).last else { continue }
      let remedy: Remedy = .advice("specify another file with \(parameter.spellings[0])")
      if let identity = file(path), !others.insert(identity).inserted {
        throw PackError(
          .exists, "cannot replace '\(path)': the command reads or writes this file, too",
          remedy: remedy)
      }
      guard let kind = options.first(where: { $0.name == parameter.name })?.kind else { continue }
      try kind.check(path, remedy)
    }
  }

  /// Throws if several arguments read standard input.
  static func checkStandardInput(_ arguments: ParsedArguments) throws(UsageError) {
    let outputs = options.map(\.name) + otherOutputs
    let inputs = arguments.path.parameters.filter {
      $0.completion.isFile && !outputs.contains($0.name)
    }
    guard inputs.flatMap(arguments.words).count(where: { $0 == "-" }) > 1 else { return }
    throw UsageError(
      "Standard input ('-') can be read only once", hint: "write one of the texts to a file")
  }

  private func check(_ path: String, _ remedy: Remedy) throws(PackError) {
    // An error of the system is reported when the file is written.
    guard Self.file(path) != nil,
      let start = try? FileDescriptor.open(path, for: .reading)
        .readToEnd(atMost: Self.startLength), !matches(start)
    else { return }
    throw PackError(
      .exists, "cannot \(self == .log ? "append to" : "replace") '\(path)': it is not a \(noun)",
      remedy: remedy)
  }

  /// Returns the identity of a regular file.
  private static func file(_ path: String) -> FileIdentity? {
    guard let status = try? FileStatus(ofFileAt: path), status.kind == .file else { return nil }
    return status.identity
  }
}

extension Completion {
  /// Whether the values are files.
  fileprivate var isFile: Bool {
    switch self {
    case .files: true
    case .nothing, .words, .folders: false
    }
  }
}
