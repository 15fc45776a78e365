import Properties
import TestSupport
import Testing

@testable import AppStoreMock

/// The properties that are fuzzed, for what was found, and for some that is made here.
@Suite(.mustEnd) struct DocumentPropertyTests {
  @Test func `documents hold their properties, whatever their bytes`() throws {
    let inputs = try FuzzCorpus.inputs("app-store-documents")
    #expect(inputs.count >= RequestDocument.all.count)
    for bytes in inputs + FuzzCorpus.mutations(of: inputs, count: 400) {
      #expect(
        DocumentProperty.violation(inBody: bytes) == nil,
        "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `faults and switches hold their properties, whatever their bytes`() throws {
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
