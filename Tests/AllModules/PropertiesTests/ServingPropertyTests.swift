import Properties
import TestSupport
import Testing

@Suite struct ServingPropertyTests {
  @Test func `faults and paths with any bytes have their properties`() throws {
    let inputs = try FuzzCorpus.inputs("fault-texts")
    #expect(inputs.count >= 14)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 600, signs: ": *?[]%.0159kMsm/") {
      #expect(
        ServingProperty.violation(in: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
