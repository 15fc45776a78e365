import Properties
import TestSupport
import Testing

@testable import AppStoreMock

/// Tests of the fuzzed properties, with the inputs that were found, and with some generated here.
@Suite(.mustEnd) struct DocumentPropertyTests {
  @Test func `documents with any bytes have their properties`() throws {
    let inputs = try FuzzCorpus.inputs("app-store-documents")
    #expect(inputs.count >= RequestDocument.all.count)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 400) {
      #expect(
        DocumentProperty.violation(inBody: bytes) == nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `faults and switches with any bytes have their properties`() throws {
    let inputs = try FuzzCorpus.inputs("app-store-texts")
    #expect(inputs.count >= 8)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 600, signs: ": */?[]-0159sMG{}'")
    {
      #expect(
        DocumentProperty.violation(inText: bytes) == nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }
}
