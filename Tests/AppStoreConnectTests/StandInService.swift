// Long because all that the service answers is seen together.
import AppStoreConnect
import BAPackKit
import BlockCodecs
import Foundation
import SourceDiagnostics
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

/// A service in memory that does what is known of Apple's, and what a test wants to go wrong.
final class StandInService: Transport {
  struct Pack {
    let id: String
    let name: String
    var isArchived = false
    var internalVersion: String?
  }

  struct Version {
    let id: String
    let pack: String
    let number: Int
    var state = "AWAITING_UPLOAD"
    var errors: [(String, String)] = []
    var warnings: [(String, String)] = []
    var internalState: String?
  }

  struct File {
    let id: String
    let version: String
    let kind: String
    let size: Int
    var parts: [Int: [UInt8]] = [:]
    var state = "AWAITING_UPLOAD"
    var errors: [(String, String)] = []
  }

  /// What goes wrong with a request.
  enum Fault {
    case dropBefore
    case dropAfter
    /// An answer instead of what would have been done.
    case answer(Int, String, [(String, String)] = [])
    /// An answer instead of the one that tells what was done.
    case answerAfter(Int, String)
    case killBefore
    case killAfter
    /// Ends the run, and applies the request when ``applyDelayed()`` is called.
    case killAndDelay
  }

  struct Seen {
    let method: String
    let path: String
    let url: String
    let authorization: String?
    let body: String
  }

  var packs: [Pack] = []
  var versions: [Version] = []
  var files: [File] = []
  private(set) var seen: [Seen] = []
  var partSize = 1000
  var isShuffled = false
  var isUneven = false
  /// Asked for every request: the method, the path, and how many of both there were before.
  var fault: (String, String, Int) -> Fault? = { _, _, _ in nil }
  /// Changes the parts of a file before they are told.
  var changeParts: ([(Int, Int)]) -> [(Int, Int)] = { $0 }
  var partScheme = "https"
  var commitState = "UPLOAD_COMPLETE"
  var expiration = "2026-02-06T01:31:03.779-08:00"
  var additions = ""
  var pageSize = 200
  var commits = 0
  var puts: [Int] = []
  /// Called before a part is read.
  var beforePart: () -> Void = {}
  /// Called after a part is read, before the storage responds.
  var afterPart: () -> Void = {}
  /// Changes received bytes, given the part number and the number of its earlier deliveries.
  var damage: (Int, Int, inout [UInt8]) -> Void = { _, _, _ in }
  /// Returns the tag of a part for the MD5 digest of its received bytes.
  var tag: (String) -> String? = { "\"\($0)\"" }
  /// The time of the service, if its responses contain a date.
  var date: Moment?
  var accepted: (String) -> Void = { _ in }
  /// Called with the version of any file that is completed.
  var committed: (String) -> Void = { _ in }
  private var isDead = false
  private var counts: [String: Int] = [:]
  private var lastID = 0
  private var delayed: (() -> HTTPResponse)?

  func revive() { isDead = false }

  /// Applies the request that was delayed.
  func applyDelayed() {
    if let delayed = delayed.take() { _ = delayed() }
  }

  private func newID() -> String {
    lastID += 1
    return "\(lastID)-abcd"
  }

  // MARK: As a transport

  func exchange(
    _ exchanges: [Exchange], atOnce count: Int, _ work: Work,
    answered: @escaping (Int, HTTPResponse) throws(Failure) -> Void
  ) throws(Failure) {
    for (index, exchange) in exchanges.enumerated() {
      let answer = try one(exchange)
      if case .part(_, let range) = exchange.body {
        let size = range.upperBound - range.lowerBound
        work.of(item: index).report?(SystemIO.Progress(done: size, total: size))
      }
      try answered(index, answer)
    }
  }

  private func one(_ exchange: Exchange) throws(Failure) -> HTTPResponse {
    guard !isDead else { throw Failure(.interrupted) }
    let parts = URLComponents(string: exchange.url)
    let path = parts?.path ?? ""
    let key = "\(exchange.method) \(path.hasPrefix("/upload") ? "/upload" : path)"
    let before = counts[key, default: 0]
    counts[key] = before + 1
    var body = ""
    if case .bytes(let bytes) = exchange.body { body = String(decoding: bytes, as: UTF8.self) }
    seen.append(
      Seen(
        method: exchange.method, path: path, url: exchange.url,
        authorization: exchange.fields.first { $0.name == "Authorization" }?.value, body: body))
    let lost = Failure(.transfer(.ask, .cutOff(received: 0, expected: nil)), "https://stand-in")
    let fault = fault(exchange.method, path, before)
    switch fault {
    case .dropBefore: throw lost
    case .killBefore:
      isDead = true
      throw Failure(.interrupted)
    case .killAndDelay:
      isDead = true
      delayed = { [unowned self] in respond(exchange, path, parts?.queryItems ?? [], body) }
      throw Failure(.interrupted)
    case .answer(let status, let text, let fields): return answer(status, text, fields)
    default: break
    }
    let answer = respond(exchange, path, parts?.queryItems ?? [], body)
    switch fault {
    case .dropAfter: throw lost
    case .answerAfter(let status, let text): return self.answer(status, text)
    case .killAfter:
      isDead = true
      throw Failure(.interrupted)
    default: return answer
    }
  }

  private func answer(_ status: Int, _ text: String, _ fields: [(String, String)] = [])
    -> HTTPResponse
  {
    var head = AnswerHead()
    head.status = status
    head.fields = fields.map { ($0.0.lowercased(), $0.1) }
    let wait = head["retry-after"].flatMap { Int64($0) }.map { Duration.seconds($0) }
    return HTTPResponse(head: head, body: Array(text.utf8), wait: wait, date: date)
  }

  static func error(_ status: Int, _ code: String, _ detail: String, _ pointer: String = "/data")
    -> String
  {
    """
    {"errors":[{"status":"\(status)","code":"\(code)","title":"T","detail":"\(detail)",\
    "source":{"pointer":"\(pointer)"}}]}
    """
  }

  private func refuse(_ status: Int, _ code: String, _ detail: String = "No.") -> HTTPResponse {
    answer(status, Self.error(status, code, detail))
  }

  // MARK: What is asked for

  private func respond(
    _ exchange: Exchange, _ path: String, _ query: [URLQueryItem], _ body: String
  ) -> HTTPResponse {
    let words = path.split(separator: "/").map(String.init)
    if words.first == "upload" { return take(exchange, file: words[1], part: Int(words[2]) ?? 0) }
    let json = JSONDocument(parsing: SourceText(Array(body.utf8), named: "body"))
    let data = json.root?["data"]
    func related(_ name: String) -> String {
      data?["relationships"]?[name]?["data"]?["id"]?.string ?? ""
    }
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    switch (exchange.method, words.count, words.dropFirst().first, words.last) {
    case ("GET", 2, "apps", _):
      return list([
        #"{"type":"apps","id":"42","attributes":{"bundleId":"com.example.lantern","name":"L"}}"#
      ])
    case ("GET", 4, "apps", _):
      let name = value("filter[assetPackIdentifier]")
      let found = packs.filter { name == nil || $0.name == name }
      let start = value("cursor").flatMap { Int($0) } ?? 0
      let page = Array(found.dropFirst(start).prefix(pageSize))
      let more = start + pageSize < found.count
      return list(
        page.map(text), included: page.compactMap { $0.internalVersion }.map(text(ofVersion:)),
        next: more ? "https://stand-in\(path)?cursor=\(start + pageSize)" : nil)
    case ("POST", _, "backgroundAssets", _):
      let name = data?["attributes"]?["assetPackIdentifier"]?.string ?? ""
      guard !packs.contains(where: { $0.name == name }) else {
        return refuse(409, "ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE", "has already been used")
      }
      packs.append(Pack(id: newID(), name: name))
      return one(text(packs[packs.count - 1]))
    case ("PATCH", _, "backgroundAssets", _):
      guard let index = packs.firstIndex(where: { $0.id == words[2] }) else {
        return refuse(404, "NOT_FOUND")
      }
      packs[index].isArchived = true
      return one(text(packs[index]))
    case ("GET", 4, "backgroundAssets", "versions"):
      let state = value("filter[state]")
      let number = value("filter[version]")
      let found = versions.filter {
        $0.pack == words[2] && (state == nil || $0.state == state)
          && (number == nil || "\($0.number)" == number)
      }
      return list(
        found.reversed().map { text(ofVersion: $0.id) },
        included: found.flatMap { included(with: $0) })
    case ("POST", _, "backgroundAssetVersions", _):
      let pack = related("backgroundAsset")
      guard packs.first(where: { $0.id == pack })?.isArchived == false else {
        return refuse(409, "STATE_ERROR")
      }
      let number = (versions.filter { $0.pack == pack }.map(\.number).max() ?? 0) + 1
      versions.append(Version(id: newID(), pack: pack, number: number))
      return one(text(ofVersion: versions[versions.count - 1].id))
    case ("GET", 3, "backgroundAssetVersions", _):
      guard let version = versions.first(where: { $0.id == words[2] }) else {
        return refuse(404, "NOT_FOUND")
      }
      return one(text(ofVersion: words[2]), included: included(with: version))
    case ("GET", 4, "backgroundAssetVersions", _):
      return list(files.filter { $0.version == words[2] }.map(text))
    case ("POST", _, "backgroundAssetUploadFiles", _):
      let version = related("backgroundAssetVersion")
      let kind = data?["attributes"]?["assetType"]?.string ?? ""
      let size = data?["attributes"]?["fileSize"]?.number.flatMap { Int($0) } ?? 0
      guard versions.first(where: { $0.id == version })?.state == "AWAITING_UPLOAD",
        !files.contains(where: { $0.version == version && $0.kind == kind })
      else { return refuse(409, "STATE_ERROR") }
      files.append(File(id: newID(), version: version, kind: kind, size: size))
      return one(text(files[files.count - 1]))
    case ("GET", 3, "backgroundAssetUploadFiles", _):
      guard let file = files.first(where: { $0.id == words[2] }) else {
        return refuse(404, "NOT_FOUND")
      }
      return one(text(file))
    case ("PATCH", _, "backgroundAssetUploadFiles", _):
      return commit(words[2], data)
    case ("POST", _, "reviewSubmissions", _):
      return one(
        #"{"type":"reviewSubmissions","id":"s1","attributes":{"state":"READY_FOR_REVIEW"}}"#)
    case ("POST", _, "reviewSubmissionItems", _):
      return one(#"{"type":"reviewSubmissionItems","id":"i1","attributes":{}}"#)
    case ("PATCH", _, "reviewSubmissions", _):
      return one(
        #"{"type":"reviewSubmissions","id":"s1","attributes":{"state":"WAITING_FOR_REVIEW"}}"#)
    default: return refuse(404, "NOT_FOUND", "\(exchange.method) \(path)")
    }
  }

  private func take(_ exchange: Exchange, file id: String, part: Int) -> HTTPResponse {
    beforePart()
    guard let index = files.firstIndex(where: { $0.id == id }),
      files[index].state == "AWAITING_UPLOAD"
    else { return answer(403, "<Error/>") }
    guard case .part(let source, let range) = exchange.body else {
      // The manifest, which is sent from memory.
      if case .bytes(let bytes) = exchange.body { files[index].parts[part] = bytes }
      puts.append(part)
      return answer(200, "")
    }
    var bytes = (try? source.bytes(of: range, .unstoppable)) ?? []
    let sent = Self.md5(bytes)
    afterPart()
    damage(part, puts.count { $0 == part }, &bytes)
    puts.append(part)
    files[index].parts[part] = bytes
    let tag = tag(hexadecimal(Self.md5(bytes)))
    var head = AnswerHead()
    head.status = 200
    head.fields = tag.map { [("etag", $0)] } ?? []
    return HTTPResponse(head: head, body: [], sentMD5: sent)
  }

  private static func md5(_ bytes: [UInt8]) -> [UInt8] {
    guard var digest = try? Digest(.md5) else { return [] }
    bytes.withRawSpan { digest.update($0) }
    return digest.finish()
  }

  private func commit(_ id: String, _ data: JSONNode?) -> HTTPResponse {
    guard let index = files.firstIndex(where: { $0.id == id }) else {
      return refuse(404, "NOT_FOUND")
    }
    if data?["attributes"]?["sourceFileChecksums"] != nil {
      return answer(
        409,
        Self.error(
          409, "ENTITY_ERROR.ATTRIBUTE.INVALID", "is not a valid value",
          "/data/attributes/sourceFileChecksums"))
    }
    guard files[index].state == "AWAITING_UPLOAD" else {
      return refuse(409, "STATE_ERROR.INVALID_STATE")
    }
    guard files[index].parts.count == ranges(files[index].size).count else {
      return refuse(409, "ENTITY_ERROR.CONTENT_NOT_UPLOADED", "bytes are missing")
    }
    commits += 1
    files[index].state = commitState
    committed(files[index].version)
    if files[index].kind == "ASSET",
      let version = versions.firstIndex(where: { $0.id == files[index].version })
    {
      versions[version].state = "PROCESSING"
      accepted(files[index].version)
    }
    return one(text(files[index]))
  }

  /// Ends the processing of a version.
  func process(_ id: String, fails: Bool = false) {
    guard let index = versions.firstIndex(where: { $0.id == id }) else { return }
    versions[index].state = fails ? "FAILED" : "COMPLETE"
    guard !fails else { return }
    versions[index].internalState = "READY_FOR_TESTING"
    if let pack = packs.firstIndex(where: { $0.id == versions[index].pack }) {
      packs[pack].internalVersion = id
    }
  }

  /// The bytes of a version's archive.
  func bytes(ofVersion number: Int) -> [UInt8] {
    guard let version = versions.first(where: { $0.number == number }),
      let file = files.first(where: { $0.version == version.id && $0.kind == "ASSET" })
    else { return [] }
    return file.parts.keys.sorted().flatMap { file.parts[$0] ?? [] }
  }

  // MARK: As texts

  func ranges(_ size: Int) -> [(Int, Int)] {
    var found: [(Int, Int)] = []
    var start = 0
    while start < size {
      let wanted = isUneven ? partSize / (found.count % 3 + 1) : partSize
      found.append((start, min(size - start, wanted)))
      start += found[found.count - 1].1
    }
    return found
  }

  private func one(_ text: String, included: [String] = []) -> HTTPResponse {
    answer(
      200, #"{"data":\#(text),"included":[\#(included.joined(separator: ","))],"links":{}}"#,
      [("X-Rate-Limit", "user-hour-lim:3500;user-hour-rem:500;")])
  }

  private func list(_ texts: [String], included: [String] = [], next: String? = nil) -> HTTPResponse
  {
    let links = next.map { #"{"next":"\#($0)"}"# } ?? "{}"
    let data = texts.joined(separator: ",")
    return answer(
      200,
      #"{"data":[\#(data)],"included":[\#(included.joined(separator: ","))],"links":\#(links)}"#)
  }

  private func text(_ pack: Pack) -> String {
    let version =
      pack.internalVersion.map { #"{"type":"backgroundAssetVersions","id":"\#($0)"}"# } ?? "null"
    return """
      {"type":"backgroundAssets","id":"\(pack.id)","attributes":{"assetPackIdentifier":\
      "\(pack.name)","archived":\(pack.isArchived),"usedBytes":1000\(additions)},\
      "relationships":{"internalBetaVersion":{"data":\(version)}}}
      """
  }

  private func text(ofVersion id: String) -> String {
    guard let version = versions.first(where: { $0.id == id }) else { return "null" }
    func list(_ items: [(String, String)]) -> String {
      items.map { #"{"code":"\#($0.0)","description":"\#($0.1)"}"# }.joined(separator: ",")
    }
    let release =
      version.internalState == nil
      ? "null" : #"{"type":"backgroundAssetVersionInternalBetaReleases","id":"r\#(id)"}"#
    let file =
      assetFile(of: id).map { #"{"type":"backgroundAssetUploadFiles","id":"\#($0.id)"}"# } ?? "null"
    return """
      {"type":"backgroundAssetVersions","id":"\(id)","attributes":{"version":"\(version.number)",\
      "state":"\(version.state)",\
      "platforms":null,"stateDetails":{"errors":[\(list(version.errors))],\
      "warnings":[\(list(version.warnings))]}\(additions)},\
      "relationships":{"internalBetaRelease":{"data":\(release)},"assetFile":{"data":\(file)}}}
      """
  }

  private func assetFile(of version: String) -> File? {
    files.first { $0.version == version && $0.kind == "ASSET" }
  }

  private func included(with version: Version) -> [String] {
    [release(version), assetFile(of: version.id).map { text($0) }].compactMap { $0 }
  }

  private func release(_ version: Version) -> String? {
    version.internalState.map {
      """
      {"type":"backgroundAssetVersionInternalBetaReleases","id":"r\(version.id)",\
      "attributes":{"state":"\($0)"}}
      """
    }
  }

  private func text(_ file: File) -> String {
    var operations = changeParts(ranges(file.size)).enumerated().map { number, part in
      """
      {"method":"PUT","url":"\(partScheme)://storage.example/upload/\(file.id)/\(number)?\
      Signature=s3cr3t-signature","offset":\(part.0),"length":\(part.1),"requestHeaders":\
      [{"name":"Content-Type","value":"application/octet-stream"}],"expiration":"\(expiration)"}
      """
    }
    if isShuffled { operations = operations.reversed() }
    let listed =
      file.state == "AWAITING_UPLOAD" ? "[\(operations.joined(separator: ","))]" : "null"
    let errors = file.errors.map { #"{"code":"\#($0.0)","description":"\#($0.1)"}"# }
    return """
      {"type":"backgroundAssetUploadFiles","id":"\(file.id)","attributes":{"assetType":\
      "\(file.kind)","fileName":"x","fileSize":\(file.size),"assetDeliveryState":{"state":\
      "\(file.state)","errors":[\(errors.joined(separator: ","))],"warnings":null},\
      "uploadOperations":\(listed)\(additions)}}
      """
  }
}
