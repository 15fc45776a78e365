import SystemIO
import Testing

/// The standard streams of child processes.
@Suite struct ChildProcessTests {
  @Test(arguments: [0, 3, 200_000])
  func `a program reads the given input, and its output is kept`(count: Int) throws {
    let input = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    let child = try ChildProcess(["cat"], input: input, capturesOutput: true)
    _ = try waitUntil(.readable, child.alarm.number, "", .unstoppable)
    #expect(child.end == .status(0))
    #expect(try child.readOutput(atMost: 1 << 20) == input)
  }
}
