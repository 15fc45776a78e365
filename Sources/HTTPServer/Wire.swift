import Glibc
package import SystemIO

/// The bytes between a server and one client, encrypted or not; used by one thread.
final class Wire {
  private var connection: Connection
  private var session: TLSSession?
  /// What has come and was not looked at.
  private var buffer: [UInt8] = []
  private var ending: Ending = .goodbye
  /// Whether nothing sensible can be said any more.
  private(set) var isBroken = false
  /// Whether the client ended it because it does not trust our certificate.
  private(set) var isDistrusted = false

  /// How a connection ends.
  enum Ending {
    /// With all that belongs to it.
    case goodbye
    /// Without saying so inside the encryption, as when a cable is pulled; what was sent still arrives.
    case cut
    /// At once; what is under way is thrown away.
    case reset
  }

  /// The head of an answer whose body has not come yet: both go out in one piece.
  private var held: [UInt8] = []
  private let pieces: Pieces

  init(_ connection: consuming Connection, pieces: Pieces) {
    self.connection = connection
    self.pieces = pieces
  }

  var peer: SocketAddress { connection.peer }
  var peerText: String { connection.peerText }

  func set(deadline: ContinuousClock.Instant?, timeout: Duration?, alarm: Alarm?) {
    connection.deadline = deadline
    connection.timeout = timeout
    connection.alarm = alarm
  }

  /// Agrees on how to encrypt from now on; false for a client that asks without, which is then understood
  /// without.
  func encrypt(_ context: TLSContext, at ownAddress: SocketAddress) throws(Failure) -> Bool {
    let made = try TLSSession(context, on: connection.number, at: ownAddress)
    do throws(Failure) {
      guard try made.shakeHands(connection) else { return false }
    } catch {
      isDistrusted = made.isDistrusted
      // A client that speaks no TLS, or does not trust us, would not understand a goodbye.
      isBroken = true
      throw error
    }
    session = consume made
    return true
  }

  // MARK: Writing

  /// Keeps the head of an answer until its body is written.
  func hold(_ head: [UInt8]) { held = head }

  /// Writes the head that is kept.
  func flush() throws(Failure) {
    if held.isEmpty { return }
    let head = held
    held = []
    try write(head)
  }

  func write(_ bytes: [UInt8]) throws(Failure) { try unsafe write(bytes.span.bytes) }

  /// Writes all of the bytes, behind a head that is kept.
  func write(_ bytes: RawSpan) throws(Failure) {
    var written = 0
    if !held.isEmpty {
      written = min(bytes.byteCount, max(0, Self.recordSize - held.count))
      held.append(copying: bytes.extracting(first: written))
      try flush()
    }
    while written < bytes.byteCount {
      let rest = bytes.extracting(written..<bytes.byteCount)
      if let count = try writeSome(rest) {
        written += count
      } else {
        try breaking { () throws(Failure) in try connection.wait(until: .writable) }
      }
    }
  }

  /// Writes so many bytes that `fill` appends, behind a head that is kept; fewer when it appends none.
  ///
  /// While the client takes nothing, the memory is lent to others, and `fill` is then asked once more.
  func write(
    _ count: UInt64,
    filling fill: (UInt64, Int, inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) -> UInt64 {
    var piece: Pieces.Piece? = try pieces.take()
    defer { piece.map(pieces.giveBack) }
    var sent: UInt64 = 0
    while let filled = piece, sent < count || !held.isEmpty {
      filled.bytes.removeAll()
      _ = unsafe filled.bytes.append(held.span.bytes)
      try fill(sent, Int(min(UInt64(filled.bytes.freeCapacity), count - sent)), &filled.bytes)
      guard filled.bytes.count > 0 else { break }
      let isLast = filled.bytes.count == held.count
      if try !pass(on: filled, &sent) {
        pieces.giveBack(filled)
        piece = nil
        try breaking { () throws(Failure) in try connection.wait(until: .writable) }
        piece = try pieces.take()
      } else if isLast {
        break
      }
    }
    return sent
  }

  /// Writes a piece that begins with the head that is kept; false when the client takes nothing for
  /// longer than one that merely is slower than we are.
  private func pass(on piece: Pieces.Piece, _ sent: inout UInt64) throws(Failure) -> Bool {
    var place = 0
    while place < piece.bytes.count {
      let count = try piece.bytes.withBytes { (bytes) throws(Failure) in
        try writeSome(bytes.extracting(place..<bytes.byteCount))
      }
      guard let count else {
        let isReady = try breaking { () throws(Failure) in
          try connection.isReady(.writable, within: Self.patience)
        }
        if isReady { continue }
        return false
      }
      place += count
      let ofHead = min(count, held.count)
      held.removeFirst(ofHead)
      sent += UInt64(count - ofHead)
    }
    return true
  }

  /// What TLS encrypts at once.
  private static let recordSize = 16 << 10
  private static let patience = Duration.milliseconds(100)

  private func writeSome(_ bytes: RawSpan) throws(Failure) -> Int? {
    try breaking { () throws(Failure) in
      session != nil ? try session?.writeSome(bytes, connection) : try connection.writeSome(bytes)
    }
  }

  /// Does something after whose failure nothing sensible can be said any more.
  private func breaking<Success>(
    _ body: () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    do throws(Failure) {
      return try body()
    } catch {
      isBroken = true
      throw error
    }
  }

  // MARK: Reading

  /// Waits for more bytes; false when none will come.
  private func fill() throws(Failure) -> Bool {
    let more = try [UInt8](capacity: 8 << 10) { (output) throws(Failure) in
      if session != nil {
        _ = try session?.read(into: &output, connection)
      } else {
        _ = try connection.read(into: &output)
      }
    }
    if buffer.isEmpty { buffer = more } else { buffer += more }
    return !more.isEmpty
  }

  /// Waits until the first byte of a request is there; false when none will come.
  func waitForRequest() throws(Failure) -> Bool {
    if !buffer.isEmpty { return true }
    return try fill()
  }

  /// The bytes of the next head, or as many as are allowed; nil when the client ends before it.
  func head(atMost limit: Int) throws(Failure) -> [UInt8]? {
    var seen = 0
    while true {
      if let size = RequestHead.size(of: buffer, from: seen) { return take(size) }
      seen = buffer.count
      guard buffer.count <= limit else { return take(limit + 1) }
      guard try fill() else { return nil }
    }
  }

  /// So many bytes of a body; nil when the client ends before them.
  func body(_ count: Int) throws(Failure) -> [UInt8]? {
    while buffer.count < count {
      guard try fill() else { return nil }
    }
    return take(count)
  }

  /// A line without the two signs at its end; nil when the client ends before them, or the line is longer
  /// than any that is meant well.
  func line() throws(Failure) -> [UInt8]? {
    var seen = 0
    while true {
      if let end = buffer[seen...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = take(end + 1)
        guard line.count >= 2, line[end - 1] == UInt8(ascii: "\r") else { return nil }
        return Array(line.dropLast(2))
      }
      seen = buffer.count
      guard seen < Self.longestLine, try fill() else { return nil }
    }
  }

  private static let longestLine = 1 << 10

  /// Lends the next bytes of a body, at most so many, in one piece; 0 when the client ends before them.
  func lend(
    atMost limit: UInt64, _ take: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    if buffer.isEmpty {
      guard try fill() else { return 0 }
    }
    let piece = try pieces.take()
    defer { pieces.giveBack(piece) }
    piece.bytes.removeAll()
    let first = self.take(min(buffer.count, Pieces.size, Int(clamping: limit)))
    _ = unsafe piece.bytes.append(first.span.bytes)
    // Larger pieces mean fewer writes to where they go.
    while buffer.isEmpty, piece.bytes.count < min(Pieces.size, Int(clamping: limit)) {
      let before = piece.bytes.count
      let room = min(Pieces.size, Int(clamping: limit)) - before
      try piece.bytes.append(upTo: room) { (output) throws(Failure) in
        if session != nil {
          _ = try session?.read(into: &output, connection)
        } else {
          _ = try connection.read(into: &output)
        }
      }
      if piece.bytes.count == before { break }
    }
    try piece.bytes.withBytes(take)
    return piece.bytes.count
  }

  private func take(_ count: Int) -> [UInt8] {
    guard count < buffer.count else {
      defer { buffer = [] }
      return buffer
    }
    let taken = Array(buffer[..<count])
    buffer.removeFirst(count)
    return taken
  }

  func end(by ending: Ending) { self.ending = ending }

  var isEnding: Bool { ending != .goodbye }

  /// Ends the connection.
  ///
  /// A client that is still sending would lose our answer with a plain close: what it sends is read
  /// for a moment and thrown away.
  func close(discarding: Bool) {
    if ending == .reset {
      connection.resetWhenClosed()
      return
    }
    if !isBroken, ending == .goodbye { session?.sayGoodbye() }
    guard !isBroken || discarding, (try? connection.finishWriting()) != nil, discarding else {
      return
    }
    connection.deadline = .now + .seconds(1)
    session = nil
    buffer = []
    var left = 64
    while left > 0, let more = try? connection.read(atMost: 16 << 10), !more.isEmpty { left -= 1 }
  }
}

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

  /// Reads how large the next chunk is; false when there are no more, and what may follow them is read,
  /// too.
  private mutating func beginChunk() throws(Failure) -> Bool {
    if count > 0 { guard try wire.line() == [] else { throw unreadable } }
    let size = try wire.line()?.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
    guard let size, (1...15).contains(size.count),
      size.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let number = UInt64(String(decoding: size, as: UTF8.self), radix: 16)
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
  private let cut: Alarm
  /// How many bytes may still be written; nil where nobody knows.
  private var room: UInt64?
  /// How many were written.
  package private(set) var count: UInt64 = 0

  init(_ wire: Wire, room: UInt64?, cut: Alarm) {
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

  /// Writes so many bytes that `fill` appends to a buffer, each time from a place on and at most as many
  /// as it is told; returns fewer when it appends none.
  ///
  /// While the client takes nothing, no memory is held: `fill` is then asked for the same bytes again.
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
    let awakening = try waitUntil(
      .readable, -1, wire.peerText, until: end, unless: cut, hearingSignals: false)
    if case .alarmed = awakening { throw Failure(.interrupted, wire.peerText) }
  }

  /// Waits until a bell rings; false if it has not rung by then.
  package func wait(
    for bell: Bell, until end: ContinuousClock.Instant
  ) throws(Failure) -> Bool {
    try bell.wait(until: end, unless: cut, wire.peerText)
  }

  /// Ends the connection behind what was written, without a word: the client gets no more and is told
  /// nothing.
  package func cutOff() { wire.end(by: .cut) }

  /// Ends the connection at once, and throws away what is under way.
  package func reset() { wire.end(by: .reset) }

  /// Whether the size that was announced is written.
  var isWhole: Bool { room.map { $0 == 0 } ?? true }
}
