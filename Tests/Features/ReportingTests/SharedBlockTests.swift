import BAPackKit
import Reporting
import SystemIO
import TestSupport
import Testing

/// The compression of a file is known only if its blocks contain no other files.
@Suite("Files in shared blocks")
struct SharedBlockTests {
  private let blockSize: UInt64 = 16_384

  @Test(arguments: UInt64(1)...8)
  func `bytes are shared where another file has bytes in their block`(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    var pack = PackModel()
    for number in 0..<1 + random.next(below: 30) {
      let size = [0, 1, 100, 5_000, 16_384, 60_000][random.next(below: 6)]
      pack.files["f\(number)"] = random.noise(size)
    }
    let releases = try Releases()
    let path = try releases.release("r", ["p": pack]) + "/p.aar"
    // The model: the blocks of each file.
    var reader = try PackReader(opening: path)
    var ranges: [(name: AssetPath, range: Range<UInt64>)] = []
    while let entry = try reader.nextEntry() {
      guard entry.kind == .file, let name = entry.pathInContents else { continue }
      let start = reader.streamOffset
      ranges.append((name, start..<start + (entry.size ?? 0)))
    }
    var owners: [UInt64: Int] = [:]
    for (_, range) in ranges where !range.isEmpty {
      for block in range.lowerBound / blockSize...(range.upperBound - 1) / blockSize {
        owners[block, default: 0] += 1
      }
    }
    let contents = try PackOutline(reading: path, [.shares], .unstoppable).contents
    #expect(contents.count == ranges.count)
    for (name, range) in ranges {
      let index = try #require(contents.index(of: name))
      let expected = range.reduce(UInt64(0)) { $0 + (owners[$1 / blockSize] ?? 0 > 1 ? 1 : 0) }
      #expect(contents.share(at: index)?.shared == expected, "\(name.text) at \(range)")
      #expect(contents.isInSharedBlocks(at: index) == (expected > UInt64(range.count) / 2))
    }
  }

  @Test func `the page and the table show no ratio for a file in shared blocks`() throws {
    var pack = MadePack(id: "a", archive: 4000)
    pack.files = [
      .init(path: Array("own".utf8), size: 1000, stored: 500, contents: 1),
      .init(path: Array("shared".utf8), size: 1000, stored: 500, contents: 2, shared: 1000),
    ]
    let page = String(
      decoding: try ReportPage(of: Report([pack].inventory), madeBy: "t").html(), as: UTF8.self)
    #expect(page.contains(#""sharing":[1]"#))
    #expect(page.contains("isSharing[file] ? 'in shared blocks'"))
    let table = String(decoding: ReportCSV(of: Report([pack].inventory)).bytes, as: UTF8.self)
    #expect(table.contains(",1000,500,0,1000,") && table.contains(",1000,500,0,0,"))
  }
}
