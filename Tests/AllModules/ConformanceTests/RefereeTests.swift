import TestSupport
import Testing

@Suite struct RefereeTests {
  @Test(arguments: [
    Example.bare, .stored, .lz4, .lz4SmallBlocks, .lzbitmap,
  ])
  func `the referee reads the annotated example`(_ example: Example) throws {
    let archive = try RefereeArchive(try example.bytes())
    #expect(archive.entries.map(\.name) == ["", "hi.txt", "hi2.txt", "ln"])
    #expect(archive.entries.map(\.type) == ["D", "F", "F", "L"])
    #expect(archive.entries.map(\.isMinimal) == [true, true, true, true])
    let hi = try #require(archive["hi.txt"])
    #expect(hi.data == Array("hello\n".utf8))
    #expect(hi.headerLength == 90)
    #expect(hi.offset == 0x43)
    #expect(hi.number("MOD") == 0o644)
    #expect(hi.number("UID") == 501)
    #expect(hi.time("MTM") == .init(0x6593_7D25, 123_456_789))
    #expect(hi.time("CTM") == .init(0x6593_7D25))
    #expect(hi.blobs["XAT"]?.suffix(4) == Array("blue".utf8)[...])
    #expect(archive["ln"]?.fields["LNK"] == .text(Array("hi.txt".utf8)))
  }

  @Test
  func `the referee reads the blocks of a container`() throws {
    let container = try #require(try RefereeArchive(try Example.lz4SmallBlocks.bytes()).container)
    #expect(container.letter == "4")
    #expect(container.blockSize == 128)
    #expect(container.blocks.map(\.rawSize) == [128, 128, 128, 1])
    #expect(container.blocks.map(\.storedSize) == [112, 128, 128, 1])
    #expect(container.contents == (try Example.bare.bytes()))
  }

  @Test
  func `the referee reports every truncation of the uncompressed example`() throws {
    let whole = try Example.bare.bytes()
    let boundaries = [0, 0x43, 0xBB, 0x134]
    for count in 0..<whole.count where !boundaries.contains(count) {
      #expect(throws: RefereeComplaint.self) { try RefereeArchive(Array(whole.prefix(count))) }
    }
  }
}
