import BAPackKit
import Foundation
import Glibc
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// Excerpts and progress lines on a real terminal: tmux, which can print its screen.
@Suite("Real terminal", .serialized, .world)
struct TerminalTests {
  /// A window of tmux that a test controls.
  private final class Screen {
    private let socket = "ba-package-\(UUID().uuidString)"
    let stream: TextStream

    init(columns: Int) throws {
      let environment = "env -u TMUX LC_ALL=C.UTF-8 tmux -u -L \(socket) -f /dev/null"
      try Self.shell(
        "\(environment) new-session -d -x \(columns) -y 40 "
          + "'stty raw -echo opost onlcr; sleep 1000'")
      let terminal = try Self.shell(
        "tmux -L \(socket) display -p '#{pane_tty}'"
      ).trimmingCharacters(in: .whitespacesAndNewlines)
      let number = unsafe open(terminal, O_RDWR | O_NOCTTY | O_CLOEXEC)
      try #require(number >= 0)
      stream = TextStream(number, path: terminal, capacity: 0)
    }

    deinit { _ = try? Self.shell("tmux -L \(socket) kill-server") }

    func resize(to columns: Int) throws {
      try Self.shell("tmux -L \(socket) resize-window -x \(columns)")
      try wait { stream.columns == columns }
    }

    /// Returns the lines of the screen and of the history, as soon as they match.
    func lines(until isDone: ([String]) -> Bool) throws -> [String] {
      var lines: [String] = []
      try wait {
        lines = try Self.shell("tmux -L \(socket) capture-pane -p -J -S -")
          .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return isDone(lines)
      }
      return lines
    }

    /// Returns the position of the cursor in the terminal.
    func cursor() throws -> Int {
      Int(
        try Self.shell("tmux -L \(socket) display -p '#{cursor_x}'")
          .trimmingCharacters(in: .whitespacesAndNewlines)) ?? -1
    }

    private func wait(until isDone: () throws -> Bool) throws {
      let end = ContinuousClock.now + .seconds(600)
      while try !isDone() {
        if ContinuousClock.now > end {
          Issue.record("the terminal never showed it")
          return
        }
        usleep(10_000)
      }
    }

    /// Runs a line, and returns its output through a file.
    ///
    /// The server of tmux that it starts keeps running, and would keep a pipe open, by which
    /// Foundation detects the end of a process.
    @discardableResult private static func shell(_ line: String) throws -> String {
      let folder = try TemporaryFolder()
      let output = folder.path("output")
      let shell = unsafe popen("exec >'\(output)' 2>&1 </dev/null; \(line)", "r")
      try #require(unsafe shell != nil)
      _ = unsafe pclose(shell)
      return String(decoding: try folder.contents("output"), as: UTF8.self)
    }
  }

  private static let before = [
    "plain", "größe", "e\u{301}", "名前", "한글", "🐟", "⌚", "❤️", "⚠️", "👍🏽", "👩‍🚀", "🇩🇪", "1️⃣", "🏳️‍🌈", "का",
    "a\u{200B}b", "a\u{202E}b", "❤️👍🏽名e\u{301}",
  ]

  @Test(arguments: before)
  func `carets are below the marked text, after any text`(_ before: String) throws {
    let screen = try Screen(columns: 100)
    let text = "{\"\(before)\": HERE}"
    let start = text.utf8.count - 5
    let finding = Finding("x.y", .error, "m", at: SourceSpan(start, start + 4))
    let frame = FrameRenderer(colored: true).render(
      Ledger(about: SourceText(Array(text.utf8), named: "t"), [finding]))
    let lines = frame.split(separator: "\n").map(String.init)
    let excerpt = try #require(lines.first { $0.contains("HERE") })
    let marks = try #require(lines.first { $0.contains("^^^^") })
    // The cursor of the terminal gives the column of both.
    screen.stream.write(
      "\r" + excerpt[..<(try #require(excerpt.range(of: "HERE"))).lowerBound] + "@")
    _ = try screen.lines { $0.last?.contains("@") == true }
    let wanted = try screen.cursor()
    screen.stream.write("\r\n" + marks[..<(try #require(marks.range(of: "^"))).lowerBound] + "@")
    _ = try screen.lines { $0.count == 2 && $0[1].contains("@") }
    #expect(try screen.cursor() == wanted)
  }

  @Test
  func `a progress line with a wide name remains one line, also after the window got narrower`()
    throws
  {
    for title in ["Packing", "名前の長いパック", "👍🏽👩‍🚀❤️-pack", String(repeating: "long", count: 40)] {
      let screen = try Screen(columns: 100)
      screen.stream.write("before\r\n")
      func draw(_ done: UInt64) {
        ProgressLine.draw(
          ProgressLine.text(
            title: title, done: done, total: 1_000_000_000, seconds: 2,
            columns: screen.stream.columns), on: screen.stream)
      }
      draw(350_000_000)
      _ = try screen.lines { $0.count == 2 && $0[1].contains("pac") || $0.count == 2 }
      for columns in [60, 31, 20, 90] {
        try screen.resize(to: columns)
        draw(700_000_000)
        let lines = try screen.lines { $0.count == 2 }
        #expect(lines.first == "before")
        #expect(try screen.cursor() == 0)
      }
      ProgressLine.erase(on: screen.stream)
      screen.stream.write("after\r\n")
      let lines = try screen.lines { $0.last == "after" }
      #expect(lines == ["before", "after"])
    }
  }
}
