package import BAPackKit
import BlockCodecs
import Faults
import FoundationEssentials
import SourceDiagnostics
package import SystemIO
import TerminalText
package import Transfers

/// A client that sends the requests of a device to a server and stores downloaded packs in a
/// folder.
///
/// Only a complete archive has the final name of a pack. The received bytes of a failed download
/// are kept in a separate file, and the next download resumes there.
///
/// An injected fault of the server, and a connection that ends without a response, make the
/// download fail, as the same fault in a scenario does. After other transient failures, the client
/// repeats the request and reports each retry.
package final class RemoteServer: Sendable {
  /// Options of requests to a server.
  package struct Options: Sendable {
    /// Additional trusted certificates in PEM format.
    package var roots: [[UInt8]] = []
    /// The maximum memory for one block of a pack, in bytes.
    package var memory = PackReader.defaultMemory
    /// The number of threads that decode a downloaded pack.
    package var threads = 1
    /// The delays before retries.
    package var backoff = Backoff(
      first: .milliseconds(500), longest: .seconds(30), attempts: 4, patience: .seconds(120))
    /// The longest time for which a connection may be slower than ``slowest``.
    package var stallTime: Duration = .seconds(30)
    /// The lowest speed of a connection, in bytes per second.
    package var slowest = 100
    /// The longest time of a download, including retries; see ``manifestTime`` for a manifest.
    package var timeout: Duration = .seconds(3600)
    /// The longest time of a manifest request.
    package var manifestTime: Duration = .seconds(60)
    /// Whether addresses without encryption are allowed, for tests.
    package var allowsHTTP = false
    /// Called before the delay of each retry.
    package var retried: @Sendable (Retry) -> Void = { _ in }

    package init() {}
  }

  private let folder: String
  private let options: Options
  private let work: Work
  private let transfers: Pool<Transfers>
  /// The packs that were downloaded in this run, by archive path.
  private let delivered = Guarded<[String: ReleasedPack]>([:])

  /// The addresses and validators of failed downloads, by the path of the received bytes.
  private let unfinished = Guarded<[String: (address: String, validator: String)]>([:])

  /// The user names and passwords of the addresses of manifests, by scheme, host and port.
  ///
  /// A server can require them for its packs, too. Another server does not get them.
  private let users = Guarded<[String: String]>([:])

  /// Creates a client that keeps packs in an existing folder.
  package init(keepingIn folder: String, _ options: Options = Options(), _ work: Work) {
    self.folder = folder
    self.options = options
    self.work = work
    transfers = Pool { () throws(Failure) in try Transfers(Self.settings(options)) }
  }

  /// Whether a source is an address rather than a path.
  package static func isAddress(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return ["https:", "http:"].contains { lowered.hasPrefix($0) }
  }

  /// Returns the address of the manifest.
  ///
  /// An address with a path is unchanged. Without a path, it is `/manifest` with the platform, like
  /// the request of a device with an override.
  package static func manifestAddress(
    _ text: String, for platform: Platform
  ) throws(PackError) -> String {
    guard var parts = URLComponents(string: text, encodingInvalidCharacters: false),
      parts.host?.isEmpty == false
    else {
      throw PackError(
        .invalidValue, "'\(publicAddress(text))' is not an address",
        remedy: "write it as https://192.168.1.10:8443")
    }
    guard parts.percentEncodedPath.isEmpty || parts.percentEncodedPath.utf8.elementsEqual([slash])
    else { return text }
    parts.percentEncodedPath = "/manifest"
    parts.percentEncodedQuery = "platform=\(platform.rawValue)"
    parts.fragment = nil
    return parts.string ?? text
  }

  private static func settings(_ options: Options) -> Transfers.Options {
    var settings = Transfers.Options()
    settings.roots = options.roots
    settings.allowsHTTP = options.allowsHTTP
    settings.stallTime = options.stallTime
    settings.slowest = options.slowest
    settings.backoff = options.backoff
    settings.retried = options.retried
    settings.mayRepeat = { $0.map { $0[DownloadFault.fieldName] == nil } ?? false }
    return settings
  }

  /// Requests the manifest.
  package func release(
    _ address: String, for platform: Platform
  ) -> Result<Release, ReleaseFailure> {
    do throws(PackError) {
      let url = try Self.manifestAddress(address, for: platform)
      if let user = Self.user(of: url) { users.with { $0[user.origin] = user.text } }
      var request = Exchange("GET", url)
      request.responseLimit = JSONLimits().size
      request.followsRedirects = true
      request.deadline = .now + min(options.manifestTime, options.timeout)
      let response = try mapFailure(.connecting) { () throws(Failure) in
        try transfers.with { (transfers) throws(Failure) in
          try transfers.exchange(request, work)
        }
      }
      guard response.isSuccess else {
        return .failure(
          ReleaseFailure(
            "the server responded with \(response.status) to the manifest request"))
      }
      guard try Self.isIntact(response) else {
        return .failure(
          ReleaseFailure(
            "the manifest is damaged: its SHA-256 digest differs from the one that the server sent")
        )
      }
      let document = DownloadManifestDocument(
        parsing: response.body, named: url, allowingHTTP: options.allowsHTTP)
      if let error = document.findings.first(where: { $0.severity == .error }) {
        return .failure(ReleaseFailure("the response is not a manifest: \(error.message)"))
      }
      return .success(
        Release(
          publicAddress(address), try ReleaseReader.packs(of: document.packs, []),
          // Only a request in the form of a device with an override has a changed address.
          rules: url == address ? [] : [.override]))
    } catch {
      return .failure(ReleaseFailure(error))
    }
  }

  /// Returns whether a manifest has the digest that the server sent.
  private static func isIntact(_ response: HTTPResponse) throws(PackError) -> Bool {
    guard let stated = sha256(stated: response.head.digest) else { return true }
    return try mapFailure(.connecting) { () throws(Failure) in
      try BlockCodecs.sha256(of: response.body) == stated
    }
  }

  /// Returns the SHA-256 digest in a `Repr-Digest` field; nil if it contains none.
  static func sha256(stated text: String?) -> [UInt8]? {
    let members = text?.split(separator: ",") ?? []
    for member in members {
      let member = member.filter { $0 != " " && $0 != "\t" }
      guard member.hasPrefix("sha-256=:"), member.hasSuffix(":"), member.count > 9 else { continue }
      guard let data = Data(base64Encoded: String(member.dropFirst(9).dropLast())),
        data.count == 32
      else { return nil }
      return Array(data)
    }
    return nil
  }

  /// Returns a pack with its files; downloads it, unless this run already did.
  package func inspect(_ pack: ReleasedPack) -> Result<ReleasedPack, ReleaseFailure> {
    let path = Self.place(of: pack, in: folder)
    if let known = delivered.with({ $0[path] }),
      known.offered.size.download == pack.offered.size.download
    {
      return .success(known)
    }
    return download(pack)
  }

  /// Downloads a pack and verifies it completely.
  ///
  /// An earlier download of the same run is discarded, because a device downloads only packs that
  /// it does not have.
  package func download(_ pack: ReleasedPack) -> Result<ReleasedPack, ReleaseFailure> {
    let path = Self.place(of: pack, in: folder)
    if delivered.with({ $0.removeValue(forKey: path) }) != nil { Self.remove(path) }
    do throws(PackError) {
      let received = try mapFailure(.connecting) { () throws(Failure) in
        try transfers.with { (transfers) throws(Failure) in
          try receive(pack, to: path, transfers)
        }
      }
      do throws(PackError) {
        var pack = pack.with(try verified(path, received, as: pack))
        pack.place = path
        delivered.with { [pack] in $0[path] = pack }
        return .success(pack)
      } catch {
        Self.remove(path)
        var error = error
        // The address is familiar to the user, and the local path is not.
        error.message = error.message.replacingBytes(
          of: "'\(path)'", with: "'\(publicAddress(pack.place))'")
        throw error
      }
    } catch {
      return .failure(ReleaseFailure(error))
    }
  }

  /// Receives an archive, after the bytes of a failed download if the server still has the same
  /// file.
  private func receive(
    _ pack: ReleasedPack, to path: String, _ transfers: Transfers
  ) throws(Failure) -> Received {
    let address = addressWithUser(pack.place)
    let part = Self.part(of: path)
    let file = try FileDescriptor.open(part, for: .locking)
    var start: PartialContent?
    if let known = unfinished.with({ $0[part] }), known.address == address {
      start = PartialContent(size: try file.status().size, validator: known.validator)
    } else {
      try file.truncate(to: 0)
    }
    var expected = ExpectedFile(size: pack.offered.size.download)
    expected.deadline = .now + options.timeout
    let received = try transfers.get(
      address, into: file, after: start, expecting: expected,
      noted: { [unfinished] validator in
        unfinished.with { $0[part] = validator.map { (address: address, validator: $0) } }
      }, work)
    unfinished.with { $0[part] = nil }
    try FileDescriptor.open(folder, for: .directory).rename(
      FilePath(part).name, to: FilePath(path).name, replacing: true, shown: path)
    return received
  }

  /// Returns the origin of an address and its percent-encoded user name and password, if it has
  /// them.
  private static func user(of address: String) -> (origin: String, text: String)? {
    guard let origin = WebAddress(address)?.origin, let parts = URLComponents(string: address),
      let name = parts.percentEncodedUser
    else { return nil }
    return (origin, parts.percentEncodedPassword.map { "\(name):\($0)" } ?? name)
  }

  /// Returns the address of a pack with the user name and the password of the manifest, if both
  /// have the same origin and the address has none.
  private func addressWithUser(_ address: String) -> String {
    guard let parsed = WebAddress(address), !parsed.hasUser,
      let user = users.with({ $0[parsed.origin] }),
      let scheme = address.firstRange(of: "://")
    else { return address }
    return "\(address[..<scheme.upperBound])\(user)@\(address[scheme.upperBound...])"
  }

  /// Verifies a downloaded archive and returns its outline.
  ///
  /// It throws if the archive is damaged or contains another pack.
  private func verified(
    _ path: String, _ received: Received, as pack: ReleasedPack
  ) throws(PackError) -> PackOutline {
    if let stated = Self.sha256(stated: received.statedDigest), stated != received.sha256 {
      throw PackError(
        .malformed(offset: nil),
        "the archive is damaged: its SHA-256 digest differs from the one that the server sent")
    }
    let outline = try PackOutline(reading: path, memory: options.memory, work)
    guard outline.id == pack.id else {
      throw PackError(
        .conflict, "the archive contains the pack '\(outline.id)'",
        remedy: "publish the correct archive at this address")
    }
    var verification = Verification()
    verification.memory = options.memory
    verification.threads = options.threads
    let report = try verification.verify(path, work)
    if let error = report.findings.first(where: { $0.severity == .error }) {
      throw PackError(.malformed(offset: nil), "the archive is damaged: \(error.message)")
    }
    return outline
  }
}

extension RemoteServer {
  /// Returns the path of a pack's archive, which is unique for each pack and version.
  static func place(of pack: ReleasedPack, in folder: String) -> String {
    let id = Array(pack.id.text.utf8)
    // File names have a maximum length; a digest replaces the rest of a long ID.
    var name = hexadecimal(id.prefix(longestID))
    if id.count > longestID { name += "-" + String(fingerprint(of: id), radix: 16) }
    return FilePath(folder).appending(FilePath("pack-\(name)-\(pack.version).aar")).text
  }

  private static let longestID = 64

  private static func remove(_ path: String) {
    guard let folder = try? FileDescriptor.open(FilePath(path).folder.text, for: .directory) else {
      return
    }
    for name in [path, part(of: path)] { folder.removeQuietly(FilePath(name).name) }
  }

  /// Returns the path of the received bytes of an incomplete archive.
  private static func part(of path: String) -> String { path + ".part" }
}

extension ReleaseFailure {
  /// Creates a failure with the error and its remedy.
  package init(_ error: PackError) {
    self.init(
      ([error.message] + error.remedies.prefix(1).map(\.description)).joined(separator: "; "))
  }
}

extension ReleaseSource {
  /// Creates a source of releases of which some are on servers; `addresses` contains their
  /// addresses, by release number.
  package init(
    _ releases: [Release], addresses: [Int: String], server: RemoteServer,
    memory: UInt64 = PackReader.defaultMemory, _ work: Work
  ) {
    let local = ReleaseSource(local: releases, memory: memory, work)
    self.init(
      manifest: { number, platform in
        addresses[number].map { server.release($0, for: platform) }
          ?? local.manifest(number, platform)
      },
      download: { pack in
        RemoteServer.isAddress(pack.place) ? server.download(pack) : local.download(pack)
      },
      inspect: { pack in
        RemoteServer.isAddress(pack.place) ? server.inspect(pack) : local.download(pack)
      }, digests: local.digests)
  }
}
