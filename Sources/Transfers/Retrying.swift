import CCurl
import SystemIO

/// When and how often a request that failed is made again.
package struct Retrying: Sendable {
  /// How often one request is made without bringing anything; one that brought ``progress`` bytes
  /// does not count.
  package var attempts = 5
  /// About how long the first pause is; each further one is twice as long.
  package var firstPause: Duration = .milliseconds(500)
  /// How long a pause becomes at most.
  package var longestPause: Duration = .seconds(30)
  /// How long a server may ask us to wait; who asks for more is not waited for.
  package var longestWait: Duration = .seconds(300)
  /// How many bytes make an attempt worth its while.
  package var progress: UInt64 = 64 << 10

  package init() {}

  /// The pause before the next attempt, if so many have failed; nil when it is enough.
  ///
  /// It is random by half, so that many clients do not come back at the same moment.
  func pause(after failures: Int, asked: Duration?) -> Duration? {
    guard failures < attempts else { return nil }
    if let asked {
      guard asked <= longestWait else { return nil }
      return asked
    }
    let whole = min(firstPause * (1 << min(failures - 1, 20)), longestPause)
    return whole / 2 + whole / 2 * Double.random(in: 0...1)
  }
}

/// What passes by itself: nothing else is tried again.
enum Transient {
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

  /// What servers answer when it is not the request that is wrong.
  static let statuses: [(status: Int, reason: String)] = [
    (408, "the server waited too long for us"),
    (425, "the server wants to see it again, later"),
    (429, "too many requests: later ones are welcome"),
    (500, "the server stumbled"),
    (502, "a server behind the server did not answer well"),
    (503, "the server is overloaded or restarted"),
    (504, "a server behind the server did not answer in time"),
  ]

  /// Whether a request that ended so may be made again.
  static func includes(_ code: CURLcode, wasReached: Bool) -> Bool {
    codes.contains { $0.code == code && (wasReached || !$0.onlyOnceReached) }
  }

  static func includes(status: Int) -> Bool { statuses.contains { $0.status == status } }
}

extension AnswerHead {
  /// How long the server asks us to wait (`Retry-After`), in seconds or as a date.
  func wait(_ curl: CurlLibrary, at now: Moment) -> Duration? {
    guard let text = self["retry-after"] else { return nil }
    if let seconds = UInt32(text) { return .seconds(Int64(seconds)) }
    return curl.seconds(ofDate: text).map { .seconds(max(0, $0 - now.seconds)) }
  }
}
