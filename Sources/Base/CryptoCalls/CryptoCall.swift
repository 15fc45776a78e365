import CCrypto
package import SystemIO

/// Calls of libcrypto, and their errors.
///
/// Each call loads the library first. Other code calls its functions in the closure of a call, or
/// with a result of an earlier call.
package enum CryptoCall {
  private static let library = unsafe OpenedLibrary("libcrypto.so.3") {
    unsafe ba_crypto_fill($0)
  }

  /// Returns a new object of the library; throws if there is not enough memory.
  ///
  /// It does not use the error queue, because removing earlier errors takes 1,000 instructions.
  package static func create<Value>(_ body: () -> Value?) throws(Failure) -> Value {
    try library.load()
    guard let value = body() else { throw Failure(.outOfMemory) }
    return value
  }

  /// Returns the result of a call; throws if it is nil.
  ///
  /// The library has an error queue for each thread. Errors of earlier calls are removed first,
  /// because otherwise this function could report one of them.
  package static func get<Value>(
    _ name: String, _ body: () -> Value?
  ) throws(Failure) -> Value {
    try library.load()
    ERR_clear_error()
    guard let value = body() else { throw failure(name) }
    return value
  }

  /// Makes a call that returns 1 for success.
  package static func check(_ name: String, _ body: () -> Int32) throws(Failure) {
    try library.load()
    ERR_clear_error()
    guard body() == 1 else { throw failure(name) }
  }

  /// Returns the error of the last call.
  private static func failure(_ name: String) -> Failure {
    let code = Int32(ERR_peek_error() & 0x7F_FFFF)
    return Failure(.library(nextReason().map { "\(name) (\($0))" } ?? name, status: code))
  }

  /// Removes and returns the error of the last failed call of this thread.
  package static func nextReason() -> String? {
    guard (try? library.load()) != nil else { return nil }
    defer { ERR_clear_error() }
    return unsafe ERR_reason_error_string(ERR_peek_error()).map { unsafe String(cString: $0) }
  }

  /// Returns the bytes that a library writes into memory.
  package static func bytes(
    _ name: String, _ write: (OpaquePointer) -> Int32
  ) throws(Failure) -> [UInt8] {
    let memory = unsafe try get("BIO_new") { unsafe BIO_new(BIO_s_mem()) }
    defer { unsafe BIO_free(memory) }
    try check(name) { unsafe write(memory) }
    var start: UnsafeMutablePointer<CChar>?
    let count = unsafe ba_BIO_get_mem_data(memory, &start)
    guard count > 0, let start = unsafe start else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Passes bytes to a library that reads them as a file.
  package static func reading<Value>(
    _ bytes: [UInt8], _ body: (OpaquePointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // The library copies the bytes, because a reference could outlive them.
    let memory = unsafe try get("BIO_new") { unsafe BIO_new(BIO_s_mem()) }
    defer { unsafe BIO_free(memory) }
    let count = Int32(clamping: bytes.count)
    let written = unsafe bytes.withUnsafeBytes {
      unsafe BIO_write(memory, $0.baseAddress, count)
    }
    guard written == count else { throw Failure(.outOfMemory) }
    return try unsafe body(memory)
  }
}
