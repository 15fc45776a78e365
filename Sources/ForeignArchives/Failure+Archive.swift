import CArchive
import Glibc
import SystemIO

/// What an archive is refused for, in libarchive's words or in ours.
extension Failure {
  /// About an archive as a whole.
  static func malformed(_ reason: String, _ path: String) -> Failure {
    Failure(.malformed(reason), path)
  }

  /// About one entry, in words that follow its name, which is escaped.
  static func malformed(_ words: String, entry: [UInt8], of path: String) -> Failure {
    malformed("entry '\(shownEntry(entry))'\(words)", path)
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
    let said = unsafe archive_error_string(archive).map { unsafe Self.shown($0) } ?? words
    let reason = entry.map { "entry '\(Self.shownEntry($0))': \(said)" } ?? said
    // libarchive has no number for this: its words are all there is.
    self.init(said.contains("encrypted") ? .encrypted(reason) : .malformed(reason), path)
  }

  /// What libarchive says, which quotes names as they are stored.
  static func shown(_ words: UnsafePointer<CChar>) -> String {
    unsafe shownBytes(UnsafeRawBufferPointer(start: words, count: strlen(words)))
  }

  private static func shownEntry(_ entry: [UInt8]) -> String {
    let longest = 200
    if entry.count <= longest { return shownBytes(entry) }
    return shownBytes(entry.prefix(longest / 2)) + "…" + shownBytes(entry.suffix(30))
  }

  static func outOfMemory(_ path: String) -> Failure { Failure(.read, path, code: ENOMEM) }

  static func interrupted(_ path: String) -> Failure { Failure(.interrupted, path) }
}
