import Glibc
package import SystemIO
import TerminalText

/// The body of a request, which is read in pieces.
package struct BodyReader: ~Copyable {
  private let wire: Wire
  /// Whether the client waits for `100 Continue` before it sends the body.
  private var mustSendContinue: Bool
  /// The number of bytes that are not read yet; the maximum value if the size is unknown.
  package private(set) var left: UInt64
  /// The number of bytes that were read.
  package private(set) var count: UInt64 = 0
  /// The remaining bytes of the current chunk; nil for a body with `Content-Length`.
  private var chunk: UInt64?

  init(_ wire: Wire, for head: RequestHead) {
    self.wire = wire
    mustSendContinue = head.expectsContinue
    left = head.isChunked ? .max : head.bodySize ?? 0
    chunk = head.isChunked ? 0 : nil
  }

  /// Passes the next bytes, at most `limit`, to a function; returns false at the end of the body.
  ///
  /// Throws `ECONNRESET` if the client closes the connection before the end.
  package mutating func next(
    atMost limit: UInt64 = .max, _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard left > 0 else { return false }
    if mustSendContinue {
      mustSendContinue = false
      try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if chunk == 0 { guard try beginChunk() else { return false } }
    let read = UInt64(try wire.lend(atMost: min(chunk ?? left, limit), body))
    guard read > 0 else {
      throw Failure(.refused(.call(.receive), code: ECONNRESET), wire.peerText)
    }
    count += read
    if let chunk { self.chunk = chunk - read } else { left -= read }
    return true
  }

  /// Reads the size of the next chunk; at the end, reads the trailers and returns false.
  private mutating func beginChunk() throws(Failure) -> Bool {
    if count > 0 { guard try wire.line() == [] else { throw unreadable } }
    let size = try wire.line()?.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    guard let size, (1...15).contains(size.count), let number = UInt64(hexadecimal: size)
    else { throw unreadable }
    chunk = number
    if number > 0 { return true }
    for _ in 0..<Self.mostTrailers {
      guard let line = try wire.line() else { break }
      if line.isEmpty {
        left = 0
        return false
      }
    }
    throw unreadable
  }

  private static let mostTrailers = 100

  private var unreadable: Failure {
    Failure(.malformed("the chunked request body is malformed"), wire.peerText)
  }

  /// Resets the connection and discards all its data; no response can be sent afterwards.
  package func reset() -> Failure {
    wire.end(by: .reset)
    return Failure(.refused(.call(.receive), code: ECONNRESET), wire.peerText)
  }
}

/// The body of a response, which is written in pieces.
package struct BodyWriter: ~Copyable {
  private let wire: Wire
  private let cut: Work
  /// The number of bytes that can still be written; nil if the size is unknown.
  private var room: UInt64?
  /// The number of written bytes.
  package private(set) var count: UInt64 = 0

  init(_ wire: Wire, room: UInt64?, cut: Work) {
    self.wire = wire
    self.room = room
    self.cut = cut
  }

  /// Writes bytes, and ignores bytes beyond the announced size.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    let size = room.map { min($0, UInt64(bytes.byteCount)) } ?? UInt64(bytes.byteCount)
    guard size > 0 else { return }
    try wire.write(bytes.extracting(first: Int(size)))
    count += size
    room = room.map { $0 - size }
  }

  package mutating func write(_ bytes: [UInt8]) throws(Failure) {
    try unsafe write(bytes.span.bytes)
  }

  /// Writes at most `size` bytes, which `fill` appends to a buffer in pieces; returns their number.
  ///
  /// `fill` gets an offset and a maximum number of bytes. The body ends early if `fill` appends no
  /// bytes, and at the announced size. While the client does not read, no memory is held; `fill` is
  /// then called for the same bytes again.
  package mutating func write(
    _ size: UInt64,
    filling fill: (UInt64, Int, inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) -> UInt64 {
    let written = try wire.write(room.map { min($0, size) } ?? size, filling: fill)
    count += written
    room = room.map { $0 - written }
    return written
  }

  /// Waits for a duration, or until the server stops.
  package func pause(for duration: Duration) throws(Failure) {
    try pause(until: .now + duration)
  }

  /// Waits until a point in time, or until the server stops.
  package func pause(until end: ContinuousClock.Instant) throws(Failure) {
    guard end > .now else { return }
    try wire.flush()
    try wire.pause(until: end, cut)
  }

  /// Waits until a bell rings; returns false at the time limit.
  package func wait(
    for bell: Bell, until end: ContinuousClock.Instant
  ) throws(Failure) -> Bool {
    try bell.wait(until: end, wire.peerText, cut)
  }

  /// Ends the connection after the written bytes, without the closing message of TLS.
  package func cutOff() { wire.end(by: .cut) }

  /// Resets the connection immediately and discards data that was not sent.
  package func reset() { wire.end(by: .reset) }

  /// Whether the announced size is written.
  var isWhole: Bool { room.map { $0 == 0 } ?? true }
}
