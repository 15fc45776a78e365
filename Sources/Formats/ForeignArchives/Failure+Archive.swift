import CArchive
import Glibc
package import SystemIO

/// The reason for an archive that cannot be read without a password, with the message of
/// libarchive.
struct EncryptedArchive: FailureReason {
  let description: String
  var isAboutBytes: Bool { true }
}

/// The reasons for rejecting an archive, from libarchive or from this module.
extension Failure {
  /// Returns a failure of the archive as a whole.
  static func malformed(_ reason: String, _ path: String) -> Failure {
    Failure(.malformed(reason), path)
  }

  /// Returns a failure of one entry; the phrase follows its name, which is escaped.
  static func malformed(_ phrase: String, entry: [UInt8], of path: String) -> Failure {
    malformed("entry '\(shownEntry(entry))'\(phrase)", path)
  }

  /// Whether it is an archive that cannot be read without a password.
  package var needsPassword: Bool { reason(as: EncryptedArchive.self) != nil }

  /// Creates a failure from the message of libarchive; if its input or output failed, that failure
  /// is used instead.
  init(
    _ path: String, from archive: OpaquePointer, _ input: ForeignInput?, entry: [UInt8]? = nil,
    isEncrypted: Bool = false, orElse phrase: String = "it cannot be read"
  ) {
    if let failure = input?.failure {
      self = failure
      return
    }
    let said = unsafe archive_error_string(archive).map { unsafe Self.shown($0) } ?? phrase
    let reason = entry.map { "entry '\(Self.shownEntry($0))': \(said)" } ?? said
    if isEncrypted {
      self.init(EncryptedArchive(description: reason), path)
    } else {
      self.init(.malformed(reason), path)
    }
  }

  /// Returns the message of libarchive, escaped, because it contains names of entries unchanged.
  static func shown(_ phrase: UnsafePointer<CChar>) -> String {
    unsafe shownBytes(UnsafeRawBufferPointer(start: phrase, count: strlen(phrase)))
  }

  private static func shownEntry(_ entry: [UInt8]) -> String {
    let longest = 200
    if entry.count <= longest { return shownBytes(entry) }
    return shownBytes(entry.prefix(longest / 2)) + "…" + shownBytes(entry.suffix(30))
  }

  static func outOfMemory(_ path: String) -> Failure { Failure(.read, path, code: ENOMEM) }

}
