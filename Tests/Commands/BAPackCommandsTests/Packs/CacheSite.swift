import BlockSharing
import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport

/// A server of shared blocks on loopback: it stores uploaded blocks, and injects the faults of a
/// test.
final class CacheSite: Sendable {
  let server: HTTPServer
  /// The certificate of the issuer in PEM form; empty without TLS.
  let certificate: [UInt8]
  let requests = Noted<Request>()
  private let kept = Guarded<[String: [UInt8]]>([:])

  /// Sends the response of such a server, or the response that `fault` returns.
  init(
    secure isSecure: Bool = false,
    _ fault: @escaping @Sendable (Request, CacheSite) -> Response? = { _, _ in nil }
  ) throws {
    let now = Moment.now
    let authority = isSecure ? try Authority.make(called: "Tests", at: now) : nil
    let context = try authority.map { authority in
      try TLSContext { name, address throws(Failure) in
        guard let host = name.flatMap({ HostName($0) }) ?? HostName(address.hostText) else {
          throw .malformed("no host")
        }
        return try authority.leaf(for: host, at: now)
      }
    }
    certificate = try authority?.root.pem() ?? []
    let site = Late()
    server = try HTTPServer(
      try Listener(), tls: context,
      HTTPServer.Handler(bodyLimit: { $0["content-length"] == nil ? nil : 8 << 20 }) { request in
        site.site?.respond(request, fault) ?? Response(503)
      })
    site.site = self
    try server.start()
  }

  deinit { server.stop() }

  /// The site, which is created after its server.
  private final class Late: @unchecked Sendable { weak var site: CacheSite? }

  private func respond(
    _ request: Request, _ fault: (Request, CacheSite) -> Response?
  ) -> Response {
    requests.add(request)
    if let other = fault(request, self) { return other }
    let name = request.head.pathText
    switch request.head.method {
    case "PUT":
      kept.with { $0[name] = request.body }
      return Response(201)
    case "GET":
      return kept.with { $0[name] }.map { Response(200, body: .bytes($0)) } ?? Response(404)
    default: return Response(405)
    }
  }

  var url: String { "http\(certificate.isEmpty ? "" : "s")://127.0.0.1:\(server.address.port)" }

  /// The stored blocks by path.
  var entries: [String: [UInt8]] {
    get { kept.with { $0 } }
    set { kept.with { $0 = newValue } }
  }

  /// Returns the number of requests with this method.
  func count(_ method: String) -> Int { requests.all.count { $0.head.method == method } }
}

/// A pack of some blocks that a test packs several times.
struct CachedGame: ~Copyable {
  let folder: TemporaryFolder
  /// The archive that is written without any cache.
  let plain: Data

  init(size: Int = 80_000) throws {
    let folder = try TemporaryFolder()
    var seeded = Seeded(seed: 5)
    try folder.makeFile("Art/a.bin", seeded.text(size))
    try folder.makeFile(
      "m.json",
      """
      {"assetPackID": "Tutorial", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": ".", "fileSelectors": [{"directory": "Art"}]}
      """)
    let plain = try Self.pack(folder, []).archive()
    self.plain = plain
    self.folder = folder
  }

  struct Run {
    let console: Captured
    let path: String

    var messages: String { console.messages }

    func archive() throws -> Data { try Data(contentsOf: URL(filePath: path)) }
  }

  func pack(_ arguments: String..., environment: [String: String] = [:]) -> Run {
    Self.pack(folder, arguments, environment)
  }

  func pack(_ arguments: [String]) -> Run { Self.pack(folder, arguments) }

  private static func pack(
    _ folder: borrowing TemporaryFolder, _ arguments: [String],
    _ environment: [String: String] = [:]
  ) -> Run {
    let path = folder.path("x.aar")
    try? FileManager.default.removeItem(atPath: path)
    let console = SharedCache.Options.$standardPatience.withValue(.seconds(600)) {
      Captured(
        [
          "pack", folder.path("m.json"), "-o", path, "--block-size", "16K", "--threads", "2",
          "--compression", "zlib",
        ] + arguments, environment: environment)
    }
    return Run(console: console, path: path)
  }
}
