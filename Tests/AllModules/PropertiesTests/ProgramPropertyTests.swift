import Properties
import TestSupport
import Testing

@Suite struct ProgramPropertyTests {
  @Test func `programs with any bytes have their properties`() throws {
    let sample = SampleApp()
    let inputs =
      try FuzzCorpus.inputs("macho") + [
        sample.app.program.bytes, sample.downloader.program.bytes,
        MachOBytes.fat([sample.app.program.bytes], wide: true),
        SampleApp.signed(Array("<plist><dict/></plist>".utf8)),
      ]
    #expect(inputs.count >= 6)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 2000) {
      #expect(AppProperties.violation(inProgram: bytes) == nil)
    }
  }
}
