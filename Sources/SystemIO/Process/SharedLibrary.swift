import CSystem
import Glibc

/// A library that is loaded only when it is needed, so that other runs start faster.
///
/// It is never closed, because its threads may still run.
@safe package struct SharedLibrary: Sendable {
  private let library: SharedHandle<UnsafeMutableRawPointer>
  /// The handle for `dlsym`.
  package var handle: UnsafeMutableRawPointer { unsafe library.pointer }

  /// Opens a library by its name, with its dependencies (`dlopen`).
  package init(_ name: String) throws(Failure) {
    var opened: UnsafeMutableRawPointer?
    _ = try perform(.load, name) {
      unsafe opened = dlopen(name, RTLD_NOW | RTLD_LOCAL)
      // `dlopen` reports only a text, no number. In almost all cases the library is missing.
      if unsafe opened == nil { errno = ELIBACC }
      return Int32(unsafe opened == nil ? -1 : 0)
    }
    guard let opened = unsafe opened else { throw Failure(.load, name, code: ELIBACC) }
    unsafe library = unsafe SharedHandle(opened)
  }
}
