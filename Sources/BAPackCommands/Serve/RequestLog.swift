import AssetServer
import BAPackKit
import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

/// What is said about requests: a line for a person, an object for a program, and when the last one was.
final class RequestLog: @unchecked Sendable {
  private let console: Console
  private let format: ReportFormat
  private let path: String?
  private let file: FileDescriptor?
  /// Whether standard output belongs to another program.
  private let isAside: Bool
  private let lock = Lock()
  private var running: Set<UInt64> = []
  private var last = ContinuousClock.now
  private var hasFailed = false

  init(_ console: Console, as format: ReportFormat, in path: String?, aside isAside: Bool)
    throws(PackError)
  {
    self.console = console
    self.format = format
    self.path = path
    self.isAside = isAside
    file = try path.map { path throws(PackError) in
      try during(.writing) { () throws(Failure) in
        try FileDescriptor.open(path, for: .appending)
      }
    }
  }

  /// How long nobody has asked for anything; nil while somebody is being answered.
  var idleTime: Duration? { lock.with { running.isEmpty ? .now - last : nil } }

  /// Hears that a request goes on, or is over.
  func note(_ event: RequestEvent) {
    let isOver = event.outcome != nil
    lock.with {
      if isOver { running.remove(event.number) } else { running.insert(event.number) }
      last = .now
    }
    guard isOver else { return }
    say(Self.line(event), Self.value(event))
  }

  /// Hears that something was no request, and what it was told.
  func refuse(_ peer: SocketAddress, _ fault: RequestFault) {
    lock.with { last = .now }
    say(
      "\(Moment.now.timeOfDay)  \(peer.hostText)  no request: \(fault.reason)  \(fault.status)",
      [
        .init("time", .string(Moment.now.description)), .init("peer", .string(peer.hostText)),
        .init("status", .integer(fault.status)), .init("remark", .string(fault.reason)),
      ])
  }

  /// Hears that a client did not get as far as asking.
  func lose(_ peer: SocketAddress, _ reason: String) {
    say(
      "\(Moment.now.timeOfDay)  \(peer.hostText)  \(reason)",
      [
        .init("time", .string(Moment.now.description)), .init("peer", .string(peer.hostText)),
        .init("remark", .string(reason)),
      ])
  }

  /// Says something about the server itself.
  func tell(_ event: String, _ line: String, _ members: [JSONValue.Member] = []) {
    switch format {
    case .text: show(line)
    case .json: write(.object([.init("event", .string(event))] + members))
    }
  }

  /// Says what somebody wants to hear; what nobody does is not even put into words.
  func say(
    _ line: @autoclosure () -> String, _ members: @autoclosure () -> [JSONValue.Member]
  ) {
    if file != nil { keep(members()) }
    switch format {
    case .text: if console.verbosity > .quiet { show(line()) }
    case .json: write(.object([.init("event", .string("request"))] + members()))
    }
  }

  private func show(_ line: String) {
    guard !isAside else { return console.finding(text: shown(line) + "\n") }
    console.result(text: shown(line) + "\n")
    console.output.flush()
  }

  private func write(_ value: JSONValue) {
    console.result(JSONWriter.string(value, .compact))
    console.output.flush()
  }

  /// Adds a line to the file; one warning is enough if that fails.
  private func keep(_ members: [JSONValue.Member]) {
    lock.with {
      guard file != nil, !hasFailed else { return }
      do throws(Failure) {
        try file?.write(JSONWriter.bytes(.object(members), .compact) + [UInt8(ascii: "\n")])
      } catch {
        hasFailed = true
        console.warning(
          "cannot write to '\(path ?? "")': \(error.reason); nothing more is logged there")
      }
    }
  }

  // MARK: Words

  private static func line(_ event: RequestEvent) -> String {
    guard let outcome = event.outcome else { return "" }
    var words = [event.time.timeOfDay, event.device, "\(event.method) \(event.path)"]
    if let query = event.query { words[2] += "?\(query)" }
    if let range = event.range { words.append("(\(range))") }
    words.append("\(outcome.status)")
    let isCut = !outcome.isWhole && event.size != nil
    if isCut {
      words.append(
        "broke off at \(Quantity.bytes(outcome.bodyBytes)) of \(Quantity.bytes(event.size ?? 0))")
    } else if outcome.bodyBytes > 0 {
      words.append(Quantity.bytes(outcome.bodyBytes))
    }
    words.append(Quantity.briefly(outcome.duration))
    if let fault = event.fault { words.append("fault: \(fault)") }
    if let remark = event.remark { words.append(remark) }
    return words.joined(separator: "  ")
  }

  private static func value(_ event: RequestEvent) -> [JSONValue.Member] {
    guard let outcome = event.outcome else { return [] }
    let members: [(String, JSONValue?)] = [
      ("time", .string(event.time.description)), ("peer", .string(event.device)),
      ("device", event.userAgent.map { .string($0) }), ("method", .string(event.method)),
      ("path", .string(event.path)), ("query", event.query.map { .string($0) }),
      ("range", event.range.map { .string($0) }), ("status", .integer(outcome.status)),
      ("bytes", .integer(Int(clamping: outcome.bodyBytes))),
      ("milliseconds", .integer(outcome.duration.wholeMilliseconds)),
      ("pack", event.pack.map { .string($0.text) }),
      ("version", event.version.map { .integer($0) }), ("fault", event.fault.map { .string($0) }),
      ("remark", event.remark.map { .string($0) }),
    ]
    return members.compactMap { key, value in value.map { .init(key, $0) } }
  }
}
