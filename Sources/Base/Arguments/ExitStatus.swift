/// The exit status of the program.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32

  /// Creates a status, such as that of another program, which is passed on.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let done = ExitStatus(rawValue: 0)
  /// The work failed: an invalid manifest, a problem with a file, a bad archive.
  package static let failed = ExitStatus(rawValue: 1)
  /// The command line is invalid.
  package static let usage = ExitStatus(rawValue: 64)
  /// Timed out; a later run may succeed.
  package static let unfinished = ExitStatus(rawValue: 75)
}

/// The end of the program: an exit status, or the signal that stopped it.
package enum Ending: Sendable, Equatable {
  case status(ExitStatus)
  /// The shell reports 128 plus the signal's number.
  case signal(Int32)
}
