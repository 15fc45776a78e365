import CArchive
import Glibc
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
  /// Names in it are escaped: they come out of an archive.
  package var reason: String
  package var cause = Cause.archive

  package init(_ path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  /// About one entry, in words that follow its name.
  init(_ path: String, entry: [UInt8], _ words: String) {
    let longest = 200
    var name = shownBytes(entry)
    if entry.count > longest {
      name = shownBytes(entry.prefix(longest / 2)) + "…" + shownBytes(entry.suffix(30))
    }
    self.init(path, reason: "entry '\(name)'\(words)")
  }

  /// What libarchive says; what it was told to read or write knows better.
  init(
    _ path: String, from archive: OpaquePointer, _ input: ForeignInput?, entry: [UInt8]? = nil,
    orElse words: String = "it cannot be read"
  ) {
    if let failure = input?.failure {
      self = failure
      return
    }
    let reason = unsafe archive_error_string(archive).map { unsafe Self.shown($0) } ?? words
    if let entry {
      self.init(path, entry: entry, ": " + reason)
    } else {
      self.init(path, reason: reason)
    }
  }

  /// What libarchive says, which quotes names as they are stored.
  static func shown(_ words: UnsafePointer<CChar>) -> String {
    unsafe shownBytes(UnsafeRawBufferPointer(start: words, count: strlen(words)))
  }

  init(_ error: SystemError, aboutTemporaryFile: Bool = false) {
    self.init(error.path, reason: error.reason)
    cause = aboutTemporaryFile ? .temporaryFile(error) : .system(error)
  }

  static func outOfMemory(_ path: String) -> Self {
    Self(SystemError("read", path, code: ENOMEM))
  }

  static func interrupted(_ path: String) -> Self {
    var error = Self(path, reason: "interrupted")
    error.cause = .interrupt
    return error
  }
}
