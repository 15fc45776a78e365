import Glibc
import SystemIO

/// The character set of libarchive during its calls.
///
/// libarchive converts names with the locale of the thread. If that is "C", names that are not
/// ASCII are lost; and if it converts from one Unicode form to another, it also composes letters,
/// which changes the name.
enum NameLocale {
  /// Names are bytes: for tar, whose names are then unchanged.
  case bytes
  /// Names are UTF-8: for formats that libarchive cannot read in another way.
  case unicode

  // A locale object is immutable after its creation, and is never freed.
  private static let plain = unsafe SharedHandle(newlocale(LC_CTYPE_MASK, "C", nil))
  private static let utf8 = unsafe SharedHandle(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))

  /// Runs `body` with this character set on the calling thread.
  func during<Result: ~Copyable, Thrown: Error>(
    _ body: () throws(Thrown) -> Result
  ) throws(Thrown) -> Result {
    let handle = unsafe self == .bytes ? Self.plain : Self.utf8
    guard let locale = unsafe handle.pointer else { return try body() }
    let before = unsafe uselocale(locale)
    defer { _ = unsafe uselocale(before) }
    return try body()
  }
}
