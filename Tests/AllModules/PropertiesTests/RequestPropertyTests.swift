import Properties
import TestSupport
import Testing

@Suite struct RequestPropertyTests {
  @Test func `heads of requests with any bytes have their properties`() throws {
    let inputs = try FuzzCorpus.inputs("request-heads")
    #expect(inputs.count >= 8)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 300, signs: "\r\n :/%.0,-\t#?") {
      #expect(
        RequestProperty.violation(in: bytes) == nil, "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
