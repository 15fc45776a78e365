import AppStoreMock
import BAPackKit
import Foundation
import SystemIO
import TLSIdentity
import TestSupport
import Testing

/// The saved state and key of the mock.
@Suite(.mustEnd) struct KeptStateTests {
  @Test func `a second run continues with the state of the first one`() throws {
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
    #expect(second.mock.serviceID == first.mock.serviceID)
    #expect(try second.version(upload.version).string("data.attributes.state") == "COMPLETE")
    #expect(try second.version(waiting.version).string("data.attributes.state") == "PROCESSING")
    second.mock.advance(seconds: 2)
    #expect(try second.version(waiting.version).string("data.attributes.state") == "COMPLETE")
    #expect(
      try second.version(try second.makeVersion(upload.pack)).string("data.attributes.version")
        == "3")
    #expect(
      try second.send(409, "POST", "/v1/backgroundAssets", MockSite.packBody("cave")).code
        == "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE")
  }

  @Test func `a state of an earlier version, with its webhooks, is read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let first = try MockSite(state: path, keys: keys)
    let upload = try first.upload(MockSite.archive())
    first.mock.end()
    var document = try #require(
      try JSONSerialization.jsonObject(with: Data(folder.contents("state.json")))
        as? [String: Any])
    var store = try #require(document["store"] as? [String: Any])
    store["events"] = [
      [
        "id": "5a", "type": "BACKGROUND_ASSET_VERSION_STATE_UPDATED", "instanceID": upload.version,
        "instanceType": "backgroundAssetVersions", "newState": "FAILED", "oldState": "PROCESSING",
        "time": ["seconds": 1_769_765_463, "nanoseconds": 0],
      ] as [String: Any]
    ]
    document["store"] = store
    try JSONSerialization.data(withJSONObject: document).write(to: URL(filePath: path))
    let second = try MockSite(state: path, keys: keys)
    #expect(try second.version(upload.version).string("data.attributes.state") == "COMPLETE")
  }

  @Test func `every change is saved immediately, without the bytes of current uploads`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let first = try MockSite(state: path, keys: keys) { $0.partSize = 100 }
    let bytes = MockSite.archive()
    let file = try first.reserve(
      try first.makeVersion(try first.makePack()), size: bytes.count)
    try first.deliver(bytes, MockSite.parts(file))
    // The first mock does not end: the copy contains only saved changes.
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

  @Test func `a mock that is killed after a commit processes the file in its next run`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let first = try MockSite(state: path, keys: keys)
    let upload = try first.upload(MockSite.archive(platforms: #"["tvOS"]"#), isProcessed: false)
    // The first mock keeps running, so the copy is the state that a killed mock leaves.
    let copy = folder.path("copy.json")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let second = try MockSite(state: copy, keys: keys)
    second.mock.advance(seconds: 2)
    let version = try second.version(upload.version)
    #expect(version.string("data.attributes.state") == "COMPLETE")
    #expect(version["data.attributes.platforms"] as? [String] == ["TV_OS"])
  }

  @Test func `a reset changes the service ID, and each new mock has its own ID`() throws {
    let site = try MockSite()
    let id = try site.send(200, "GET", "/__mock/service").string("service")
    #expect(id == site.mock.serviceID)
    #expect(try MockSite().mock.serviceID != id)
    _ = try site.control("reset")
    #expect(site.mock.serviceID != id)
  }

  @Test func `many threads that change the state leave the file with all changes`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let keys = try MockSite().keys
    let site = try MockSite(state: path, keys: keys)
    DispatchQueue.concurrentPerform(iterations: 64) { number in
      _ = try? site.makePack("p\(number)")
    }
    let copy = folder.path("copy.json")
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    let second = try MockSite(state: copy, keys: keys)
    #expect(try second.state().list("packs").count == 64)
  }

  @Test func `only one mock at a time can use a state`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let first = try MockSite(state: path)
    _ = try first.makePack()
    let error = #expect(throws: PackError.self) { try MockSite(state: path) }
    #expect(error?.message == "another mock uses the state in '\(path)'")
    #expect(error?.remedies.count == 1)
    first.mock.end()
    let second = try MockSite(state: path)
    #expect(try second.state().list("packs").count == 1)
    second.mock.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
  }

  @Test(arguments: [
    ("{}", "damaged"), ("[1", "damaged"), (#"{"format": 1, "store": {}}"#, "damaged"),
    (#"{"format": 0, "store": {}}"#, "damaged"), (#"{"format": "0"}"#, "damaged"),
    (#"{"format": 2, "shop": {}}"#, "a newer version of this program wrote"), (" ", "damaged"),
    (#"{"format": "2"}"#, "a newer version of this program wrote"),
  ])
  func `an unreadable state is unchanged, and the error has a reason and hints`(
    text: String, reason: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    try folder.makeFile("state.json", Array(text.utf8))
    let error = #expect(throws: PackError.self) { try MockSite(state: path) }
    #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("state of a mock") == true)
    let hints = "\(error?.remedies ?? [])"
    #expect(!hints.contains("remove") && error?.remedies.isEmpty == false, "\(hints)")
    #expect(try folder.contents("state.json") == Array(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.json"])
  }

  @Test func `a state that another program damages during a run is unchanged`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    let site = try MockSite(state: path)
    _ = try site.makePack()
    try folder.makeFile("state.json", Array(#"{"format": 9}"#.utf8))
    _ = try site.makePack("other")
    #expect(site.mock.removeFailure()?.message.contains("newer version") == true)
    #expect(try folder.contents("state.json") == Array(#"{"format": 9}"#.utf8))
  }

  @Test func `an empty file is an empty state`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("state.json")
    try folder.makeFile("state.json", [])
    let site = try MockSite(state: path)
    _ = try site.makePack()
    #expect(try folder.contents("state.json").isEmpty == false)
  }

  @Test func `an unreadable key is unchanged, and many processes share one key`() throws {
    let folder = try TemporaryFolder()
    let first = try MockKeys.kept(in: folder.path("keys"), .unstoppable)
    #expect(
      try MockKeys.kept(in: folder.path("keys"), .unstoppable).keys.key.pem()
        == first.keys.key.pem())
    #expect(first.path.hasSuffix("/keys/AuthKey_BAMOCKTEAM.p8"))
    let permissions = try FileManager.default.attributesOfItem(atPath: first.path)[
      .posixPermissions]
    #expect(permissions as? Int == 0o600)
    try folder.makeFile("keys/AuthKey_BAMOCKTEAM.p8", Array("x".utf8))
    let error = #expect(throws: Failure.self) {
      try MockKeys.kept(in: folder.path("keys"), .unstoppable)
    }
    #expect(error?.reason.contains("key of a mock of App Store Connect is damaged") == true)
    #expect(try folder.contents("keys/AuthKey_BAMOCKTEAM.p8") == Array("x".utf8))
  }

  @Test func `a state that cannot be written is reported, and the mock continues`() throws {
    let folder = try TemporaryFolder()
    // An invalid path is reported at the start.
    #expect(throws: PackError.self) { try MockSite(state: folder.path("somewhere/state.json")) }
    try folder.makeFolder("somewhere")
    let site = try MockSite(state: folder.path("somewhere/state.json"))
    try FileManager.default.removeItem(atPath: folder.path("somewhere"))
    _ = try site.makePack()
    #expect(site.mock.removeFailure() != nil)
    #expect(site.mock.removeFailure() == nil)
  }
}
