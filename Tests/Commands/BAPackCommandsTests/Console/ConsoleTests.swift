import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

@Suite(.mustEnd)
struct ConsoleTests {
  /// A terminal with a fixed width: its contents after these bytes.
  ///
  /// It implements the control sequences of a progress line: return to the beginning of the line,
  /// and clear all text from there.
  private struct Terminal {
    private(set) var lines: [[UInt8]] = [[]]
    private var column = 0

    init(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "\r"): column = 0
        case UInt8(ascii: "\n"):
          lines.append([])
          column = 0
        case 0x1B:
          let sequence = rest.prefix(2)
          rest = rest.dropFirst(2)
          // The cursor is never above the last line, so both of them clear the same.
          #expect(sequence == Array("[K".utf8)[...] || sequence == Array("[J".utf8)[...])
          lines[lines.count - 1].removeSubrange(column...)
        default:
          let last = lines.count - 1
          if column < lines[last].count {
            lines[last][column] = byte
          } else {
            lines[last].append(byte)
          }
          column += 1
        }
      }
    }

    var text: [String] { lines.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Lets threads print on a console whose streams end in one pipe, with or without a terminal.
  private static func bytes(
    threads count: Int, asTerminal: Bool,
    _ printMessages: @escaping @Sendable (Console, Int) -> Void
  ) throws -> [UInt8] {
    let pipe = Pipe()
    let reading = FileDescriptor(
      owning: dup(pipe.fileHandleForReading.fileDescriptor), path: "pipe", waiting: .unstoppable)
    func stream(capacity: Int) -> TextStream {
      TextStream(
        dup(pipe.fileHandleForWriting.fileDescriptor), path: "pipe", capacity: capacity,
        asTerminal: asTerminal)
    }
    let read = Noted<[UInt8]>()
    let reader = try WorkerThreads(1, stop: {}) {
      read.add((try? reading.readToEnd(atMost: 1 << 30)) ?? [])
    }
    do {
      let console = Console(
        output: stream(capacity: 1 << 10), messages: stream(capacity: 0), .unstoppable)
      try onThreads(count) { printMessages(console, $0) }
      console.output.flush()
      try pipe.fileHandleForWriting.close()
    }
    reader.join()
    return try #require(read.all.first)
  }

  private static let threads = 8
  private static let rounds = 200

  /// Returns a line, no part of which is a complete line of a test.
  private static func line(_ kind: String, _ thread: Int, _ round: Int) -> String {
    "\(kind) \(thread) \(String(repeating: "=", count: (thread * 31 + round * 7) % 60)) \(round)."
  }

  private static func printMessages(_ console: Console, _ thread: Int) {
    for round in 0..<rounds {
      switch round % 3 {
      case 0: console.result(line("result", thread, round))
      case 1: console.summary(line("summary", thread, round))
      default: console.warning(line("is", thread, round))
      }
    }
  }

  /// Returns the messages of a thread, in order.
  private static func messages(by thread: Int) -> [String] {
    (0..<rounds).map { round in
      switch round % 3 {
      case 0: line("result", thread, round)
      case 1: line("summary", thread, round)
      default: "Warning: " + line("is", thread, round)
      }
    }
  }

  /// Checks that each line is complete, none is missing, and those of each thread are in order.
  private func check(_ lines: [String]) {
    for thread in 0..<Self.threads {
      let messages = Self.messages(by: thread)
      let own = Set(messages)
      #expect(lines.filter { own.contains($0) } == messages)
    }
    #expect(lines.count == Self.threads * Self.rounds)
  }

  @Test func `messages of many threads are printed line by line`() throws {
    let bytes = try Self.bytes(threads: Self.threads, asTerminal: false, Self.printMessages)
    check(bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
  }

  @Test func `a progress line of a thread is replaced by messages of any thread`() throws {
    let bytes = try Self.bytes(threads: Self.threads, asTerminal: true) { console, thread in
      let line = ProgressLine(
        console, title: "pack \(thread)", patience: .zero, interval: .zero)
      for round in 0..<Self.rounds {
        line.update(Work.Progress(done: UInt64(round), total: UInt64(Self.rounds)))
        switch round % 3 {
        case 0: console.result(Self.line("result", thread, round))
        case 1: console.summary(Self.line("summary", thread, round))
        default: console.warning(Self.line("is", thread, round))
        }
      }
      line.finish()
      // An update after the end is not drawn.
      line.update(Work.Progress(done: 1, total: 10))
    }
    // The lines were drawn, and all of them were erased.
    #expect(String(decoding: bytes, as: UTF8.self).contains("pack 7 ["))
    let lines = Terminal(
      // A red warning has two sequences at known positions.
      Array(
        String(decoding: bytes, as: UTF8.self).replacing("\u{1B}[1;33m", with: "")
          .replacing("\u{1B}[0m", with: "").utf8)
    ).text
    #expect(lines.last == "")
    check(lines.dropLast())
  }

  @Test func `messages are printed above a progress line`() {
    let messages = TextStream(capturedAs: true, columns: 60)
    let console = Console(output: TextStream(), messages: messages, .unstoppable)
    let line = ProgressLine(
      console, title: "Packing", patience: .zero, interval: .zero)
    func shown() -> [String] { Terminal(Array(messages.captured.utf8)).text }
    console.summary("first")
    line.update(Work.Progress(done: 0, total: 10))
    #expect(shown().first == "first")
    #expect(shown().last?.hasPrefix("Packing") == true)
    console.summary("second")
    #expect(shown().dropLast() == ["first", "second"])
    #expect(shown().last?.hasPrefix("Packing") == true)
    line.finish()
    #expect(shown() == ["first", "second", ""])
  }

  @Test func `of two progress lines the latest one is shown, and each removes only itself`() {
    let messages = TextStream(capturedAs: true, columns: 60)
    let console = Console(output: TextStream(), messages: messages, .unstoppable)
    func line(_ title: String) -> ProgressLine {
      ProgressLine(console, title: title, patience: .zero, interval: .zero)
    }
    let (one, other) = (line("one"), line("other"))
    func shown() -> String? { Terminal(Array(messages.captured.utf8)).text.last }
    one.update(Work.Progress(done: 1, total: 10))
    other.update(Work.Progress(done: 1, total: 10))
    one.finish()
    #expect(shown()?.hasPrefix("other") == true)
    other.finish()
    #expect(shown() == "")
  }
}
