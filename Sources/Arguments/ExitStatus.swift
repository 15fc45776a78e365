/// What a program tells the shell when it ends.
package struct ExitStatus: RawRepresentable, Sendable, Hashable {
  package let rawValue: Int32

  /// A status that another program ended with, and that is passed on.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  package static let done = ExitStatus(rawValue: 0)
  /// The work failed: an invalid manifest, a problem with a file, a bad archive.
  package static let failed = ExitStatus(rawValue: 1)
  /// The command line could not be understood.
  package static let usage = ExitStatus(rawValue: 64)
  /// What was waited for was not over when the time was up; waiting again may help.
  package static let unfinished = ExitStatus(rawValue: 75)
}

/// How a program ends: with an exit status, or by the signal that stopped it.
package enum Ending: Sendable, Equatable {
  case status(ExitStatus)
  /// The shell sees 128 plus the signal's number.
  case signal(Int32)
}
