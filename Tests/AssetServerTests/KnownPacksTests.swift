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
  func `a file with the latest possible modification time is never remembered`(
    seconds: Int64
  ) throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.aar")
    var status = try FileStatus(ofFileAt: folder.path("a.aar"))
    status.modified = Moment(seconds: seconds, nanoseconds: 999_999_999)
    var known = KnownPacks()
    known.remember(try Self.archive(folder.path("a.aar")), status, readFrom: .now)
    #expect(known.archive(at: folder.path("a.aar"), status) == nil)
    // A file without recent changes is remembered.
    status.modified = Moment(seconds: 0)
    status.changed = Moment(seconds: 0)
    known.remember(try Self.archive(folder.path("a.aar")), status, readFrom: .now)
    #expect(known.archive(at: folder.path("a.aar"), status)?.id == "a")
  }
}
