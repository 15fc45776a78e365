package import SystemIO

/// The response to a request.
package struct Response: Sendable {
  package var status: Int
  /// The fields, without those of the server: length, date, connection.
  package var fields: ResponseFields
  package var body: Body
  /// The delay before the head is sent.
  package var delay: Duration = .zero
  /// Called once, after the response has ended.
  package var onEnd: (@Sendable (Outcome) -> Void)?

  /// The content after the head.
  package enum Body: Sendable {
    case none
    case bytes([UInt8])
    /// A body of this size, written by a function that can block.
    case writing(UInt64, @Sendable (inout BodyWriter) throws(Failure) -> Void)
    /// No response: the connection is closed.
    case noResponse
    /// A body of unknown size, which ends when the function returns. A server that stops does not
    /// wait for it.
    case writingToEnd(@Sendable (inout BodyWriter) throws(Failure) -> Void)

    /// The size in bytes; nil if it is unknown.
    var size: UInt64? {
      switch self {
      case .none, .noResponse: 0
      case .bytes(let bytes): UInt64(bytes.count)
      case .writing(let size, _): size
      case .writingToEnd: nil
      }
    }
  }

  /// The result of sending a response.
  package struct Outcome: Sendable, Equatable {
    /// The status that was sent; nil if the connection ended before the head of the response.
    package let status: Int?
    /// The number of sent bytes of the body.
    package let bodyBytes: UInt64
    /// Whether the complete body was sent.
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
    _ status: Int, fields: ResponseFields = [], body: Body = .none,
    onEnd: (@Sendable (Outcome) -> Void)? = nil
  ) {
    self.status = status
    self.fields = fields
    self.body = body
    self.onEnd = onEnd
  }

  /// Creates a response with a short text.
  package static func text(
    _ status: Int, _ text: String, fields: ResponseFields = []
  ) -> Response {
    Response(
      status, fields: [("Content-Type", "text/plain; charset=utf-8")] + fields,
      body: .bytes(Array((text + "\n").utf8)))
  }
}

/// A request with its body.
package struct Request: Sendable {
  package let head: RequestHead
  package let body: [UInt8]
  /// The address of the client.
  package let peer: SocketAddress
  /// The address of the client, as text.
  package let peerHost: String
  /// The address of the server to which the client connected.
  package let ownAddress: SocketAddress
  /// Whether the connection uses TLS.
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
