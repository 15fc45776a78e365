import SystemIO

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
    /// Without saying so inside the encryption, as when a cable is pulled; what was sent still
    /// arrives.
    case cut
    /// At once; what is under way is thrown away.
    case reset
  }

  /// The head of an answer whose body has not come yet: both go out in one piece.
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

  /// Agrees on how to encrypt from now on; false for a client that asks without, which is then
  /// understood without.
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

  /// Writes all of the bytes, behind a head that is kept.
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
  /// The head that is kept is not sent meanwhile.
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

  /// Writes so many bytes that `fill` appends, behind a head that is kept; fewer when it appends
  /// none.
  ///
  /// While the client takes nothing, the memory is lent to others, and `fill` is then asked once
  /// more.
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

  /// Writes the rest of so many bytes; false when the client takes nothing for now.
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
      guard try pass(on: piece, &sent) else { return false }
      if isLast { break }
    }
    return true
  }

  /// Writes a piece that begins with the head that is kept; false when the client takes nothing for
  /// longer than one that merely is slower than we are.
  private func pass(on piece: Piece, _ sent: inout UInt64) throws(Failure) -> Bool {
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

  /// A line without the two signs at its end; nil when the client ends before them, or the line is
  /// longer than any that is meant well.
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

  /// Lends the next bytes of a body, at most so many, in one piece; 0 when the client ends before
  /// them.
  func lend(
    atMost limit: UInt64, _ take: (RawSpan) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    if buffer.isEmpty {
      guard try fill() else { return 0 }
    }
    return try pieces.with { (piece) throws(Failure) in
      piece.bytes.removeAll()
      let most = min(Piece.size, Int(clamping: limit))
      let first = self.take(min(buffer.count, most))
      _ = unsafe piece.bytes.append(first.span.bytes)
      // Larger pieces mean fewer writes to where they go.
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
      try piece.bytes.withBytes(take)
      return piece.bytes.count
    }
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
    if !isBroken, ending == .goodbye { session?.sendCloseNotify() }
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
