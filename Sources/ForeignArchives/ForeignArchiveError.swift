package import SystemIO

/// Why an archive could not be read or written, and which it was.
package struct ForeignArchiveError: Error, Equatable, Sendable {
  /// Whose doing it was.
  package enum Cause: Equatable, Sendable {
    /// The archive's; the reason is in libarchive's own words, or in ours.
    case archive
    /// The operating system's.
    case system(SystemError)
    /// The operating system's, about the file in which entries wait for their turn.
    case temporaryFile(SystemError)
    /// Somebody asked to stop.
    case interrupt
  }

  package var path: String
  package var reason: String
  package var cause = Cause.archive

  package init(_ path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(_ error: SystemError, aboutTemporaryFile: Bool = false) {
    self.init(error.path, reason: error.reason)
    cause = aboutTemporaryFile ? .temporaryFile(error) : .system(error)
  }

  static func interrupted(_ path: String) -> Self {
    var error = Self(path, reason: "interrupted")
    error.cause = .interrupt
    return error
  }
}
