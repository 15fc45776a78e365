import AppStoreMock
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// What outlives a run of the mock.
@Suite(.mustEnd) struct KeptStateTests {
  @Test func `a second run goes on where the first one ended`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let first = try MockSite(state: path, keys: keys)
    let upload = try first.upload(MockSite.archive())
    let waiting = try first.upload(
      MockSite.archive(), pack: upload.pack, isProcessed: false)
    first.mock.end()
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o600)

    let second = try MockSite(state: path, keys: keys)
    #expect(try second.version(upload.version).string("data.attributes.state") == "COMPLETE")
    #expect(try second.version(waiting.version).string("data.attributes.state") == "COMPLETE")
    #expect(
      try second.version(try second.makeVersion(upload.pack)).string("data.attributes.version")
        == "3")
    #expect(
      try second.ask(409, "POST", "/v1/backgroundAssets", MockSite.packBody("cave")).code
        == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
  }

  @Test func `every change is kept at once, and bytes of uploads under way are not`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let first = try MockSite(state: path, keys: keys) { $0.partSize = 100 }
    let bytes = MockSite.archive()
    let file = try first.reserve(
      try first.makeVersion(try first.makePack()), size: bytes.count)
    try first.deliver(bytes, MockSite.parts(file))
    // The first one is not told that it ends: what it has kept by now is all there is.
    let copy = folder.path("copy.json")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let second = try MockSite(state: copy, keys: keys) { $0.partSize = 100 }
    let shown = try second.get("/v1/backgroundAssetUploadFiles/\(file.id)")
    #expect(shown.list("data.attributes.uploadOperations").count == (bytes.count + 99) / 100)
    #expect(try second.commit(file.id, 409).code?.hasSuffix("CONTENT_NOT_UPLOADED") == true)
    try second.deliver(bytes, MockSite.parts(shown))
    try second.commit(file.id)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { !$0.hasSuffix(".lock") }.sorted() == ["copy.json", "state.json"])
  }

  @Test func `a state is one mock's at a time, and the next one's when that has ended`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let first = try MockSite(state: path)
    _ = try first.makePack()
    let error = #expect(throws: PackError.self) { try MockSite(state: path) }
    #expect(error?.message == "another mock has the state in '\(path)'")
    #expect(error?.remedies.count == 1)
    first.mock.end()
    let second = try MockSite(state: path)
    #expect(try second.state().list("packs").count == 1)
    second.mock.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
  }

  @Test func `a file that is no state is refused, and one that is empty is a beginning`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    for text in ["{}", "[1", #"{"format": 2, "store": {}}"#] {
      try folder.makeFile("state.json", Array(text.utf8))
      #expect(throws: PackError.self) { try MockSite(state: path) }
      #expect(try folder.contents("state.json") == Array(text.utf8))
    }
    try folder.makeFile("state.json", [])
    let site = try MockSite(state: path)
    _ = try site.makePack()
    #expect(try folder.contents("state.json").isEmpty == false)
  }

  @Test func `a state that cannot be written is said, and the mock goes on`() throws {
    let folder = try TemporaryFolder()
    // What cannot be begun is said at once.
    #expect(throws: PackError.self) { try MockSite(state: folder.path("somewhere/state.json")) }
    try folder.makeFolder("somewhere")
    let site = try MockSite(state: folder.path("somewhere/state.json"))
    try FileManager.default.removeItem(atPath: folder.path("somewhere"))
    _ = try site.makePack()
    #expect(site.mock.takeTrouble() != nil)
    #expect(site.mock.takeTrouble() == nil)
  }
}
