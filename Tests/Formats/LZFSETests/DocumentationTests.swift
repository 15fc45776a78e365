import Foundation
import LZFSE
import TestSupport
import Testing

// The code of the documentation: each Swift block of LZFSE.md is the text between `// snippet` and
// `// end`.

// snippet
func roundTrip(_ bytes: [UInt8]) throws(LZFSEError) -> [UInt8] {
  var encoder = Encoder(effort: .default)
  let capacity = Encoder.maximumEncodedByteCount(of: bytes.count)
  let stream = try [UInt8](rawCapacity: capacity) { output throws(LZFSEError) in
    try unsafe encoder.encode(bytes.span.bytes, into: &output)
  }
  var decoder = Decoder()
  return try [UInt8](rawCapacity: bytes.count) { output throws(LZFSEError) in
    try unsafe decoder.decode(stream.span.bytes, into: &output)
  }
}
// end

// snippet
extension [UInt8] {
  init<E: Error>(
    rawCapacity: Int, _ fill: (inout OutputRawSpan) throws(E) -> Void
  ) throws(E) {
    try unsafe self.init(unsafeUninitializedCapacity: rawCapacity) { buffer, count throws(E) in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      var output = unsafe OutputRawSpan(buffer: raw, initializedCount: 0)
      try fill(&output)
      count = unsafe output.finalize(for: raw)
    }
  }
}
// end

struct DocumentationTests {
  @Test func `the example of the documentation returns its input`() throws {
    let bytes = Array("one two one two one two".utf8)
    #expect(try roundTrip(bytes) == bytes)
  }

  @Test func `every Swift block of the documentation is a snippet`() throws {
    let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let snippets = here.components(separatedBy: "// snippet\n").dropFirst().map {
      $0.components(separatedBy: "// end\n")[0]
    }
    let page = try String(
      contentsOf: Checkout.file("Sources/Formats/LZFSE/LZFSE.docc/LZFSE.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
    #expect(blocks.count == 2)
    for block in blocks { #expect(snippets.contains(block), "\(block)") }
  }
}
