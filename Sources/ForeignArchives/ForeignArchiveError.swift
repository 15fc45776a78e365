/// What libarchive refused, in its own words, and the archive it was about.
package struct ForeignArchiveError: Error, Equatable, Sendable {
  package var path: String
  package var reason: String

  package init(_ path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}
