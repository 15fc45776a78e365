import CCurl
package import SystemIO

/// A request that is repeated after a pause.
package struct Retry: Sendable {
  /// The reason why the last attempt failed.
  package let failure: Failure
  /// The pause before the next attempt.
  package let pause: Duration
  /// Whether the server requested the pause (`Retry-After`).
  package let isRequested: Bool

  package init(_ failure: Failure, pause: Duration, isRequested: Bool = false) {
    self.failure = failure
    self.pause = pause
    self.isRequested = isRequested
  }
}

/// The transient failures, after which a request is repeated.
package enum Transient {
  /// The results of libcurl for transient failures, each with the reason.
  ///
  /// Some are transient only after the server was reached. Before that, a wrong address or setting
  /// is more likely.
  static let codes: [(code: CURLcode, onlyOnceReached: Bool, reason: String)] = [
    (CURLE_COULDNT_RESOLVE_HOST, true, "name resolution can fail while a network changes"),
    (CURLE_COULDNT_RESOLVE_PROXY, true, "name resolution can fail while a network changes"),
    (CURLE_COULDNT_CONNECT, true, "a server refuses connections while it restarts"),
    (CURLE_OPERATION_TIMEDOUT, true, "the connection stalled"),
    (CURLE_PARTIAL_FILE, false, "the connection was cut"),
    (CURLE_GOT_NOTHING, false, "the connection was cut before a response"),
    (CURLE_SEND_ERROR, false, "the connection was cut while sending"),
    (CURLE_RECV_ERROR, false, "the connection was cut while receiving"),
    (CURLE_SSL_CONNECT_ERROR, true, "the connection was cut during the TLS handshake"),
    (CURLE_HTTP2, false, "a proxy closed the stream"),
    (CURLE_HTTP2_STREAM, false, "a proxy closed the stream"),
  ]

  /// The HTTP statuses of transient failures, each with the reason.
  ///
  /// Some are transient only for block caches: a later block may be smaller, and other requests may
  /// free space.
  static let statuses: [(statuses: ClosedRange<Int>, onlyForCaches: Bool, reason: String)] = [
    (408...408, false, "the server waited too long for the request"),
    (413...413, true, "the entry is too large for the server"),
    (425...425, false, "the server requires the request to be repeated later"),
    (429...429, false, "too many requests in a short time"),
    (500...500, false, "the server failed"),
    (502...502, false, "an upstream server sent an invalid response"),
    (503...503, false, "the server is overloaded or restarting"),
    (504...504, false, "an upstream server did not respond in time"),
    (507...507, true, "the server is full"),
    (509...509, false, "the server exceeded its bandwidth limit"),
    (520...530, false, "a proxy did not reach the upstream server"),
  ]

  /// Whether a request with this result of libcurl may be repeated.
  static func includes(_ code: CURLcode, wasReached: Bool) -> Bool {
    codes.contains { $0.code == code && (wasReached || !$0.onlyOnceReached) }
  }

  /// Whether a request with this status may be repeated.
  package static func includes(status: Int, forCache isCache: Bool = false) -> Bool {
    statuses.contains { $0.statuses.contains(status) && (isCache || !$0.onlyForCaches) }
  }

  /// The transient error codes of object storage, whose statuses otherwise mean that the request is
  /// wrong.
  static let storageCodes: [(code: String, reason: String)] = [
    ("RequestTimeout", "the connection was slower than the storage allows"),
    ("IncompleteBody", "the connection was cut while sending"),
    ("OperationAborted", "another request for the same part is in progress"),
    ("BadDigest", "bytes were changed during the upload"),
  ]

  /// Whether a request with this response may be repeated.
  static func includes(_ head: ResponseHead, _ body: [UInt8]) -> Bool {
    if includes(status: head.status) { return true }
    guard [400, 409].contains(head.status), let refusal = StorageRefusal(body) else { return false }
    return storageCodes.contains { $0.code == refusal.code }
  }
}

extension ResponseHead {
  /// The pause that the server requests (`Retry-After`), in seconds or as a date.
  func wait(_ curl: CurlLibrary, at now: Moment) -> Duration? {
    guard let text = self["retry-after"] else { return nil }
    if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
    return curl.seconds(ofDate: text).map {
      .seconds(max(0, Moment(seconds: $0).seconds(since: now)))
    }
  }
}
