/// What a program tells the shell when it ends.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  case done = 0
  /// The work failed: an invalid manifest, a problem with a file, a bad archive.
  case failed = 1
  /// The command line could not be understood.
  case usage = 64
}

/// How a program ends: with an exit status, or by the signal that stopped it.
package enum Ending: Sendable, Equatable {
  case status(ExitStatus)
  /// The shell sees 128 plus the signal's number.
  case signal(Int32)
}
