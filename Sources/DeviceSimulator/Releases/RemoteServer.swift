package import BAPackKit
import FoundationEssentials
import SourceDiagnostics
import SystemIO
import Transfers

/// A server that is asked as a device asks it; packs that come are kept in a folder.
///
/// Nothing half-written has the name of a pack. What had come when a download failed, or when the run
/// was killed, is kept beside it, and the next download goes on there.
package final class RemoteServer: @unchecked Sendable {
  /// How a server is asked.
  package struct Options: Sendable {
    /// Certificates in PEM form that are trusted besides those of the system.
    package var roots: [[UInt8]] = []
    /// How much memory one block of a pack may take.
    package var memory = PackReader.defaultMemory
    /// How often and how patiently what passes by itself is tried again.
    package var attempts = 3
    /// How long a connection may bring nothing.
    package var stallTime: Duration = .seconds(30)
    /// Whether addresses without encryption are allowed, for tests.
    package var allowsHTTP = false

    package init() {}
  }

  private let folder: String
  private let options: Options
  private let lock = Lock()
  private var transfers: Transfers?

  /// Packs will be kept in the folder, which is there.
  package init(keepingIn folder: String, _ options: Options = Options()) {
    self.folder = folder
    self.options = options
  }

  /// Whether a source is an address rather than a path.
  package static func isAddress(_ text: String) -> Bool {
    let lowered = text.lowercased()
    return ["https:", "http:"].contains { lowered.hasPrefix($0) }
  }

  /// Where the manifest is: an address with a path stands as it is; without one, `/manifest` is asked for
  /// the platform, as a device with an override asks.
  package static func manifestAddress(
    _ text: String, for platform: Platform
  ) throws(PackError) -> String {
    guard var parts = URLComponents(string: text, encodingInvalidCharacters: false),
      parts.host?.isEmpty == false
    else {
      throw PackError(
        .invalidValue, "'\(text)' is not an address",
        remedy: "write it as https://192.168.1.10:8443")
    }
    guard parts.percentEncodedPath.isEmpty || parts.percentEncodedPath.utf8.elementsEqual([slash])
    else { return text }
    parts.percentEncodedPath = "/manifest"
    parts.percentEncodedQuery = "platform=\(platform.rawValue)"
    parts.fragment = nil
    return parts.string ?? text
  }

  /// An address as it may be shown and kept: without what may be a secret.
  static func named(_ text: String) -> String {
    guard var parts = URLComponents(string: text, encodingInvalidCharacters: false) else {
      return ""
    }
    (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
    return parts.string ?? ""
  }

  private func withTransfers<Success>(
    _ body: (Transfers) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try lock.with { () throws(Failure) in
      if let transfers { return try body(transfers) }
      var settings = Transfers.Options()
      settings.roots = options.roots
      settings.allowsHTTP = options.allowsHTTP
      settings.stallTime = options.stallTime
      settings.backoff.attempts = options.attempts
      settings.backoff.first = .milliseconds(200)
      let made = try Transfers(settings)
      transfers = made
      return try body(made)
    }
  }

  /// Asks for the manifest.
  package func release(
    _ address: String, for platform: Platform
  ) -> Result<Release, Trouble> {
    do throws(PackError) {
      let url = try Self.manifestAddress(address, for: platform)
      var question = Exchange("GET", url)
      question.answerLimit = JSONLimits().size
      let answer = try during(.connecting) { () throws(Failure) in
        try withTransfers { (transfers) throws(Failure) in try transfers.exchange(question) }
      }
      guard answer.isSuccess else {
        return .failure(Trouble("the server answered \(answer.status) for the manifest"))
      }
      let document = DownloadManifestDocument(
        parsing: answer.body, named: url, allowingHTTP: options.allowsHTTP)
      if let error = document.findings.first(where: { $0.severity == .error }) {
        return .failure(Trouble("what came is no manifest: \(error.message)"))
      }
      return .success(
        Release(
          Self.named(address), try ReleaseReader.packs(of: document.packs, []),
          // Only who is asked as by a device with an override has its address changed.
          rules: url == address ? [] : [.override]))
    } catch {
      return .failure(Trouble(error))
    }
  }

  /// Downloads a pack, and reads what is in it.
  package func download(_ pack: ReleasedPack) -> Result<ReleasedPack, Trouble> {
    let path = Self.place(of: pack, in: folder)
    do throws(PackError) {
      _ = try during(.connecting) { () throws(Failure) in
        try withTransfers { (transfers) throws(Failure) in
          try transfers.getKeepingPart(
            pack.place, to: path, replacing: true, keepingNote: true,
            expecting: .init(size: pack.offered.size.download))
        }
      }
      let outline: PackOutline
      do throws(PackError) {
        outline = try PackOutline(reading: path, memory: options.memory)
      } catch {
        Self.remove(path)
        var error = error
        // Who asked knows the address, and not where it was put.
        error.message = error.message.replacing("'\(path)'", with: "'\(pack.place)'")
        throw error
      }
      guard outline.id == pack.id else {
        Self.remove(path)
        return .failure(
          Trouble("the archive is the pack '\(outline.id)': publish the right one there"))
      }
      var delivered = pack.with(outline)
      delivered.place = path
      return .success(delivered)
    } catch {
      return .failure(Trouble(error))
    }
  }
}

extension RemoteServer {
  /// The path of a pack's archive: each pack and version has one of its own.
  static func place(of pack: ReleasedPack, in folder: String) -> String {
    let id = Array(pack.id.text.utf8)
    // Names of files have an end; a number stands for the rest of a long ID.
    var name = hexadecimal(Array(id.prefix(longestID)))
    if id.count > longestID { name += "-" + String(fingerprint(of: id), radix: 16) }
    return FilePath(folder).appending(FilePath("\(prefix)\(name)-\(pack.version).aar")).text
  }

  /// How the names of downloaded archives begin.
  static let prefix = "pack-"
  private static let longestID = 64

  private static func remove(_ path: String) {
    guard let folder = try? FileDescriptor.open(FilePath(path).folder.text, for: .directory) else {
      return
    }
    for name in [path] + PartialFile.names(of: path) {
      folder.removeQuietly(FilePath(name).name)
    }
  }
}

extension Trouble {
  /// What was refused, and what can be done about it.
  init(_ error: PackError) {
    self.init(
      ([error.message] + error.remedies.prefix(1).map(\.description)).joined(separator: "; "))
  }
}

extension World {
  /// A world in which releases may be on servers; `addresses` has those that are, by their numbers.
  package init(
    _ releases: [Release], addresses: [Int: String], server: RemoteServer,
    memory: UInt64 = PackReader.defaultMemory
  ) {
    let local = World(local: releases, memory: memory)
    self.init(
      manifest: { number, platform in
        addresses[number].map { server.release($0, for: platform) }
          ?? local.manifest(number, platform)
      },
      download: { pack in
        RemoteServer.isAddress(pack.place) ? server.download(pack) : local.download(pack)
      }, digests: local.digests)
  }
}

private let slash = UInt8(ascii: "/")
