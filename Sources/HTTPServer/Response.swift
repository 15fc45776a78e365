package import SystemIO

/// The answer to a request.
package struct Response: Sendable {
  package var status: Int
  /// Fields beside those that the server itself writes: length, date, connection.
  package var fields: [(name: String, value: String)]
  package var body: Body
  /// How long the client waits for the head.
  package var delay: Duration = .zero
  /// Told once, when nothing more will be sent.
  package var whenOver: (@Sendable (Outcome) -> Void)?

  /// What follows the head.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// So many bytes, written by a function that may take its time.
    case writing(UInt64, @Sendable (inout BodyWriter) throws(Failure) -> Void)
    /// Not even a head: the connection ends without a word.
    case silence
    /// Bytes until the function ends, and with it the connection. A server that stops does not wait
    /// for that: it may take forever.
    case writingToEnd(@Sendable (inout BodyWriter) throws(Failure) -> Void)

    /// How many bytes it has; nil where nobody knows.
    var size: UInt64? {
      switch self {
      case .none, .silence: 0
      case .bytes(let bytes): UInt64(bytes.count)
      case .writing(let size, _): size
      case .writingToEnd: nil
      }
    }
  }

  /// What became of an answer.
  package struct Outcome: Sendable, Equatable {
    /// The status that was sent; nil if the connection ended before the head of the response.
    package let status: Int?
    /// The bytes of the body that were sent.
    package let bodyBytes: UInt64
    /// Whether the body was sent to its end.
    package let isWhole: Bool
    package let duration: Duration

    package init(status: Int?, bodyBytes: UInt64 = 0, isWhole: Bool, duration: Duration = .zero) {
      self.status = status
      self.bodyBytes = bodyBytes
      self.isWhole = isWhole
      self.duration = duration
    }
  }

  package init(
    _ status: Int, fields: [(name: String, value: String)] = [], body: Body = .none,
    whenOver: (@Sendable (Outcome) -> Void)? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.whenOver = whenOver
  }

  /// A short text for a person.
  package static func text(
    _ status: Int, _ text: String, fields: [(name: String, value: String)] = []
  ) -> Response {
    Response(
      status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields,
      body: .bytes(Array((text + "\n").utf8)))
  }
}

/// A request with its body, as the code that answers it sees it.
package struct Request: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
  /// Who asks.
  package let peer: SocketAddress
  /// The address of the client, as text.
  package let peerHost: String
  /// The address of ours that was called.
  package let ownAddress: SocketAddress
  /// Whether it came encrypted.
  package let isSecure: Bool

  package init(
    head: RequestHead, body: [UInt8], peer: SocketAddress, peerHost: String? = nil,
    ownAddress: SocketAddress, isSecure: Bool
  ) {
    self.peerHost = peerHost ?? peer.hostText
    self.head = head
    self.body = body
    self.peer = peer
    self.ownAddress = ownAddress
    self.isSecure = isSecure
  }
}
