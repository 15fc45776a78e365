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

  /// How a connection ends.
  enum Ending {
    /// With all that belongs to it.
    case goodbye
    /// Without saying so inside the encryption, as when a cable is pulled; what was sent still arrives.
    case cut
    /// At once; what is under way is thrown away.
    case reset
  }

  init(_ connection: consuming Connection) { self.connection = connection }

  var peer: SocketAddress { connection.peer }
  var peerText: String { connection.peerText }

  func set(deadline: ContinuousClock.Instant?, timeout: Duration?, alarm: Alarm?) {
    connection.deadline = deadline
    connection.timeout = timeout
    connection.alarm = alarm
  }

  func encrypt(_ context: TLSContext, at ownAddress: SocketAddress) throws(Failure) {
    let made = try TLSSession(context, on: connection.number, at: ownAddress)
    do throws(Failure) {
      try made.shakeHands(connection)
    } catch {
      // A client that speaks no TLS, or does not trust us, would not understand a goodbye.
      isBroken = true
      throw error
    }
    session = consume made
  }

  func write(_ bytes: RawSpan) throws(Failure) {
    do throws(Failure) {
      if session != nil {
        try session?.write(bytes, connection)
      } else {
        try connection.write(bytes)
      }
    } catch {
      isBroken = true
      throw error
    }
  }

  /// Waits for more bytes; false when none will come.
  private func fill() throws(Failure) -> Bool {
    let more = try [UInt8](capacity: 8 << 10) { (output) throws(Failure) in
      if session != nil {
        _ = try session?.read(into: &output, connection)
      } else {
        _ = try connection.read(into: &output)
      }
    }
    buffer += more
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

  private func take(_ count: Int) -> [UInt8] {
    let taken = Array(buffer.prefix(count))
    buffer.removeFirst(min(count, buffer.count))
    if buffer.isEmpty { buffer = [] }
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

  /// Waits; a server that stops ends that.
  package func pause(for duration: Duration) throws(Failure) {
    try pause(until: .now + duration)
  }

  /// Waits until a moment.
  package func pause(until end: ContinuousClock.Instant) throws(Failure) {
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
