import Glibc

/// The character set that libarchive sees while it works for us.
///
/// libarchive converts names with the locale of the thread. If that is "C", names that are not
/// ASCII are lost; and if it converts from one Unicode form to another, it also composes letters,
/// so that a name would not come out as it went in.
enum NameLocale {
  /// Names are bytes: for tar, whose names then stay as they are stored.
  case bytes
  /// Names are UTF-8: for formats that libarchive cannot read in another way.
  case unicode

  // A locale object never changes after it is made, and it lives as long as the process.
  private nonisolated(unsafe) static let plain: locale_t? = unsafe newlocale(
    LC_CTYPE_MASK, "C", nil)
  private nonisolated(unsafe) static let utf8: locale_t? = unsafe newlocale(
    LC_CTYPE_MASK, "C.UTF-8", nil)

  /// Runs `body` with this character set on the calling thread.
  func during<Result: ~Copyable, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    guard let locale = unsafe self == .bytes ? Self.plain : Self.utf8 else { return try body() }
    let before = unsafe uselocale(locale)
    defer { _ = unsafe uselocale(before) }
    return try body()
  }
}
