import CSystem
import Glibc
import Synchronization

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

/// A library that is not linked, whose functions C code of this package defines (`opened.h`).
///
/// Each of them can be called after ``load()``.
@safe package struct OpenedLibrary: ~Copyable, Sendable {
  private let name: String
  private let fill: @Sendable (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?
  private let isLoaded = InTurn(false)
  /// The same, to be read without waiting for another thread.
  private let isReady = Atomic<Bool>(false)

  /// Stores the name; `fill` looks up the functions, and returns the name of a missing one.
  package init(
    _ name: String,
    _ fill: @escaping @Sendable (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?
  ) {
    self.name = name
    unsafe self.fill = unsafe fill
  }

  /// Opens the library, and looks up its functions, both once.
  package func load() throws(Failure) {
    if isReady.load(ordering: .acquiring) {
      // A test can hide a loaded library.
      if ForcedFailures.areArmed, let code = ForcedFailures.failure(of: .load, name) {
        throw Failure(.load, name, code: code)
      }
      return
    }
    let library = try SharedLibrary(name)
    try isLoaded.with { isLoaded throws(Failure) in
      if isLoaded { return }
      if let missing = unsafe fill(library.handle) {
        let function = unsafe String(cString: missing)
        throw Failure(.library("\(name) (no function \(function))", status: 0))
      }
      isLoaded = true
      isReady.store(true, ordering: .releasing)
    }
  }
}
