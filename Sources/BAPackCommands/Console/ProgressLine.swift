import BAPackKit
package import SystemIO
import TerminalText

/// One line at the foot of a terminal that shows how far the work is: a bar, bytes, speed, and the
/// time that is left.
///
/// It shows itself only to a person who waits: on a terminal, when not quiet, and not before the
/// work has taken a moment. What is said meanwhile stands above it. `finish` takes it away. Any
/// thread may call it.
package final class ProgressLine: Sendable {
  private static let patience = Duration.milliseconds(250)
  private static let interval = Duration.milliseconds(100)

  private let console: Console
  private let title: String
  private let isWanted: Bool
  private let interval: Duration
  private let start: ContinuousClock.Instant
  /// A thread that draws the line or removes it has its turn.
  private let state: InTurn<State>

  private struct State {
    var next: ContinuousClock.Instant
    var isShown = false
    var isFinished = false
  }

  /// Starts the clock.
  package convenience init(_ console: Console, title: String) {
    self.init(console, title: title, patience: Self.patience, interval: Self.interval)
  }

  /// The same with other times, for a test that does not wait.
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

  /// Shows how much is done; cheap enough to be called for each block.
  package func update(_ progress: Progress) {
    guard isWanted else { return }
    let now = ContinuousClock.now
    state.with { state in
      // Another thread may call late, when the work has ended.
      guard now >= state.next, !state.isFinished else { return }
      state.next = now + interval
      state.isShown = true
      let text = Self.text(
        title: title, done: progress.done, total: progress.total ?? .max,
        seconds: (now - start) / .seconds(1),
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

  /// Draws a line in place of the last one.
  ///
  /// The cursor returns to the beginning of the line. If the window gets narrower and the terminal
  /// wraps the line, the next one still begins there, and clears everything below.
  static func draw(_ text: String, on stream: TextStream) { stream.write(drawing(text)) }

  /// What draws a line.
  static func drawing(_ text: String) -> String { "\r\(text)\u{1B}[J\r" }

  /// Takes the line away.
  static func erase(on stream: TextStream) { stream.write(erasing) }

  /// What takes a line away: first itself, since terminals keep what a cleared screen showed.
  static let erasing = "\r\u{1B}[K\u{1B}[J"

  /// The line, short enough for `columns`.
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
  /// Does work whose progress is a line at the foot of the terminal, and the name of each file with
  /// `--verbose`.
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

  /// Whether a progress line may be drawn: a person is watching, and the terminal can erase a line.
  var showsProgress: Bool {
    verbosity == .normal && messages.isTerminal && environment("TERM") != "dumb"
  }
}
