import BAPackKit
import SystemIO
import TestSupport
import Testing

/// Our reader and the referee, which share no code, agree about the same bytes.
@Suite struct AgreementTests {
  @Test(arguments: Example.allCases)
  func `our reader agrees with the referee on the annotated example`(_ example: Example) throws {
    let bytes = try example.bytes()
    let referee = try RefereeArchive(bytes)
    var reader = try PackReader(bytes, named: "example")
    #expect(reader.container?.blockSize == referee.container.map { UInt64($0.blockSize) })
    for expected in referee.entries {
      let entry = try #require(try reader.nextEntry())
      #expect(entry.archivePath.bytes == expected.path)
      #expect(entry.streamOffset == UInt64(expected.offset))
      #expect(entry.permissions.map(Int.init) == expected.number("MOD"))
      #expect(entry.userID.map(Int.init) == expected.number("UID"))
      #expect(entry.groupID.map(Int.init) == expected.number("GID"))
      let time = entry.modified.map { RefereeEntry.Time(Int($0.seconds), Int($0.nanoseconds)) }
      #expect(time == expected.time("MTM"))
      #expect(entry.size.map(Int.init) == expected.blobs["DAT"]?.count)
      #expect(try reader.contents(of: entry, atMost: 1 << 20) ?? [] == expected.data)
    }
    let rest = try reader.nextEntry()
    #expect(rest == nil)
  }

  @Test
  func `our packs have Apple's fields in Apple's order, with the smallest widths`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/one", "1")
    try folder.makeFile("a/empty")
    for compression in PackSettings.Compression.allCases {
      let bytes = try pack(folder, PackSettings(compression: compression))
      let archive = try RefereeArchive(bytes)
      // An archive without compression has no container.
      #expect(archive.container?.letter == Self.letters[compression])
      #expect(compression != .none || bytes.starts(with: "AA01".utf8))
      #expect(archive.entries.count == 6)
      for entry in archive.entries {
        #expect(entry.isMinimal)
        let data = entry.type == "F" ? ["DAT"] : []
        #expect(entry.keys == ["TYP", "PAT", "UID", "GID", "MOD", "FLG", "CTM", "MTM"] + data)
      }
    }
  }

  private static let letters: [PackSettings.Compression: Character] = [
    .lzfse: "e", .zlib: "z", .lzma: "x", .lz4: "4",
  ]

  private func pack(
    _ folder: borrowing TemporaryFolder, _ settings: PackSettings
  ) throws -> [UInt8] {
    let manifest = """
      {"assetPackID": "Pack", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"directory": "."}]}
      """
    let document = ManifestDocument(parsing: Array(manifest.utf8), named: "m.json")
    let root = try SourceRoot(opening: folder.path, .unstoppable)
    let plan = try PackPlan(
      #require(document.manifest), Selection.resolve(document, in: root, .unstoppable).selection,
      from: root,
      settings: settings)
    let output = try TemporaryFolder()
    _ = try PackSeries.Job(plan, to: output.path("x.aar")).pack(.unstoppable)
    return try output.contents("x.aar")
  }

  @Test
  func `both orders of times are read correctly`() throws {
    let times = [
      Array("CTMS".utf8) + PackBytes.little(1, 8), Array("MTMS".utf8) + PackBytes.little(2, 8),
    ]
    for fields in [times, times.reversed()] {
      var pack = PackBytes()
      pack.add(type: "F", [PackBytes.path("a")] + fields)
      var reader = try PackReader(pack.stream, named: "a pack")
      let entry = try #require(try reader.nextEntry())
      #expect(entry.modified == Moment(seconds: 2))
      let referee = try RefereeArchive(pack.stream)
      #expect(referee["a"]?.time("CTM") == .init(1))
      #expect(referee["a"]?.time("MTM") == .init(2))
    }
  }
}
