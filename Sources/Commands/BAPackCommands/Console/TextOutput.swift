import Arguments
import BAPackKit
import SystemIO

/// The destination of a command's single text: a file, which is replaced atomically, an existing
/// pipe or device, or standard output.
struct TextOutput: Sendable {
  static let path = Option(
    "output-path", short: "o", .file("json"), called: "path", in: .output,
    "Write to this file (default: standard output).")
  static let force = Flag("force", short: "f", in: .output, "Replace an existing file.")

  /// Standard output is never replaced.
  static let forceNeedsPath: (any TypedParameter, any TypedParameter) = (force, path)

  /// nil is standard output.
  var path: String?
  var replaces: Bool

  init(_ arguments: ParsedArguments) {
    let path = arguments[Self.path]
    self.path = path == "-" ? nil : path
    replaces = arguments[Self.force]
  }

  /// Writes the text; a file with a secret is readable by its owner only.
  func write(
    _ text: [UInt8], _ console: Console, isSecret: Bool = false
  ) throws(PackError) {
    guard let path else {
      console.result(bytes: text)
      return
    }
    Leftovers.remove(beside: path, console)
    try mapFailure(.writing) { () throws(Failure) in
      try AtomicFile.write(
        text, to: path, replacing: replaces, permissions: isSecret ? 0o600 : nil)
    }
    console.summary("Wrote '\(path)'.")
  }
}
