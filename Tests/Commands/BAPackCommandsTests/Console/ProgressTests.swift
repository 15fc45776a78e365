import Arguments
import SystemIO
import TerminalText
import Testing

@testable import BAPackCommands

@Suite("Quantities and progress")
struct ProgressTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.00 KB"), (1234, "1.23 KB"),
    (99_949, "99.9 KB"), (99_950, "100 KB"), (999_499, "999 KB"), (999_500, "1.00 MB"),
    (700_123_456, "700 MB"), (1_000_000_000_000, "1.00 TB"), (UInt64.max, "18.4 EB"),
  ])
  func `bytes have three digits and a unit`(_ count: UInt64, _ text: String) {
    #expect(Quantity.bytes(count) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (1000, "1 KB"), (1_500_000_000, "1.5 GB"),
    (1_234_567, "1,234,567 bytes"), (1_234_000, "1.234 MB"), (200_000_000_000, "200 GB"),
    (UInt64.max, "18,446,744,073,709,551,615 bytes"),
  ])
  func `a limit is printed without rounding`(_ count: UInt64, _ text: String) {
    #expect(Quantity.exactBytes(count) == text)
  }

  @Test(arguments: [
    (0, "0.00 s"), (0.4242, "0.42 s"), (12.34, "12.3 s"), (59.9, "59.9 s"), (60, "1:00"),
    (245, "4:05"), (3723, "1:02:03"),
  ])
  func `times are seconds, then minutes and hours`(_ seconds: Double, _ text: String) {
    #expect(Quantity.seconds(seconds) == text)
  }

  @Test
  func `counts are grouped and agree with their noun`() {
    #expect(Quantity.count(1, "file") == "1 file")
    #expect(Quantity.count(0, "file") == "0 files")
    #expect(Quantity.count(1_204_000, "entry", plural: "entries") == "1,204,000 entries")
  }

  @Test
  func `the line has a bar, bytes, speed and the remaining time, and fits the terminal`() {
    #expect(
      ProgressLine.text(title: "Packing", done: 350, total: 1000, seconds: 0.5, columns: 100)
        == "Packing [##########--------------------]  35%  350 bytes of 1.00 KB  700 bytes/s  "
        + "1 s left")
    #expect(
      ProgressLine.text(title: "Packing", done: 1000, total: 1000, seconds: 2, columns: 70)
        == "Packing [#####################] 100%  1.00 KB of 1.00 KB  500 bytes/s")
    for columns in 1...120 {
      let text = ProgressLine.text(
        title: "Packing", done: 999_999, total: 7_000_000, seconds: 3, columns: columns)
      #expect(text.count < columns)
    }
  }

  @Test
  func `a short operation has no progress line`() {
    let messages = TextStream(capturedAs: true)
    let console = Console(output: TextStream(), messages: messages, .unstoppable)
    #expect(console.showsProgress)
    let progress = ProgressLine(console, title: "Packing")
    for done in 0...10 { progress.update(Work.Progress(done: UInt64(done), total: 10)) }
    progress.finish()
    #expect(messages.captured == "")
  }

  @Test
  func `progress is shown only on a terminal that can erase a line`() throws {
    func shows(terminal: Bool = true, term: String = "xterm", _ options: String...) throws -> Bool {
      let console = Console(
        output: TextStream(), messages: TextStream(capturedAs: terminal), .unstoppable,
        environment: { $0 == "TERM" ? term : nil })
      let request = try CommandTable.program.parse(["pack", "M.json", "-o", "x.aar"] + options)
      guard case .run(let arguments) = request else { return false }
      return console.adjusted(to: arguments).showsProgress
    }
    #expect(try shows())
    #expect(try !shows(terminal: false))
    #expect(try !shows(term: "dumb"))
    #expect(try !shows("--quiet"))
    #expect(try !shows("--verbose"))
  }
}
