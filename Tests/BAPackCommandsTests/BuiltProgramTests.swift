import TestSupport
import Testing

/// What the tests measure of the program is of the program, not of the tests that started it.
@Suite struct BuiltProgramTests {
  @Test func `the memory of the tests is not counted as that of the program`() throws {
    // A process that begins has the memory of the one that started it for a moment.
    let memory = [UInt8](repeating: 1, count: 300 << 20)
    for _ in 0..<20 {
      let run = try BuiltProgram.run(["--version"])
      #expect(run.status == 0)
      #expect(run.peakMemory < 100 << 20)
    }
    #expect(memory.last == 1)
  }
}
