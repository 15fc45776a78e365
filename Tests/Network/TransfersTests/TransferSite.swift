import AssetServer
import BAPackKit
import BlockCodecs
import Faults
import Foundation
import HTTPServer
import SystemIO
import TerminalText
import TestSupport
import Testing
import Transfers

@testable import TLSIdentity

/// A server of one pack on the loopback interface, with TLS and a separate certificate authority.
final class TransferSite: @unchecked Sendable {
  let folder: TemporaryFolder
  let authority: Authority
  let server: HTTPServer
  let packs: AssetServer
  let events = Noted<RequestEvent>()
  let isSecure: Bool
  /// A certificate that issued itself, with 'localhost' as its common name.
  let nameless: Identity

  /// The validity of the server's certificate.
  enum Proof {
    case good
    case expired
    case notYetValid
    case forOtherHost
    /// The host is the common name, and there are no alternative names.
    case withoutNames
  }

  init(
    _ faults: String..., size: Int = 300_000, secure isSecure: Bool = true, proof: Proof = .good
  ) throws {
    let folder = try TemporaryFolder()
    let now = Moment.now
    let authority = try Authority.make(called: "Tests", at: now.adding(years: -3))
    let nameless = try Self.nameless(at: now)
    let context = try TLSContext { name, address throws(Failure) in
      let asked = name.flatMap { HostName($0) } ?? HostName(address.hostText)
      guard let host = asked else { throw .malformed("no host") }
      switch proof {
      case .good: return try authority.leaf(for: host, at: now)
      case .expired: return try authority.leaf(for: host, at: now.adding(years: -3))
      case .notYetValid: return try authority.leaf(for: host, at: now.adding(years: 1))
      case .forOtherHost:
        guard let other = HostName("other.local") else { throw .malformed("no host") }
        return try authority.leaf(for: other, at: now)
      case .withoutNames: return nameless
      }
    }
    let board = LiveFaults(try faults.map { try DownloadFault(parsing: $0) })
    let listener = try Listener()
    let events = events
    let packs = AssetServer(Catalogue(), switches: board, port: listener.address.port) {
      events.add($0)
    }
    let server = try HTTPServer(listener, tls: isSecure ? context : nil, packs.handler)
    try server.start()
    self.folder = folder
    self.authority = authority
    self.nameless = nameless
    self.packs = packs
    self.server = server
    self.isSecure = isSecure
    try publish(Self.bytes(size, seed: 1))
  }

  deinit { server.stop() }

  private static func nameless(at now: Moment) throws(Failure) -> Identity {
    let key = try PrivateKey.make()
    var draft = try CertificateDraft(of: key)
    try draft.setPeriod(from: now.adding(years: -1), to: now.adding(years: 1))
    try draft.setName("localhost")
    try draft.setIssuer(nil)
    return Identity(certificate: try draft.signed(by: key), chain: [], key: key)
  }

  /// Replaces the file that the server has under the ID.
  func publish(_ bytes: [UInt8]) throws {
    let name = UUID().uuidString
    try folder.makeFile(name, bytes)
    let document = ManifestDocument(
      parsing: Array(
        """
        {"assetPackID": "cave", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "fileSelectors": [{"file": "a"}]}
        """.utf8), named: "m")
    let archive = PublishedArchive(
      path: folder.path(name), manifest: try #require(document.manifest), size: UInt64(bytes.count),
      installedSize: 1, sha256: hexadecimal(try Self.sha256(bytes)))
    let file = try PackFile(ByteSource(FileDescriptor.open(folder.path(name), for: .reading)))
    _ = packs.catalogue.add(archive, file, version: nil)
  }

  /// The ended requests.
  var ended: [RequestEvent] { events.all.filter { $0.outcome != nil } }

  var port: UInt16 { server.address.port }
  var url: String { url("cave") }

  func url(_ id: String, host: String = "127.0.0.1") -> String {
    "\(isSecure ? "https" : "http")://\(host):\(port)/assetpacks/\(id)"
  }

  /// Options that trust the server, have short pauses, and are not affected by a busy machine.
  func options() throws -> Transfers.Options {
    var options = Transfers.Options()
    options.roots = [try authority.root.pem()]
    options.allowsHTTP = !isSecure
    options.stallTime = .seconds(600)
    options.backoff.first = .milliseconds(2)
    options.backoff.shortest = .milliseconds(1)
    return options
  }

  func transfers(_ change: (inout Transfers.Options) -> Void = { _ in }) throws -> Transfers {
    var options = try options()
    change(&options)
    return try Transfers(options)
  }

  /// The path of the downloaded file.
  var target: String { folder.path("downloaded.aar") }

  /// The bytes of the downloaded file; nil if it does not exist.
  var downloaded: [UInt8]? { try? folder.contents("downloaded.aar") }

  /// The names in the folder of the target, without the packs of the server.
  func others() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { UUID(uuidString: $0) == nil && $0 != "downloaded.aar" }
  }

  static func bytes(_ count: Int, seed: Int) -> [UInt8] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return generatedBytes(count) { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  static func sha256(_ bytes: [UInt8]) throws -> [UInt8] {
    var digest = try Digest(.sha256)
    bytes.withRawSpan { digest.update($0) }
    return digest.finish()
  }
}

extension Moment {
  func adding(years: Int64) -> Moment { Moment(seconds: seconds + years * 365 * 86_400) }
}

extension Transfers {
  /// Downloads a file atomically.
  func get(
    _ url: String, to path: String, replacing isReplacing: Bool = false,
    fields: [HeaderField] = [], expecting expectation: ExpectedFile = ExpectedFile(),
    _ work: Work
  ) throws(Failure) -> Received {
    let file = try AtomicFile(path, replacing: isReplacing)
    let received = try get(
      url, into: file.descriptor, fields: fields, expecting: expectation, work)
    try file.publish()
    return received
  }
}
