import Glibc
package import SystemIO
import TerminalText

/// Where the body of a request comes from, for whoever takes it piece by piece.
package struct BodyReader: ~Copyable {
  private let wire: Wire
  /// Whether the client waits to be told that its body is wanted.
  private var answersFirst: Bool
  /// How many bytes have not been taken yet; more than there can be while nobody knows.
  package private(set) var left: UInt64
  /// How many bytes were taken.
  package private(set) var count: UInt64 = 0
  /// How much is left of the chunk under way; nil for a body that has a size.
  private var chunk: UInt64?

  init(_ wire: Wire, for head: RequestHead) {
    self.wire = wire
    answersFirst = head.expectsContinue
    left = head.isChunked ? .max : head.bodySize ?? 0
    chunk = head.isChunked ? 0 : nil
  }

  /// Lends the next bytes, at most so many; false when all were taken.
  ///
  /// A client that ends before them is a failure (`ECONNRESET`).
  package mutating func next(
    atMost limit: UInt64 = .max, _ take: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard left > 0 else { return false }
    if answersFirst {
      answersFirst = false
      try wire.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if chunk == 0 { guard try beginChunk() else { return false } }
    let taken = UInt64(try wire.lend(atMost: min(chunk ?? left, limit), take))
    guard taken > 0 else {
      throw Failure(.refused(.call(.receive), code: ECONNRESET), wire.peerText)
    }
    count += taken
    if let chunk { self.chunk = chunk - taken } else { left -= taken }
    return true
  }

  /// Reads how large the next chunk is; false when there are no more, and what may follow them is
  /// read, too.
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
    Failure(.malformed("the chunks of the body cannot be read"), wire.peerText)
  }

  /// Throws the connection away, with all that is under way; nothing can be answered any more.
  package func reset() -> Failure {
    wire.end(by: .reset)
    return Failure(.refused(.call(.receive), code: ECONNRESET), wire.peerText)
  }
}

/// Where the body of an answer goes.
package struct BodyWriter: ~Copyable {
  private let wire: Wire
  private let cut: Work
  /// How many bytes may still be written; nil where nobody knows.
  private var room: UInt64?
  /// How many were written.
  package private(set) var count: UInt64 = 0

  init(_ wire: Wire, room: UInt64?, cut: Work) {
    self.wire = wire
    self.room = room
    self.cut = cut
  }

  /// Writes bytes; what goes beyond the size that was announced is left out.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    let size = room.map { min($0, UInt64(bytes.byteCount)) } ?? UInt64(bytes.byteCount)
    guard size > 0 else { return }
    try wire.write(bytes.extracting(first: Int(size)))
    count += size
    room = room.map { $0 - size }
  }

  /// Writes bytes.
  package mutating func write(_ bytes: [UInt8]) throws(Failure) {
    try unsafe write(bytes.span.bytes)
  }

  /// Writes so many bytes that `fill` appends to a buffer, each time from a place on and at most as
  /// many as it is told; returns fewer when it appends none.
  ///
  /// While the client takes nothing, no memory is held: `fill` is then asked for the same bytes
  /// again.
  package mutating func write(
    _ size: UInt64,
    filling fill: (UInt64, Int, inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) -> UInt64 {
    let written = try wire.write(room.map { min($0, size) } ?? size, filling: fill)
    count += written
    room = room.map { $0 - written }
    return written
  }

  /// Waits; a server that stops ends that.
  package func pause(for duration: Duration) throws(Failure) {
    try pause(until: .now + duration)
  }

  /// Waits until a moment.
  package func pause(until end: ContinuousClock.Instant) throws(Failure) {
    guard end > .now else { return }
    try wire.flush()
    try wire.pause(until: end, cut)
  }

  /// Waits until a bell rings; false if it has not rung by then.
  package func wait(
    for bell: Bell, until end: ContinuousClock.Instant
  ) throws(Failure) -> Bool {
    try bell.wait(until: end, wire.peerText, cut)
  }

  /// Ends the connection behind what was written, without a word: the client gets no more and is
  /// told nothing.
  package func cutOff() { wire.end(by: .cut) }

  /// Ends the connection at once, and throws away what is under way.
  package func reset() { wire.end(by: .reset) }

  /// Whether the size that was announced is written.
  var isWhole: Bool { room.map { $0 == 0 } ?? true }
}
