import AssetServer
import BAPackKit
import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

/// What is said about requests: a line for a person, an object for a program, and when the last one was.
///
/// Other threads write it (``LogQueue``), so that no request waits for an output.
final class RequestLog: Sendable {
  private let console: Console
  private let format: ReportFormat
  /// Whether standard output belongs to another program.
  private let isAside: Bool
  private let spoken: LogQueue
  private let file: LogFile?
  private let activity = Guarded(Activity())

  private struct Activity {
    /// The number of requests in progress.
    var running = 0
    /// When a request last began or ended.
    var last = ContinuousClock.now
  }

  init(_ console: Console, as format: ReportFormat, in path: String?, aside isAside: Bool)
    throws(PackError)
  {
    self.console = console
    self.format = format
    self.isAside = isAside
    let spoken = try mapFailure(.writing) { () throws(Failure) in
      try LogQueue { dropped in
        if dropped > 0 { Self.confess(dropped, console, format, aside: isAside) }
        console.output.flush()
      }
    }
    self.spoken = spoken
    file = try path.map { path throws(PackError) in try LogFile(path, spoken, console) }
  }

  /// How long nobody has asked for anything; nil while somebody is being answered.
  var idleTime: Duration? {
    let now = ContinuousClock.now
    return activity.with { $0.running == 0 ? now - $0.last : nil }
  }

  /// Records that a request begins, continues or ends, or that a connection ended without a request.
  func note(_ event: RequestEvent) {
    let now = ContinuousClock.now
    switch event.problem {
    case nil:
      let isOver = event.outcome != nil
      // The request begins or ends.
      if isOver || !event.hasBegun {
        activity.with { activity in
          if !isOver { activity.running += 1 } else if event.hasBegun { activity.running -= 1 }
          activity.last = now
        }
      }
      guard isOver else { return }
    case .refused: activity.with { $0.last = now }
    // A connection that ends during the TLS handshake has no request.
    case .distrust, .handshake: break
    }
    say({ Self.line(event) }, { Self.value(event) })
  }

  // MARK: Saying

  /// Says something about the server itself.
  func report(
    _ event: String, _ line: @autoclosure @escaping @Sendable () -> String,
    _ members: [JSONValue.Member] = []
  ) {
    let (console, isAside) = (console, isAside)
    switch format {
    case .text: spoken.add { Self.show(line(), console, aside: isAside) }
    case .json:
      spoken.add { Self.write(.object([.init("event", .string(event))] + members), console) }
    }
  }

  /// Prints an error.
  func report(_ error: PackError) { speak { $0.error(error) } }

  /// Prints any other message after the earlier ones.
  func speak(_ words: @escaping @Sendable (Console) -> Void) {
    let console = console
    spoken.add { words(console) }
  }

  /// Writes an event to the outputs that are in use; the text is made only for them.
  func say(
    _ line: @escaping @Sendable () -> String,
    _ members: @escaping @Sendable () -> [JSONValue.Member]
  ) {
    file?.add(members)
    let (console, isAside) = (console, isAside)
    switch format {
    case .text:
      if console.verbosity > .quiet { spoken.add { Self.show(line(), console, aside: isAside) } }
    case .json:
      spoken.add {
        Self.write(.object([.init("event", .string("request"))] + members()), console)
      }
    }
  }

  private static func show(_ line: String, _ console: Console, aside isAside: Bool) {
    let text = shown(line) + "\n"
    if isAside { console.finding(text: text) } else { console.result(text: text) }
  }

  private static func write(_ value: JSONValue, _ console: Console) {
    console.result(JSONWriter.string(value, .compact))
  }

  /// Prints the number of dropped entries.
  private static func confess(
    _ dropped: Int, _ console: Console, _ format: ReportFormat, aside isAside: Bool
  ) {
    switch format {
    case .text:
      let lines = Quantity.count(dropped, "line")
      show("\(lines) dropped: the output accepted nothing", console, aside: isAside)
    case .json:
      write(
        .object([.init("event", .string("dropped")), .init("count", .integer(dropped))]), console)
    }
  }

  /// Waits until all messages are written, for at most ``patience``.
  func flush() { _ = spoken.flush(within: Self.patience) }

  /// Writes all remaining messages, for at most ``patience``; after that the console abandons a blocked
  /// output.
  func end() {
    file?.end(within: Self.patience)
    if !spoken.end(within: Self.patience) { console.abandon() }
  }

  private static let patience = Duration.seconds(1)

  // MARK: Words

  private static func line(_ event: RequestEvent) -> String {
    guard let outcome = event.outcome else { return "" }
    var words = [event.time.timeOfDay, event.device]
    switch (event.method, event.path) {
    case (let method?, let path?):
      words.append("\(method) \(path)" + (event.query.map { "?\($0)" } ?? ""))
      if let range = event.range { words.append("(\(range))") }
    case (_, _):
      if event.problem == .refused { words.append("no request") }
    }
    if event.problem != nil {
      if let status = outcome.status { words.append("\(status)") }
      if let remark = event.remark { words.append(remark) }
      return words.joined(separator: "  ")
    }
    words.append(outcome.status.map { "\($0)" } ?? "no response")
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
      ("device", event.userAgent.map { .string($0) }), ("method", event.method.map { .string($0) }),
      ("path", event.path.map { .string($0) }), ("query", event.query.map { .string($0) }),
      ("range", event.range.map { .string($0) }), ("status", outcome.status.map { .integer($0) }),
      ("bytes", event.problem == nil ? .integer(Int(clamping: outcome.bodyBytes)) : nil),
      (
        "milliseconds",
        event.problem == nil ? .integer(outcome.duration.wholeMilliseconds) : nil
      ),
      ("pack", event.pack.map { .string($0.text) }),
      ("version", event.version.map { .integer($0) }), ("fault", event.fault.map { .string($0) }),
      ("remark", event.remark.map { .string($0) }),
    ]
    return members.compactMap { key, value in value.map { .init(key, $0) } }
  }
}

/// The file that requests are added to, one object a line.
private final class LogFile: Sendable {
  private let queue: LogQueue
  private let text: InTurn<Text>

  init(_ path: String, _ spoken: LogQueue, _ console: Console) throws(PackError) {
    let text = InTurn(
      Text(
        try mapFailure(.writing) { () throws(Failure) in
          try FileDescriptor.open(path, for: .appending)
        }))
    self.text = text
    queue = try mapFailure(.writing) { () throws(Failure) in
      try LogQueue { dropped in
        if dropped > 0 { text.with { $0.add([.init("dropped", .integer(dropped))]) } }
        guard let failure = text.with({ $0.write() }) else { return }
        spoken.add {
          console.warning(
            "cannot write to '\(path)': \(failure.reason); nothing more is logged there")
        }
      }
    }
  }

  func add(_ members: @escaping @Sendable () -> [JSONValue.Member]) {
    queue.add { [text] in text.with { $0.add(members()) } }
  }

  func end(within time: Duration) { _ = queue.end(within: time) }

  /// The lines of the next write.
  private struct Text: ~Copyable {
    private let file: FileDescriptor
    private var lines: [UInt8] = []
    private var hasFailed = false

    init(_ file: consuming FileDescriptor) { self.file = file }

    mutating func add(_ members: [JSONValue.Member]) {
      guard !hasFailed else { return }
      lines += JSONWriter.bytes(.object(members), .compact)
      lines.append(UInt8(ascii: "\n"))
    }

    /// Writes the lines; returns only the first failure, and writes nothing after it.
    mutating func write() -> Failure? {
      defer { lines.removeAll(keepingCapacity: true) }
      guard !hasFailed, !lines.isEmpty else { return nil }
      do throws(Failure) {
        try file.write(lines)
        return nil
      } catch {
        hasFailed = true
        return error
      }
    }
  }
}
