package import SystemIO

/// What libarchive refused, in its own words, and the archive it was about.
package struct ForeignArchiveError: Error, Equatable, Sendable {
  package var path: String
  package var reason: String
  /// What the operating system refused, where it was that and not the archive.
  package var system: SystemError?
  /// Whether that was about the file in which entries wait for their turn.
  package var isAboutTemporaryFile = false

  package init(_ path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package init(_ error: SystemError) {
    self.init(error.path, reason: error.reason)
    system = error
  }
}
