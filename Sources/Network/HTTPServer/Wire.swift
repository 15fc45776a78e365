import SystemIO

/// A connection to one client, with or without TLS; used by one thread.
final class Wire {
  private var connection: Connection
  private var session: TLSSession?
  /// The received bytes that are not parsed yet.
  private var buffer: [UInt8] = []
  private var ending: Ending = .complete
  /// Whether no valid data can be sent any more.
  private(set) var isBroken = false
  /// Whether the client closed the connection because it does not trust the certificate.
  private(set) var isDistrusted = false

  /// The ways in which a connection ends.
  enum Ending {
    /// After all data, with the closing message of TLS.
    case complete
    /// After all data, without the closing message of TLS, as after a network failure.
    case cut
    /// Immediately; data that was not sent is discarded.
    case reset
  }

  /// The head of a response, which is sent together with the start of the body.
  private var held: [UInt8] = []
  private let pieces: Pool<Piece>

  init(_ connection: consuming Connection, pieces: Pool<Piece>) {
    self.connection = connection
    self.pieces = pieces
  }

  var peer: SocketAddress { connection.peer }
  var peerText: String { connection.peerText }

  func set(deadline: ContinuousClock.Instant?, timeout: Duration?, _ work: Work) {
    connection.deadline = deadline
    connection.timeout = timeout
    connection.work = work
  }

  /// Starts TLS; returns false for a client that sends plain HTTP.
  func encrypt(_ context: TLSContext, at ownAddress: SocketAddress) throws(Failure) -> Bool {
    let made = try TLSSession(context, on: connection.number, at: ownAddress)
    do throws(Failure) {
      guard try made.performHandshake(connection) else { return false }
    } catch {
      isDistrusted = made.isDistrusted
      // The closing message of TLS is useless for a client that does not use TLS or trust the
      // server.
      isBroken = true
      throw error
    }
    session = consume made
    return true
  }

  // MARK: Writing

  /// Keeps the head of a response until its body is written, so that one write sends both.
  func hold(_ head: [UInt8]) { held = head }

  /// Whether the head that was kept was sent.
  var hasSentHead: Bool { held.isEmpty }

  /// Writes the head that is kept.
  func flush() throws(Failure) {
    if held.isEmpty { return }
    let head = held
    try unsafe writeAll(head.span.bytes)
    held = []
  }

  func write(_ bytes: [UInt8]) throws(Failure) { try unsafe write(bytes.span.bytes) }

  /// Writes all bytes, after the held head.
  func write(_ bytes: RawSpan) throws(Failure) {
    var written = 0
    if !held.isEmpty {
      written = min(bytes.byteCount, max(0, Self.recordSize - held.count))
      held.append(copying: bytes.extracting(first: written))
      try flush()
    }
    try writeAll(bytes.extracting(written..<bytes.byteCount))
  }

  /// Waits until a point in time.
  ///
  /// The held head is not sent during the wait.
  func pause(until end: ContinuousClock.Instant, _ work: Work) throws(Failure) {
    try work.pause(until: end, peerText)
  }

  private func writeAll(_ bytes: RawSpan) throws(Failure) {
    var written = 0
    while written < bytes.byteCount {
      let rest = bytes.extracting(written..<bytes.byteCount)
      if let count = try writeSome(rest) {
        written += count
      } else {
        try breaking { () throws(Failure) in try connection.wait(until: .writable) }
      }
    }
  }

  /// Writes `count` bytes, which `fill` appends, after the held head; returns fewer if `fill`
  /// appends no bytes.
  ///
  /// While the client does not read, the buffer is released, and `fill` is then called again.
  func write(
    _ count: UInt64,
    filling fill: (UInt64, Int, inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) -> UInt64 {
    var sent: UInt64 = 0
    while try !pieces.with({ (piece) throws(Failure) in try write(count, &sent, piece, fill) }) {
      try breaking { () throws(Failure) in try connection.wait(until: .writable) }
    }
    return sent
  }

  /// Writes the next piece; returns false while the client does not read.
  private func write(
    _ count: UInt64, _ sent: inout UInt64, _ piece: Piece,
    _ fill: (UInt64, Int, inout ByteBuffer) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    while sent < count || !held.isEmpty {
      // Writes to a fast client never wait, so the stop is checked here, too.
      try connection.work.check(peerText)
      piece.bytes.removeAll()
      _ = unsafe piece.bytes.append(held.span.bytes)
      try fill(sent, Int(min(UInt64(piece.bytes.freeCapacity), count - sent)), &piece.bytes)
      let isLast = piece.bytes.count == held.count
      guard piece.bytes.count > 0 else { break }
      guard try send(piece, &sent) else { return false }
      if isLast { break }
    }
    return true
  }

  /// Writes a buffer that starts with the held head; returns false if the client does not read for
  /// longer than ``patience``.
  private func send(_ piece: Piece, _ sent: inout UInt64) throws(Failure) -> Bool {
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

  /// The maximum size of a TLS record.
  private static let recordSize = 16 << 10
  private static let patience = Duration.milliseconds(100)

  private func writeSome(_ bytes: RawSpan) throws(Failure) -> Int? {
    try breaking { () throws(Failure) in
      session != nil ? try session?.writeSome(bytes, connection) : try connection.writeSome(bytes)
    }
  }

  /// Calls a function; after an error, no valid data can be sent.
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

  /// Waits for more bytes; returns false at the end of the data.
  private func fill(isIdle: Bool = false) throws(Failure) -> Bool {
    var more = try ByteBuffer(capacity: 8 << 10)
    try more.append(upTo: more.capacity) { (output) throws(Failure) in
      if session != nil {
        _ = try session?.read(into: &output, connection, isIdle: isIdle)
      } else {
        _ = try connection.read(into: &output)
      }
    }
    more.withBytes { buffer.append(copying: $0) }
    return more.count > 0
  }

  /// Waits for the first byte of a request; returns false at the end of the data.
  func waitForRequest() throws(Failure) -> Bool {
    if !buffer.isEmpty { return true }
    return try fill(isIdle: true)
  }

  /// Returns the next head, or its first `limit` + 1 bytes if it is longer than `limit`; nil if the
  /// client closes the connection.
  func head(atMost limit: Int) throws(Failure) -> [UInt8]? {
    var seen = 0
    while true {
      if let size = RequestHead.size(of: buffer, from: seen) { return removeFirst(size) }
      seen = buffer.count
      guard buffer.count <= limit else { return removeFirst(limit + 1) }
      guard try fill() else { return nil }
    }
  }

  /// Returns `count` bytes of a body; nil if the client closes the connection.
  func body(_ count: Int) throws(Failure) -> [UInt8]? {
    while buffer.count < count {
      guard try fill() else { return nil }
    }
    return removeFirst(count)
  }

  /// Returns a line without its CR LF; nil if the line is too long, if it does not end with CR LF,
  /// or if the client closes the connection.
  func line() throws(Failure) -> [UInt8]? {
    var seen = 0
    while true {
      if let end = buffer[seen...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = removeFirst(end + 1)
        guard line.count >= 2, line[end - 1] == UInt8(ascii: "\r") else { return nil }
        return Array(line.dropLast(2))
      }
      seen = buffer.count
      guard seen < Self.longestLine, try fill() else { return nil }
    }
  }

  private static let longestLine = 1 << 10

  /// Passes the next bytes of a body, at most `limit`, to a function; returns their number, or 0 if
  /// the client closes the connection.
  func lend(
    atMost limit: UInt64, _ body: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    if buffer.isEmpty {
      guard try fill() else { return 0 }
    }
    return try pieces.with { (piece) throws(Failure) in
      piece.bytes.removeAll()
      let most = min(Piece.size, Int(clamping: limit))
      let first = removeFirst(min(buffer.count, most))
      _ = unsafe piece.bytes.append(first.span.bytes)
      // Larger pieces require fewer writes by the receiver.
      while buffer.isEmpty, piece.bytes.count < most {
        let before = piece.bytes.count
        try piece.bytes.append(upTo: most - before) { (output) throws(Failure) in
          if session != nil {
            _ = try session?.read(into: &output, connection)
          } else {
            _ = try connection.read(into: &output)
          }
        }
        if piece.bytes.count == before { break }
      }
      try piece.bytes.withBytes(body)
      return piece.bytes.count
    }
  }

  private func removeFirst(_ count: Int) -> [UInt8] {
    guard count < buffer.count else {
      defer { buffer = [] }
      return buffer
    }
    let first = Array(buffer[..<count])
    buffer.removeFirst(count)
    return first
  }

  func end(by ending: Ending) { self.ending = ending }

  var isEnding: Bool { ending != .complete }

  /// Closes the connection.
  ///
  /// If the client is still sending, a plain close could discard the response: incoming data is
  /// read for a moment and discarded.
  func close(discarding: Bool) {
    if ending == .reset {
      connection.resetWhenClosed()
      return
    }
    if !isBroken, ending == .complete { session?.sendCloseNotify() }
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
