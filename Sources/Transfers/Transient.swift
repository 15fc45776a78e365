import CCurl
package import SystemIO

/// A request that is repeated after a pause.
package struct Retry: Sendable {
  /// Why the last attempt failed.
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

/// The failures that are transient: nothing else is tried again.
package enum Transient {
  /// What libcurl reports, each with the reason why another attempt may go well.
  ///
  /// Some only once the server was reached: before that, it is more likely a mistake than bad luck.
  static let codes: [(code: CURLcode, onlyOnceReached: Bool, reason: String)] = [
    (CURLE_COULDNT_RESOLVE_HOST, true, "names are not found while a network changes"),
    (CURLE_COULDNT_RESOLVE_PROXY, true, "names are not found while a network changes"),
    (CURLE_COULDNT_CONNECT, true, "a server that is restarted refuses connections"),
    (CURLE_OPERATION_TIMEDOUT, true, "a connection was stuck, and another may not be"),
    (CURLE_PARTIAL_FILE, false, "the connection was cut"),
    (CURLE_GOT_NOTHING, false, "the connection was cut before an answer"),
    (CURLE_SEND_ERROR, false, "the connection was cut on the way there"),
    (CURLE_RECV_ERROR, false, "the connection was cut on the way back"),
    (CURLE_SSL_CONNECT_ERROR, true, "the connection was cut while encryption was agreed on"),
    (CURLE_HTTP2, false, "a proxy closed the stream"),
    (CURLE_HTTP2_STREAM, false, "a proxy closed the stream"),
  ]

  /// The statuses of a server that may answer well later, each with the reason.
  ///
  /// Some only where a block of a cache is at stake: a later block may be smaller, and other requests
  /// make room.
  static let statuses: [(statuses: ClosedRange<Int>, onlyForCaches: Bool, reason: String)] = [
    (408...408, false, "the server waited too long for the request"),
    (413...413, true, "the entry is too large for the server"),
    (425...425, false, "the server requires the request to be repeated later"),
    (429...429, false, "too many requests: later ones are welcome"),
    (500...500, false, "the server failed"),
    (502...502, false, "a server behind the server did not answer well"),
    (503...503, false, "the server is overloaded or restarted"),
    (504...504, false, "a server behind the server did not answer in time"),
    (507...507, true, "the server is full"),
    (509...509, false, "the server's bandwidth is used up"),
    (520...530, false, "a proxy did not reach the server behind it"),
  ]

  /// Whether a request that ended so may be made again.
  static func includes(_ code: CURLcode, wasReached: Bool) -> Bool {
    codes.contains { $0.code == code && (wasReached || !$0.onlyOnceReached) }
  }

  /// Whether a request with this status may be repeated.
  package static func includes(status: Int, forCache isCache: Bool = false) -> Bool {
    statuses.contains { $0.statuses.contains(status) && (isCache || !$0.onlyForCaches) }
  }

  /// What object storage answers with a status that otherwise blames the request.
  static let storageCodes: [(code: String, reason: String)] = [
    ("RequestTimeout", "the connection was slower than the storage allows"),
    ("IncompleteBody", "the connection was cut on the way there"),
    ("OperationAborted", "another request for the same part is not over"),
    ("BadDigest", "bytes were changed on the way there"),
  ]

  /// Whether a request with this response may be repeated.
  static func includes(_ head: AnswerHead, _ body: [UInt8]) -> Bool {
    if includes(status: head.status) { return true }
    guard [400, 409].contains(head.status), let refusal = StorageRefusal(body) else { return false }
    return storageCodes.contains { $0.code == refusal.code }
  }
}

extension AnswerHead {
  /// How long the server asks us to wait (`Retry-After`), in seconds or as a date.
  func wait(_ curl: CurlLibrary, at now: Moment) -> Duration? {
    guard let text = self["retry-after"] else { return nil }
    if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
    return curl.seconds(ofDate: text).map {
      .seconds(max(0, Moment(seconds: $0).seconds(since: now)))
    }
  }
}
