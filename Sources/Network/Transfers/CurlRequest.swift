import CCurl
import SystemIO

/// The callbacks of a running request; an error in a callback ends it.
protocol CurlCallbacks: AnyObject {
  /// The head of the response was received.
  func begin(_ head: ResponseHead) throws(Failure)
  /// More bytes of the response body were received.
  func receive(_ bytes: RawSpan) throws(Failure)
  /// Writes the next bytes of the request body; writes no bytes at its end.
  func supply(into output: inout OutputRawSpan) throws(Failure)
  /// Continues the request body at an offset, because it has to be sent again from there.
  func rewind(to place: UInt64)
}

/// A request of libcurl ("easy handle"), used by one thread.
///
/// It stores the arguments of the callbacks at a fixed address.
@safe final class CurlRequest {
  let pointer: UnsafeMutableRawPointer
  private let curl: CurlLibrary
  private var fields: UnsafeMutablePointer<curl_slist>?
  /// The buffer for error messages of libcurl.
  private let phrase: UnsafeMutablePointer<CChar>
  /// The receiver of the callbacks.
  private let events: any CurlCallbacks
  private var reader = HeadReader()
  /// Whether the certificate of the server has no alternative names, which ended the request.
  private(set) var lacksNames = false
  /// The error of a callback, which ended the request.
  private(set) var failure: Failure?

  init(_ curl: CurlLibrary, _ events: any CurlCallbacks) throws(Failure) {
    guard let made = unsafe curl.table.pointee.easy_init?() else { throw Failure(.outOfMemory) }
    unsafe pointer = made
    unsafe phrase = .allocate(capacity: Int(CURL_ERROR_SIZE))
    unsafe phrase.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    self.curl = curl
    self.events = events
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe try set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(phrase))
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA] {
      unsafe try set(option, own)
    }
    unsafe try set(CURLOPT_HEADERFUNCTION) { bytes, size, count, user in
      guard let request = unsafe CurlRequest.at(user), let bytes = unsafe bytes else { return 0 }
      return unsafe request.receiveLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe try set(CURLOPT_WRITEFUNCTION) { bytes, size, count, user in
      guard let request = unsafe CurlRequest.at(user), let bytes = unsafe bytes else { return 0 }
      return unsafe request.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe try set(CURLOPT_READFUNCTION) { bytes, size, count, user in
      guard let request = unsafe CurlRequest.at(user), let bytes = unsafe bytes else { return 0 }
      return unsafe request.sendBody(
        UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }
    unsafe try check(
      ba_curl_set_seeker(curl.table, pointer) { user, offset, origin in
        guard let request = unsafe CurlRequest.at(user), origin == 0, offset >= 0 else {
          return CURL_SEEKFUNC_FAIL
        }
        request.events.rewind(to: UInt64(offset))
        return CURL_SEEKFUNC_OK
      })
    // libcurl also accepts a name that only the subject of a certificate has. Apple's systems do
    // not.
    unsafe try check(
      ba_curl_set_starter(curl.table, pointer, own) { user, _, _, _, _ in
        guard let request = unsafe CurlRequest.at(user) else { return CURL_PREREQFUNC_ABORT }
        request.lacksNames = !(unsafe ba_curl_has_names(request.curl.table, request.pointer))
        return request.lacksNames ? CURL_PREREQFUNC_ABORT : CURL_PREREQFUNC_OK
      })
  }

  deinit {
    unsafe curl.table.pointee.easy_cleanup?(pointer)
    unsafe curl.table.pointee.slist_free_all?(fields)
    unsafe phrase.deallocate()
  }

  private static func at(_ user: UnsafeMutableRawPointer?) -> CurlRequest? {
    unsafe user.map { unsafe Unmanaged<CurlRequest>.fromOpaque($0).takeUnretainedValue() }
  }

  // MARK: Callbacks

  private func receiveLine(_ line: UnsafeRawBufferPointer) -> Int {
    // Fields after a body (trailers) are ignored.
    let wasComplete = reader.isComplete
    guard unsafe reader.parse(Array(line)) else {
      failure = Failure(.transfer(.ask, .headerTooLarge))
      return 0
    }
    guard reader.isComplete, !wasComplete else { return line.count }
    return ends { () throws(Failure) in try events.begin(reader.head) } ? 0 : line.count
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    let span = unsafe bytes.bytes
    return ends { () throws(Failure) in try events.receive(span) } ? 0 : bytes.count
  }

  private func sendBody(_ room: UnsafeMutableRawBufferPointer) -> Int {
    var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
    let hasEnded = ends { () throws(Failure) in try events.supply(into: &output) }
    let count = unsafe output.finalize(for: room)
    return hasEnded ? Int(CURL_READFUNC_ABORT) : count
  }

  /// Runs a callback; returns whether it fails, which ends the request.
  private func ends(_ body: () throws(Failure) -> Void) -> Bool {
    guard failure == nil else { return true }
    do throws(Failure) {
      try body()
      return false
    } catch {
      failure = error
      return true
    }
  }

  // MARK: Setting up

  private func check(_ code: CURLcode) throws(Failure) {
    guard code == CURLE_OK else {
      throw code == CURLE_OUT_OF_MEMORY
        ? Failure(.outOfMemory)
        : Failure(.library("curl_easy_setopt", status: Int32(code.rawValue)))
    }
  }

  func set(_ option: CURLoption, _ value: Int) throws(Failure) {
    try check(unsafe ba_curl_set_long(curl.table, pointer, option, value))
  }

  func set(_ option: CURLoption, size: UInt64) throws(Failure) {
    try check(unsafe ba_curl_set_size(curl.table, pointer, option, curl_off_t(clamping: size)))
  }

  func set(_ option: CURLoption, _ text: String) throws(Failure) {
    try check(unsafe ba_curl_set_text(curl.table, pointer, option, text))
  }

  func set(_ option: CURLoption, bytes: [UInt8]) throws(Failure) {
    let code = unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return CURLE_OK }
      return unsafe ba_curl_set_blob(curl.table, pointer, option, start, bytes.count)
    }
    try check(code)
  }

  private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(Failure) {
    try check(unsafe ba_curl_set_pointer(curl.table, pointer, option, value))
  }

  private func set(_ option: CURLoption, _ function: ba_curl_mover) throws(Failure) {
    try check(unsafe ba_curl_set_mover(curl.table, pointer, option, function))
  }

  /// Sets an option that older versions do not support and that is not required.
  func setIfKnown(_ option: CURLoption, _ value: Int) {
    _ = unsafe ba_curl_set_long(curl.table, pointer, option, value)
  }

  func set(_ list: [HeaderField]) throws(Failure) {
    for field in list {
      guard field.isSound else {
        throw .malformed("the header field '\(field.name)' is not a single line")
      }
      // Without ';', libcurl would omit a field with an empty value.
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      try append(line)
    }
    // The body is sent without waiting for '100 Continue'.
    try append("Expect:")
    unsafe try set(CURLOPT_HTTPHEADER, UnsafeMutableRawPointer(fields))
  }

  private func append(_ line: String) throws(Failure) {
    guard let list = unsafe curl.table.pointee.slist_append?(fields, line) else {
      throw Failure(.outOfMemory)
    }
    unsafe fields = list
  }

  // MARK: Results

  /// The head of the last response, possibly incomplete.
  var head: ResponseHead { reader.head }

  /// Whether the head of a response was received.
  var hasResponse: Bool { reader.isComplete }

  /// Whether a connection was established.
  var wasConnected: Bool { hasResponse || size(CURLINFO_PRETRANSFER_TIME_T) > 0 }

  func number(_ info: CURLINFO) -> Int { unsafe ba_curl_get_long(curl.table, pointer, info) }

  func size(_ info: CURLINFO) -> Int64 {
    Int64(unsafe ba_curl_get_size(curl.table, pointer, info))
  }

  func text(_ info: CURLINFO) -> String? {
    unsafe ba_curl_get_text(curl.table, pointer, info).map { unsafe String(cString: $0) }
  }

  /// The error message of libcurl; it can contain host names, and is shown only for TLS errors.
  var libraryMessage: String { unsafe String(cString: phrase) }
}
