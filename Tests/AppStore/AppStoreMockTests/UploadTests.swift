import AppStoreMock
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

/// Complete uploads, from the record of a pack to the release for testers.
@Suite(.mustEnd) struct UploadTests {
  @Test func `an upload creates a record, a version and a file, and testers get it`() throws {
    let site = try MockSite { $0.partSize = 100 }
    let bytes = MockSite.archive()
    let pack = try site.send(201, "POST", "/v1/backgroundAssets", MockSite.packBody("cave"))
    #expect(pack.string("data.type") == "backgroundAssets")
    #expect(pack.string("data.attributes.assetPackIdentifier") == "cave")
    #expect(pack["data.attributes.archived"] as? Bool == false)
    #expect(pack.int("data.attributes.usedBytes") == 0)
    #expect(pack.string("data.attributes.createdDate") == "2026-01-30T01:31:03.007-08:00")
    #expect(pack.string("links.self") == "https://127.0.0.1:8490/v1/backgroundAssets")

    let version = try site.send(
      201, "POST", "/v1/backgroundAssetVersions", MockSite.versionBody(pack.id))
    #expect(version.string("data.attributes.version") == "1")
    #expect(version.string("data.attributes.state") == "AWAITING_UPLOAD")
    #expect(version.isNull("data.attributes.platforms"))
    #expect(version.isNull("data.attributes.locale"))

    try upload(bytes, to: version.id, on: site)
    #expect(try site.version(version.id).string("data.attributes.state") == "PROCESSING")

    site.mock.advance(seconds: 2)
    let done = try site.version(
      version.id, "?include=internalBetaRelease,externalBetaRelease,appStoreRelease,assetFile")
    #expect(done.string("data.attributes.state") == "COMPLETE")
    #expect(done["data.attributes.platforms"] as? [String] == Platforms.all)
    let releases = done.list("included").compactMap { $0 as? [String: Any] }
    #expect(
      releases.map { ($0["attributes"] as? [String: Any])?["state"] as? String } == [
        "READY_FOR_TESTING", "READY_FOR_BETA_SUBMISSION", "PREPARE_FOR_SUBMISSION", nil,
      ])
    let shown = try site.get("/v1/backgroundAssets/\(pack.id)?include=internalBetaVersion")
    #expect(shown.int("data.attributes.usedBytes") == bytes.count)
    #expect(shown.string("data.relationships.internalBetaVersion.data.id") == version.id)
    #expect(site.mock.violations == [])
  }

  /// Reserves a file, sends its parts and commits it.
  private func upload(_ bytes: [UInt8], to version: String, on site: MockSite) throws {
    let file = try site.reserve(version, size: bytes.count)
    #expect(file.string("data.attributes.assetDeliveryState.state") == "AWAITING_UPLOAD")
    #expect(file.list("data.attributes.assetDeliveryState.errors").isEmpty)
    #expect(file.isNull("data.attributes.sourceFileChecksum"))
    #expect(file.isNull("data.attributes.sourceFileChecksums.file"))
    #expect(file.isNull("data.attributes.sourceFileChecksums.composite"))
    let operations = file.list("data.attributes.uploadOperations")
    #expect(operations.count == (bytes.count + 99) / 100)
    let first = try #require(operations.first as? [String: Any])
    #expect(first["method"] as? String == "PUT")
    #expect(first["partNumber"] as? Int == 1)
    #expect(first["expiration"] as? String == "2026-02-06T01:31:03.007-08:00")
    #expect((first["url"] as? String)?.contains("Expires=1770370263&") == true)

    let parts = try MockSite.parts(file)
    #expect(parts.map(\.length).reduce(0, +) == bytes.count)
    for part in parts {
      let answer = try site.put(
        part.url, Array(bytes[part.offset..<part.offset + part.length]), part.fields)
      #expect(answer.status == 200)
      #expect(answer.body.isEmpty)
      #expect(answer.head["etag"]?.count == 34)
    }
    let commit = try site.commit(file.id)
    #expect(commit.string("data.attributes.assetDeliveryState.state") == "UPLOAD_COMPLETE")
    #expect(commit.isNull("data.attributes.uploadOperations"))
    #expect(
      commit.string("data.attributes.sourceFileChecksums.composite.hash")?
        .hasSuffix("-\(parts.count)") == true)
    #expect(
      commit.string("links.self")
        == "https://127.0.0.1:8490/v1/backgroundAssetUploadFiles/\(file.id)")
  }
}
