import CSystem
import Glibc

/// A library that is opened when it is needed, so that nobody else pays for it.
///
/// It is never closed: what it has started, such as threads, may go on.
@safe package struct SharedLibrary: Sendable {
  private let library: SharedHandle<UnsafeMutableRawPointer>
  /// The handle for `dlsym`.
  package var handle: UnsafeMutableRawPointer { unsafe library.pointer }

  /// Opens a library by its name, with all that it needs (`dlopen`).
  package init(_ name: String) throws(Failure) {
    var opened: UnsafeMutableRawPointer?
    _ = try perform(.load, name) {
      unsafe opened = dlopen(name, RTLD_NOW | RTLD_LOCAL)
      // The system has only words for what was wrong; nearly always the library is missing.
      if unsafe opened == nil { errno = ELIBACC }
      return Int32(unsafe opened == nil ? -1 : 0)
    }
    guard let opened = unsafe opened else { throw Failure(.load, name, code: ELIBACC) }
    unsafe library = unsafe SharedHandle(opened)
  }
}
