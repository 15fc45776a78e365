import BAPackKit
package import SystemIO
import TerminalText

/// The last line of a terminal, which shows the progress of the work: a bar, bytes, speed, and the
/// remaining time.
///
/// The line is shown on a terminal only, without `--quiet`, and after a short delay. Messages
/// appear above it. `finish` removes it. Any thread may call its functions.
package final class ProgressLine: Sendable {
  private static let patience = Duration.milliseconds(250)
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let title: String
  private let isWanted: Bool
  private let interval: Duration
  private let start: ContinuousClock.Instant
  /// The lock for drawing and removing the line.
  private let state: InTurn<State>

  private struct State {
    var next: ContinuousClock.Instant
    var isShown = false
    var isFinished = false
  }

  /// Creates a line that appears after a short delay.
  package convenience init(_ console: Console, title: String) {
    self.init(console, title: title, patience: Self.patience, interval: Self.interval)
  }

  /// Creates a line with other times, for tests that do not wait.
  init(
    _ console: Console, title: String, patience: Duration, interval: Duration
  ) {
    self.console = console
    self.title = shown(title)
    self.interval = interval
    isWanted = console.showsProgress
    start = .now
    state = InTurn(State(next: start + patience))
  }

  deinit { finish() }

  /// Shows the progress; it is fast enough to be called for each block.
  package func update(_ progress: Work.Progress) {
    guard isWanted else { return }
    let now = ContinuousClock.now
    state.with { state in
      // Another thread may call this after the end of the work.
      guard now >= state.next, !state.isFinished else { return }
      state.next = now + interval
      state.isShown = true
      let text = Self.text(
        title: title, progress, seconds: (now - start) / .seconds(1),
        columns: console.messages.columns)
      console.draw(text, of: ObjectIdentifier(self))
    }
  }

  /// Removes the line.
  package func finish() {
    state.with { state in
      state.isFinished = true
      guard state.isShown else { return }
      state.isShown = false
      console.erase(lineOf: ObjectIdentifier(self))
    }
  }

  /// Draws a line in place of the previous one.
  ///
  /// The cursor returns to the beginning of the line. If the window gets narrower and the terminal
  /// wraps the line, the next one still begins there, and clears everything below.
  static func draw(_ text: String, on stream: TextStream) { stream.write(drawing(text)) }

  static func drawing(_ text: String) -> String { "\r\(text)\u{1B}[J\r" }

  static func erase(on stream: TextStream) { stream.write(erasing) }

  /// The text that erases the line, and then the rows below it.
  ///
  /// The line is erased separately, because some terminals copy a cleared screen to their history.
  static let erasing = "\r\u{1B}[K\u{1B}[J"

  /// Returns the line, truncated to `columns`; without a total, it has the number of files.
  private static func text(
    title: String, _ progress: Work.Progress, seconds: Double, columns: Int
  ) -> String {
    guard let total = progress.total else {
      let count = Quantity.count(Int(clamping: progress.done), "file")
      return String(prefix(of: "\(title): \(count)", columns: max(0, columns - 1)))
    }
    return text(
      title: title, done: progress.done, total: total, seconds: seconds, columns: columns)
  }

  /// Returns the line for bytes of a known total, truncated to `columns`.
  static func text(
    title: String, done: UInt64, total: UInt64, seconds: Double, columns: Int
  ) -> String {
    let share = total == 0 ? 1 : min(1, Double(done) / Double(total))
    let speed = seconds > 0 ? Double(done) / seconds : 0
    var facts = ["\(Quantity.bytes(done)) of \(Quantity.bytes(total))"]
    facts.append("\(Quantity.bytes(UInt64(speed)))/s")
    if speed > 0, done < total {
      facts.append("\(Quantity.wholeSeconds(Double(total - done) / speed)) left")
    }
    let percent = "\(Int(share * 100))%"
    let tail = percent.padded(to: 4, .right) + "  " + facts.joined(separator: "  ")
    let width = min(30, columns - ColumnCount(title).most - tail.count - 5)
    guard width >= 5 else {
      return String(prefix(of: "\(title) \(tail)", columns: max(0, columns - 1)))
    }
    let filled = Int(share * Double(width))
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "\(title) [\(bar)] \(tail)"
  }
}

extension Console {
  /// Does work whose progress is shown by a line at the bottom of the terminal, and by the name of
  /// each file with `--verbose`.
  func showing<Success>(
    _ title: String, _ body: (Work) throws(PackError) -> Success
  ) throws(PackError) -> Success {
    let line = ProgressLine(self, title: title)
    defer { line.finish() }
    return try body(
      work.reporting { progress in
        if progress.isBeginning, let path = progress.path { detail(shownBytes(path)) }
        line.update(progress)
      })
  }

  /// Whether a progress line is drawn: the output is a terminal that can erase a line.
  var showsProgress: Bool {
    verbosity == .normal && messages.isTerminal && environment("TERM") != "dumb"
  }
}
