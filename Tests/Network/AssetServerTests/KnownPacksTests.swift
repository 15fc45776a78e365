import BAPackKit
import SystemIO
import TestSupport
import Testing

@testable import AssetServer

@Suite
struct KnownPacksTests {
  private static func archive(_ path: String) throws -> PublishedArchive {
    let text = """
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a"}]}
      """
    let document = ManifestDocument(parsing: Array(text.utf8), named: "m")
    return PublishedArchive(
      path: path, manifest: try #require(document.manifest), size: 1, installedSize: 1,
      sha256: String(repeating: "a", count: 64))
  }

  @Test(arguments: [Int64.max, Int64.max - 1])
  func `a file with the latest possible modification time is not recorded`(
    seconds: Int64
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.aar")
    var status = try FileStatus(ofFileAt: folder.path("a.aar"))
    status.modified = Moment(seconds: seconds, nanoseconds: 999_999_999)
    var known = KnownPacks()
    known.record(try Self.archive(folder.path("a.aar")), status, readFrom: .now)
    #expect(known.archive(at: folder.path("a.aar"), status) == nil)
    // A file without recent changes is recorded.
    status.modified = Moment(seconds: 0)
    status.changed = Moment(seconds: 0)
    known.record(try Self.archive(folder.path("a.aar")), status, readFrom: .now)
    #expect(known.archive(at: folder.path("a.aar"), status)?.id == "a")
  }

  @Test(arguments: [
    #"["1","2","3","4","5","6"]"#, #"["1","2","3","4","5","6","7","8"]"#, #"[1,2,3,4,5,6,7]"#,
    #"["1","2","3","4","5","6","x"]"#, #"["1","2","3","4","1000000000000000000000","6","7"]"#, "{}",
    #""1""#, "[]",
  ])
  func `a record with invalid attributes of a file is not read`(attributes: String) {
    let text = #"""
      {"format":1,"program":"0.1.0","packs":[{"path":"/p/a.aar","file":\#(attributes),\#
      "sha256":"ab","installedSize":"1","manifest":"{}"}]}
      """#
    #expect(throws: StateFault.self) {
      try KnownPacksDocument.read(Array(text.utf8), named: "file")
    }
  }

  @Test func `the file keeps its format, and each member is read`() throws {
    var pack = KnownPacksDocument.Pack()
    pack.path = "/p/a.aar"
    pack.stamp = try #require(KnownPacksDocument.Stamp([1, 2, 3, 4, 5, 6, 7]))
    pack.sha256 = "ab"
    pack.installedSize = .max
    pack.manifest = "{}"
    var document = KnownPacksDocument(program: "0.1.0")
    document.packs[pack.path] = pack
    try expectRoundTrip(pack)
    try expectRoundTrip(document)
    let text = #"""
      {"format":1,"program":"0.1.0","packs":[{"path":"/p/a.aar",\#
      "file":["1","2","3","4","5","6","7"],"sha256":"ab",\#
      "installedSize":"18446744073709551615","manifest":"{}"}]}
      """#
    #expect(String(decoding: try document.encoded(), as: UTF8.self) == text)
    #expect(try KnownPacksDocument.read(Array(text.utf8), named: "file").document == document)
  }
}
