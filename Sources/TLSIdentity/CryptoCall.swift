import CCrypto
import SystemIO

/// Calls into libcrypto, and what goes wrong with them.
package enum CryptoCall {
  /// What a call gives, or why there is nothing.
  ///
  /// The library keeps a list of errors for each thread: what an earlier call left there would
  /// explain this one wrongly.
  static func get<Value>(
    _ name: String, _ body: () -> Value?
  ) throws(Failure) -> Value {
    ERR_clear_error()
    guard let value = body() else { throw failure(name) }
    return value
  }

  /// Makes a call that answers 1 when it went well.
  static func check(_ name: String, _ body: () -> Int32) throws(Failure) {
    ERR_clear_error()
    guard body() == 1 else { throw failure(name) }
  }

  /// Why the last call failed.
  private static func failure(_ name: String) -> Failure {
    let code = Int32(ERR_peek_error() & 0x7F_FFFF)
    return Failure(.library(takeReason().map { "\(name) (\($0))" } ?? name, status: code))
  }

  /// What the library says about the call that failed last on this thread; then it forgets that.
  package static func takeReason() -> String? {
    defer { ERR_clear_error() }
    return unsafe ERR_reason_error_string(ERR_peek_error()).map { unsafe String(cString: $0) }
  }

  /// What a library writes into memory.
  static func bytes(
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

  /// Lends bytes to a library that reads them as from a file.
  static func reading<Value>(
    _ bytes: [UInt8], _ body: (OpaquePointer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // Bytes that it copies: its own view of them would have to live as long as ours.
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
