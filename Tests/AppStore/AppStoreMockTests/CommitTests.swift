import AppStoreMock
import BlockCodecs
import Foundation
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

/// The commit of a file: the checks and their order.
@Suite(.mustEnd) struct CommitTests {
  private static let bytes: [UInt8] = (0..<25).map { UInt8($0) }

  private func reserved(_ site: MockSite) throws -> MockSite.Reply {
    try site.reserve(try site.makeVersion(try site.makePack()), size: Self.bytes.count)
  }

  private func patch(
    _ site: MockSite, _ id: String, _ attributes: String, _ status: Int
  ) throws -> MockSite.Reply {
    try site.send(
      status, "PATCH", "/v1/backgroundAssetUploadFiles/\(id)",
      MockSite.commitBody(id, attributes))
  }

  @Test func `a missing part is reported without its number, and the upload can continue`() throws {
    let site = try MockSite { $0.partSize = 10 }
    let file = try reserved(site)
    let parts = try MockSite.parts(file)
    try site.deliver(Self.bytes, Array(parts.dropFirst()))
    let reply = try site.commit(file.id, 409)
    #expect(reply.code?.hasSuffix("CONTENT_NOT_UPLOADED") == true)
    #expect(reply.string("errors.0.detail") == "1 of 3 parts are missing")
    let shown = try site.get("/v1/backgroundAssetUploadFiles/\(file.id)")
    #expect(shown.string("data.attributes.assetDeliveryState.state") == "AWAITING_UPLOAD")
    #expect(shown.list("data.attributes.uploadOperations").count == 3)
    try site.deliver(Self.bytes, [parts[0]])
    try site.commit(file.id)
  }

  @Test func `a file is committed once`() throws {
    let site = try MockSite()
    let file = try reserved(site)
    try site.deliver(Self.bytes, MockSite.parts(file))
    try site.commit(file.id)
    #expect(try site.commit(file.id, 409).code == "STATE_ERROR.INVALID_STATE")
    site.mock.advance(seconds: 10)
    #expect(try site.commit(file.id, 409).code == "STATE_ERROR.INVALID_STATE")
    try site.send(404, "PATCH", "/v1/backgroundAssetUploadFiles/x", MockSite.commitBody("x"))
  }

  @Test func `checksums are refused before the bytes are read`() throws {
    let site = try MockSite()
    let file = try reserved(site)
    let pointer = "/data/attributes/sourceFileChecksums"
    for (attributes, place) in [
      (#""sourceFileChecksum":"x""#, "/data/attributes/sourceFileChecksum"),
      (#""sourceFileChecksums":{"file":{"hash":"x","algorithm":"MD5"}}"#, pointer),
      (#""sourceFileChecksums":{"file":{"hash":"x","algorithm":"SHA_256"}}"#, pointer),
      (#""sourceFileChecksums":{"file":{}}"#, pointer),
      (
        #""sourceFileChecksums":{"file":{"hash":"x","algorithm":"MD5"},"composite":{"hash":"x","#
          + #""algorithm":"MD5"}}"#,
        "\(pointer)/composite/hash"
      ),
      (#""sourceFileChecksums":{"composite":{}}"#, "\(pointer)/composite/hash"),
    ] {
      let reply = try patch(site, file.id, #""uploaded":true,"# + attributes, 409)
      #expect(reply.code == "ENTITY_ERROR.ATTRIBUTE.INVALID")
      #expect(reply.pointer == place)
    }
    let reply = try patch(
      site, file.id, #""sourceFileChecksums":{"file":{"hash":"ab","algorithm":"SHA_256"}}"#, 409)
    #expect(
      reply.string("errors.0.detail")
        == "'Checksums{file=File{hash=ab, algorithm=SHA_256}}' is not a valid value for the "
        + "attribute 'sourceFileChecksums'")
    // An empty object has no checksums.
    try site.deliver(Self.bytes, MockSite.parts(file))
    _ = try patch(
      site, file.id, #""uploaded":true,"sourceFileChecksum":null,"sourceFileChecksums":null"#, 200)
  }

  @Test func `an MD5 of the whole file is compared if a switch enables it`() throws {
    let site = try MockSite {
      $0.md5 = .compare
      $0.partSize = 10
    }
    let file = try reserved(site)
    func sum(_ hash: String, _ algorithm: String = "MD5") -> String {
      #""uploaded":true,"sourceFileChecksums":{"file":{"hash":"\#(hash)","#
        + #""algorithm":"\#(algorithm)"}}"#
    }
    var digest = try Digest(.md5)
    Self.bytes.withRawSpan { digest.update($0) }
    let right = hexadecimal(digest.finish())
    #expect(
      try patch(site, file.id, sum(right), 409).code?.hasSuffix("CONTENT_NOT_UPLOADED") == true)
    try site.deliver(Self.bytes, MockSite.parts(file))
    let wrong = try patch(site, file.id, sum("00" + right.dropFirst(2)), 409)
    #expect(wrong.pointer == "/data/attributes/sourceFileChecksums/file/hash")
    #expect(
      try patch(site, file.id, sum(right, "SHA_256"), 409).code == "ENTITY_ERROR.ATTRIBUTE.INVALID")
    _ = try patch(site, file.id, sum(right), 200)
  }

  /// Returns the MD5 digest of the MD5 digests of all parts, as object storage computes it.
  private static func composite(_ bytes: [UInt8], _ parts: [MockSite.Part]) throws -> String {
    var all = try Digest(.md5)
    for part in parts {
      let sum = try md5(Array(bytes[part.offset..<part.offset + part.length]))
      sum.withRawSpan { all.update($0) }
    }
    return "\(hexadecimal(all.finish()))-\(parts.count)"
  }

  private static func md5(_ bytes: [UInt8]) throws -> [UInt8] {
    var digest = try Digest(.md5)
    bytes.withRawSpan { digest.update($0) }
    return digest.finish()
  }

  private static func sums(file: String? = nil, composite: String? = nil) -> String {
    let members = [("file", file), ("composite", composite)].compactMap { name, hash in
      hash.map { #""\#(name)":{"hash":"\#($0)","algorithm":"MD5"}"# }
    }
    return #""uploaded":true,"sourceFileChecksums":{\#(members.joined(separator: ","))}"#
  }

  @Test func `a composite checksum is compared, and shown with the declared file checksum`()
    throws
  {
    let site = try MockSite {
      $0.md5 = .compare
      $0.partSize = 10
    }
    let file = try reserved(site)
    let parts = try MockSite.parts(file)
    try site.deliver(Self.bytes, parts)
    let whole = hexadecimal(try Self.md5(Self.bytes))
    let composite = try Self.composite(Self.bytes, parts)
    let pointer = "/data/attributes/sourceFileChecksums/composite/hash"
    for wrong in [whole, "\(whole)-3", composite.replacing("-3", with: "-2"), ""] {
      let reply = try patch(site, file.id, Self.sums(file: whole, composite: wrong), 409)
      #expect(reply.pointer == pointer)
    }
    let reply = try patch(
      site, file.id, Self.sums(file: whole.uppercased(), composite: composite), 200)
    #expect(reply.string("data.attributes.sourceFileChecksums.file.hash") == whole)
    #expect(reply.string("data.attributes.sourceFileChecksums.composite.hash") == composite)
    #expect(reply.int("data.attributes.fileSize") == Self.bytes.count)
  }

  @Test func `a declared checksum detects bytes that change in transit`()
    throws
  {
    for declares in [true, false] {
      let site = try MockSite(faults: ["PUT /upload/*: corrupt call 2"]) {
        $0.md5 = .compare
        $0.partSize = 10
      }
      let file = try reserved(site)
      let parts = try MockSite.parts(file)
      let tags = try parts.map { part in
        try site.put(
          part.url, Array(Self.bytes[part.offset..<part.offset + part.length]), part.fields
        ).head["etag"]
      }
      let sums = try parts.map { part in
        hexadecimal(try Self.md5(Array(Self.bytes[part.offset..<part.offset + part.length])))
      }
      #expect(tags[0] == "\"\(sums[0])\"" && tags[2] == "\"\(sums[2])\"")
      #expect(tags[1] != "\"\(sums[1])\"")
      let composite = try Self.composite(Self.bytes, parts)
      if declares {
        let whole = hexadecimal(try Self.md5(Self.bytes))
        _ = try patch(site, file.id, Self.sums(file: whole), 409)
        _ = try patch(site, file.id, Self.sums(composite: composite), 409)
        try site.deliver(Self.bytes, [parts[1]])
        _ = try patch(site, file.id, Self.sums(file: whole, composite: composite), 200)
      } else {
        // Without a declared checksum, the response has the checksum of the received bytes.
        let reply = try site.commit(file.id)
        let shown = reply.string("data.attributes.sourceFileChecksums.composite.hash")
        #expect(shown != nil && shown != composite)
      }
    }
  }

  @Test(arguments: [true, false])
  func `two connections that send the same part never mix their bytes`(finishes: Bool) throws {
    let site = try MockSite { $0.md5 = .compare }
    let file = try reserved(site)
    let part = try MockSite.parts(file)[0]
    let (early, late) = (Self.bytes, Self.bytes.map { $0 ^ 0xFF })
    #expect(try site.put(part.url, late, part.fields).status == 200)
    let first = try site.begin(part, "Content-Length: \(early.count)")
    try first.write(Array(early.prefix(10)))
    func missing() throws -> Int {
      try site.state().list("packs.0.versions.0.files.0.missing").count
    }
    while try missing() == 0 {}
    #expect(try site.put(part.url, late, part.fields).status == 200)
    #expect(try missing() == 0)
    if finishes {
      try first.write(Array(early.dropFirst(10)))
      #expect(String(decoding: first.readToEnd().bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200 "))
    } else {
      try first.finishWriting()
      #expect(first.readToEnd().bytes.isEmpty)
    }
    // The part consists of the bytes of the last complete request.
    let sum = hexadecimal(try Self.md5(finishes ? early : late))
    _ = try patch(site, file.id, Self.sums(file: sum), 200)
  }

  @Test func `only one of many simultaneous commits succeeds, and later parts are refused`()
    throws
  {
    let site = try MockSite()
    let file = try reserved(site)
    let part = try MockSite.parts(file)[0]
    try site.deliver(Self.bytes, [part])
    let statuses = Noted<Int>()
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let reply = try? site.send(
        "PATCH", "/v1/backgroundAssetUploadFiles/\(file.id)", MockSite.commitBody(file.id))
      statuses.add(reply?.status ?? 0)
    }
    #expect(statuses.all.filter { $0 == 200 }.count == 1)
    #expect(statuses.all.filter { $0 == 409 }.count == 15)
    #expect(try site.put(part.url, Self.bytes, part.fields).status == 403)
  }

  @Test func `an update without 'uploaded' changes no state`() throws {
    let site = try MockSite()
    let file = try reserved(site)
    for attributes in ["", #""uploaded":false"#, #""uploaded":null"#] {
      let reply = try patch(site, file.id, attributes, 200)
      #expect(reply.list("data.attributes.uploadOperations").count == 1)
    }
    let bare = #"{"data":{"type":"backgroundAssetUploadFiles","id":"\#(file.id)"}}"#
    try site.send(200, "PATCH", "/v1/backgroundAssetUploadFiles/\(file.id)", bare)
  }

  @Test func `a separate manifest is validated, and its version still waits for the archive`()
    throws
  {
    let site = try MockSite()
    let version = try site.makeVersion(try site.makePack())
    let good = MockSite.manifest()
    let file = try site.reserve(version, size: good.count, type: "MANIFEST", name: "Manifest.json")
    try site.deliver(good, MockSite.parts(file))
    try site.commit(file.id)
    site.mock.advance(seconds: 5)
    let shown = try site.get("/v1/backgroundAssetUploadFiles/\(file.id)")
    #expect(shown.string("data.attributes.assetDeliveryState.state") == "COMPLETE")
    let waiting = try site.version(version, "?include=manifestFile")
    #expect(waiting.string("data.attributes.state") == "AWAITING_UPLOAD")
    #expect(waiting.string("data.relationships.manifestFile.data.id") == file.id)
    let archive = MockSite.archive()
    let asset = try site.reserve(version, size: archive.count)
    try site.deliver(archive, MockSite.parts(asset))
    try site.commit(asset.id)
    site.mock.advance(seconds: 5)
    #expect(try site.version(version).string("data.attributes.state") == "COMPLETE")
  }

  @Test func `an invalid manifest fails as a file, and its version does not`() throws {
    let site = try MockSite()
    let version = try site.makeVersion(try site.makePack())
    let bad = MockSite.manifest(policy: #"{"onDemand": null}"#)
    let file = try site.reserve(version, size: bad.count, type: "MANIFEST", name: "Manifest.json")
    try site.deliver(bad, MockSite.parts(file))
    try site.commit(file.id)
    site.mock.advance(seconds: 5)
    let shown = try site.get("/v1/backgroundAssetUploadFiles/\(file.id)")
    #expect(shown.string("data.attributes.assetDeliveryState.state") == "FAILED")
    #expect(shown.string("data.attributes.assetDeliveryState.errors.0.code") == "91140")
    #expect(try site.version(version).string("data.attributes.state") == "AWAITING_UPLOAD")
  }
}
