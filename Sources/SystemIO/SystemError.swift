import Glibc

/// What the operating system refused: the call, the file it was about, and the reason.
package struct SystemError: Error, Equatable, Sendable {
  /// What was attempted, in plain words: "open", "read", "rename".
  package var operation: String
  /// The file it was about, as the user would write it.
  package var path: String
  /// The system's number for the reason.
  package var code: Int32

  package init(_ operation: String, _ path: String, code: Int32) {
    self.operation = operation
    self.path = FilePath(path).shown
    self.code = code
  }

  /// The reason in the system's own words, in English whatever the locale.
  package var reason: String { unsafe String(cString: strerror(code)) }
}

extension SystemError: CustomStringConvertible {
  package var description: String { "cannot \(operation) '\(path)': \(reason)" }
}
