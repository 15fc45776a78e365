import AssetServer
import BAPackKit
import HTTPServer
import SourceDiagnostics
import SystemIO
import TerminalText

/// The log of requests, as lines of text and as JSON objects, with the time of the last request.
///
/// A separate thread writes it (``LogQueue``), so that requests do not wait for an output.
final class RequestLog: Sendable {
  private let console: Console
  private let format: ReportFormat
  /// Whether standard output is used by the command of `--exec`.
  private let isAside: Bool
  private let spoken: LogQueue
  private let file: LogFile?
  private let activity = Guarded(Activity())

  private struct Activity {
    /// The number of requests in progress.
    var running = 0
    /// The time at which a request last began or ended.
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
        if dropped > 0 { Self.reportDropped(dropped, console, format, aside: isAside) }
        console.output.flush()
      }
    }
    self.spoken = spoken
    file = try path.map { path throws(PackError) in try LogFile(path, spoken, console) }
  }

  /// The time since the last request; nil while a request is in progress.
  var idleTime: Duration? {
    let now = ContinuousClock.now
    return activity.with { $0.running == 0 ? now - $0.last : nil }
  }

  /// Records that a request begins, continues or ends, or that a connection ended without a
  /// request.
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
    guard file != nil || isSpoken else { return }
    write(event, LoggedRequest.table, ServerEvent.request) { Self.line(event) }
  }

  // MARK: - Messages

  /// Reports an event of the server.
  func report<Subject: Sendable>(
    _ event: Table<Subject>, _ subject: Subject,
    _ line: @autoclosure @escaping @Sendable () -> String
  ) {
    let console = console
    switch format {
    case .text: show(line())
    case .json: spoken.add { Self.write(event.value(of: subject), console) }
    }
  }

  /// Prints a line of text.
  func show(_ line: @autoclosure @escaping @Sendable () -> String) {
    let (console, isAside) = (console, isAside)
    spoken.add { Self.show(line(), console, aside: isAside) }
  }

  /// Prints an error.
  func report(_ error: PackError) { perform { $0.error(error) } }

  /// Prints any other message after the earlier ones.
  func perform(_ phrase: @escaping @Sendable (Console) -> Void) {
    let console = console
    spoken.add { phrase(console) }
  }

  /// Writes a request to the enabled outputs.
  func write<Event: Sendable>(
    _ event: Event, _ logged: Table<Event>, _ spoken: Table<Event>,
    _ line: @escaping @Sendable () -> String
  ) {
    file?.add { logged.value(of: event) }
    if isSpoken { report(spoken, event, line()) }
  }

  /// Whether requests are printed.
  private var isSpoken: Bool { format == .json || console.verbosity > .quiet }

  private static func show(_ line: String, _ console: Console, aside isAside: Bool) {
    let text = shown(line) + "\n"
    if isAside { console.finding(text: text) } else { console.result(text: text) }
  }

  private static func write(_ value: JSONValue, _ console: Console) {
    console.result(JSONWriter.string(value, .compact))
  }

  /// Prints the number of dropped entries.
  private static func reportDropped(
    _ dropped: Int, _ console: Console, _ format: ReportFormat, aside isAside: Bool
  ) {
    switch format {
    case .text:
      let lines = Quantity.count(dropped, "line")
      show("\(lines) dropped: the output was blocked", console, aside: isAside)
    case .json: write(ServerEvent.dropped.value(of: dropped), console)
    }
  }

  /// Waits until all messages are written, for at most ``patience``.
  func flush() { _ = spoken.flush(within: Self.patience) }

  /// Writes all remaining messages, for at most ``patience``; after that the console abandons a
  /// blocked output.
  func end() {
    file?.end(within: Self.patience)
    if !spoken.end(within: Self.patience) { console.abandon() }
  }

  private static let patience = Duration.seconds(1)

  // MARK: - Text

  private static func line(_ event: RequestEvent) -> String {
    guard let outcome = event.outcome else { return "" }
    var parts = [event.time.timeOfDay, event.device]
    switch (event.method, event.path) {
    case (let method?, let path?):
      parts.append("\(method) \(path)" + (event.query.map { "?\($0)" } ?? ""))
      if let range = event.range { parts.append("(\(range))") }
    case (_, _):
      if event.problem == .refused { parts.append("no request") }
    }
    if event.problem != nil {
      if let status = outcome.status { parts.append("\(status)") }
      if let remark = event.remark { parts.append(remark) }
      return parts.joined(separator: "  ")
    }
    parts.append(outcome.status.map { "\($0)" } ?? "no response")
    let isCut = !outcome.isWhole && event.size != nil
    if isCut {
      parts.append(
        "incomplete: \(Quantity.bytes(outcome.bodyBytes)) of \(Quantity.bytes(event.size ?? 0))")
    } else if outcome.bodyBytes > 0 {
      parts.append(Quantity.bytes(outcome.bodyBytes))
    }
    parts.append(Quantity.briefly(outcome.duration))
    if let fault = event.fault { parts.append("fault: \(fault)") }
    if let remark = event.remark { parts.append(remark) }
    return parts.joined(separator: "  ")
  }
}

/// The file to which requests are appended, one object a line.
private final class LogFile: Sendable {
  private let queue: LogQueue
  private let text: InTurn<Text>

  init(_ path: String, _ spoken: LogQueue, _ console: Console) throws(PackError) {
    let text = InTurn(
      Text(
        try mapFailure(.publishing) { () throws(Failure) in
          try FileDescriptor.open(path, for: .appending)
        }))
    self.text = text
    queue = try mapFailure(.writing) { () throws(Failure) in
      try LogQueue { dropped in
        if dropped > 0 { text.with { $0.add(LoggedRequest.dropped.value(of: dropped)) } }
        guard let failure = text.with({ $0.write() }) else { return }
        spoken.add {
          console.warning(
            "cannot write to '\(path)': \(failure.reason); logging to the file has stopped")
        }
      }
    }
  }

  func add(_ value: @escaping @Sendable () -> JSONValue) {
    queue.add { [text] in text.with { $0.add(value()) } }
  }

  func end(within time: Duration) { _ = queue.end(within: time) }

  /// The lines of the next write.
  private struct Text: ~Copyable {
    private let file: FileDescriptor
    private var lines: [UInt8] = []
    private var hasFailed = false

    init(_ file: consuming FileDescriptor) { self.file = file }

    mutating func add(_ value: JSONValue) {
      guard !hasFailed else { return }
      lines += JSONWriter.bytes(value, .compact)
      lines.append(UInt8(ascii: "\n"))
    }

    /// Writes the lines; returns only the first error.
    ///
    /// After an error, lines are discarded.
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
