import SystemIO
import TestSupport
import Testing

/// The output of programs, and the reasons for which they are killed.
@Suite struct ProgramOutputTests {
  private static func run(
    _ script: String, changing variables: [String: String?] = [:], reading input: [UInt8] = [],
    atMost limit: Int = 1 << 20, within time: Duration = .seconds(60)
  ) throws(Failure) -> ProgramOutput {
    try ProgramOutput(
      of: ["sh", "-c", script], changing: variables, reading: input, atMost: limit,
      until: .now + time, .unstoppable)
  }

  @Test func `a program reads the input, and both of its outputs are returned`() throws {
    var random = Seeded(seed: 1)
    let input = random.noise(300_000)
    let output = try Self.run(
      "cat; printf '%s' \"$WORD\" >&2; exit 3", changing: ["WORD": "wrong"], reading: input)
    #expect(output.bytes == input)
    #expect(output.errors == Array("wrong".utf8))
    #expect(output.end == .status(3))
    #expect(try Self.run("cat").bytes.isEmpty)
  }

  @Test func `an output that is too long ends the program`() {
    let error = #expect(throws: Failure.self) { _ = try Self.run("yes", atMost: 100_000) }
    guard case .malformed = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: ["exec sleep 600", "sleep 600 & wait", "exec >&-; exec sleep 600"])
  func `a program and its children are killed at the deadline`(script: String) {
    let start = ContinuousClock.now
    let error = #expect(throws: Failure.self) {
      _ = try Self.run(script, within: .milliseconds(200))
    }
    #expect(ContinuousClock.now - start < .seconds(300))
    guard case .timedOut = error?.kind else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a program that is not installed is an error`() {
    #expect(throws: Failure.self) {
      _ = try ProgramOutput(
        of: ["no-such-program-of-tests"], atMost: 10, until: .now + .seconds(60), .unstoppable)
    }
  }
}
