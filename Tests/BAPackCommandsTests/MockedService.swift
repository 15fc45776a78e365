import AppStoreMock
import Arguments
import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport

@testable import BAPackCommands

/// The mock of App Store Connect on loopback over TLS, and a folder with packs and all that a machine
/// has which uploads to it.
final class MockedService: Sendable {
  static let app = "1234567890"
  static let bundleID = "com.example.lantern"

  let mock: AppStoreMock
  let folder: TemporaryFolder
  let environment: [String: String]
  let secret: String
  private let servers: [HTTPServer]

  init(
    faults: [String] = [], platforms: [String] = ["IOS", "MAC_OS", "TV_OS", "VISION_OS"],
    _ change: (inout Switches) -> Void = { _ in }
  ) throws {
    let folder = try TemporaryFolder()
    let now = Moment.now
    let authority = try Authority.make(called: "Tests", at: now)
    let key = try PrivateKey.make()
    let keys = MockKeys(key)
    let api = try Listener()
    let store = try Listener()
    let ports = [api.address.port, store.address.port]
    var options = AppStoreMock.Options(
      apps: [
        App(id: Self.app, bundleID: Self.bundleID, name: "Lantern", platforms: platforms)
      ], seed: "commands", base: "https://127.0.0.1:\(ports[0])",
      storage: "https://localhost:\(ports[1])")
    options.switches.processingSeconds = 0
    options.switches.partSize = 20_000
    options.faults = try faults.map { try MockFault(parsing: $0) }
    change(&options.switches)
    let mock = try AppStoreMock(options, keys: keys)
    let context = try TLSContext { name, address throws(Failure) in
      let asked = name.flatMap { HostName($0) } ?? HostName(address.hostText)
      guard let host = asked else { throw .malformed("no host") }
      return try authority.leaf(for: host, at: now)
    }
    let first = try HTTPServer(api, tls: context, mock.interface)
    let second = try HTTPServer(store, tls: context, mock.storage)
    servers = [first, second]
    for server in servers { try server.start() }
    try folder.makeFile("ca.pem", try authority.root.pem())
    let pem = try key.pem()
    try folder.makeFile("AuthKey_\(keys.teamKeyID).p8", pem)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600],
      ofItemAtPath: folder.path("AuthKey_\(keys.teamKeyID).p8"))
    secret = String(
      String(decoding: pem, as: UTF8.self).split(separator: "\n").dropFirst().first ?? "?")
    environment = [
      "ASC_API_URL": "https://127.0.0.1:\(ports[0])", "ASC_CA_FILE": folder.path("ca.pem"),
      "ASC_KEY_ID": keys.teamKeyID, "ASC_ISSUER_ID": keys.issuer,
      "ASC_KEY_PATH": folder.path("AuthKey_\(keys.teamKeyID).p8"), "HOME": folder.path,
      "XDG_STATE_HOME": folder.path("state"),
    ]
    self.mock = mock
    self.folder = folder
  }

  deinit { for server in servers { server.stop() } }

  /// Makes a pack of a file with so many bytes; gives its path.
  @discardableResult
  func pack(_ id: String, _ size: Int = 50_000, seed: UInt8 = 1, extra: String = "") throws
    -> String
  {
    try folder.makeFile("\(id).dat", Self.bytes(size, seed: seed))
    try folder.makeFile(
      "\(id).json",
      """
      {"assetPackID": "\(id)", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS", "macOS"],
       "fileSelectors": [{"file": "\(id).dat"}]\(extra)}
      """)
    let path = folder.path("\(id).aar")
    let run = Captured(
      "pack", folder.path("\(id).json"), "--source-root", folder.path, "-o", path, "--force")
    guard run.ending == .status(.done) else { throw Refused(messages: run.messages) }
    return path
  }

  struct Refused: Error { let messages: String }

  /// Bytes that no codec makes smaller.
  static func bytes(_ count: Int, seed: UInt8) -> [UInt8] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
  }

  func run(
    _ words: String..., input: String? = nil, terminal: Bool = false,
    changing: [String: String] = [:]
  ) -> Captured {
    Captured(
      words + ["--app", Self.bundleID], input: input, columns: 100, terminal: terminal,
      environment: environment.merging(changing) { $1 })
  }
}
