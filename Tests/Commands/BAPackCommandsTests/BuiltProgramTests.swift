import TestSupport
import Testing

/// Measurements of a run of the program.
@Suite struct BuiltProgramTests {
  @Test func `the peak memory of a run excludes the memory of the test process`() throws {
    // A child process shares the memory of its parent until it executes the program.
    let memory = [UInt8](repeating: 1, count: 300 << 20)
    for _ in 0..<20 {
      let run = try BuiltProgram.run(["--version"])
      #expect(run.status == 0)
      #expect(run.peakMemory < 100 << 20)
    }
    #expect(memory.last == 1)
  }
}
