import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import SystemIO
import TerminalText

/// The releases of a simulation, in local files or on servers.
struct SimulatedReleases {
  /// The releases; those on servers are empty until they are requested.
  private(set) var releases: [Release] = []
  private var addresses: [Int: String] = [:]
  /// The reasons why local releases cannot be read.
  ///
  /// A device gets no manifest of them, as of a server that does not respond.
  private var failures: [Int: ReleaseFailure] = [:]

  /// Whether the contents of all releases are local.
  var isKnown: Bool { addresses.isEmpty }
  /// The indices of the releases whose packs are unknown until they are requested.
  var unread: Set<Int> { Set(addresses.keys).union(failures.keys) }

  /// Adds a release: paths, or one address.
  mutating func add(
    _ paths: [String], reading reader: inout ReleaseReader, _ findings: inout Ledger, _ work: Work
  ) throws(PackError) {
    if let address = paths.first(where: { $0.contains("://") && !RemoteServer.isAddress($0) }) {
      throw PackError(
        .invalidValue, "'\(publicAddress(address))' has an unsupported scheme",
        remedy: "specify an address with https or http")
    }
    if let address = paths.first(where: RemoteServer.isAddress) {
      guard paths.count == 1 else {
        throw PackError(
          .conflict, "'\(publicAddress(address))' and local files are separate releases",
          remedy: "specify one of them")
      }
      _ = try RemoteServer.manifestAddress(address, for: .iOS)
      addresses[releases.count] = address
      releases.append(Release(publicAddress(address), []))
    } else {
      releases.append(try reader.read(paths, &findings, work))
    }
  }

  /// Adds a release that cannot be read.
  mutating func add(unreadable paths: [String], _ error: PackError) {
    failures[releases.count] = ReleaseFailure(error)
    releases.append(Release(paths.joined(separator: " "), []))
  }

  /// Returns the releases as a device sees them; downloads are written to the folder.
  func world(
    keepingIn folder: borrowing DownloadFolder, _ options: RemoteServer.Options,
    trusting authorities: [String], _ work: Work
  ) throws(PackError) -> ReleaseSource {
    var source = try readable(keepingIn: folder, options, trusting: authorities, work)
    if failures.isEmpty { return source }
    let manifest = source.manifest
    source.manifest = { [failures] number, platform in
      failures[number].map { .failure($0) } ?? manifest(number, platform)
    }
    return source
  }

  private func readable(
    keepingIn folder: borrowing DownloadFolder, _ options: RemoteServer.Options,
    trusting authorities: [String], _ work: Work
  ) throws(PackError) -> ReleaseSource {
    guard !isKnown else { return ReleaseSource(local: releases, memory: options.memory, work) }
    var options = options
    options.roots += try Authorities.read(authorities, work)
    return ReleaseSource(
      releases, addresses: addresses, server: RemoteServer(keepingIn: folder.path, options, work),
      memory: options.memory, work)
  }
}

extension ReleaseSource {
  /// Returns a release with its contents: packs on a server are downloaded.
  func whole(_ number: Int, for platform: Platform, _ work: Work) throws(PackError) -> Release {
    switch manifest(number, platform) {
    case .failure(let trouble):
      try work.checkCancellation()
      throw PackError(.missing, trouble.reason)
    case .success(let release):
      var packs: [ReleasedPack] = []
      for pack in release.packs {
        switch inspect(pack) {
        case .success(let delivered): packs.append(delivered)
        case .failure(let trouble):
          try work.checkCancellation()
          throw PackError(.missing, trouble.reason)
        }
      }
      return Release(release.name, packs)
    }
  }
}

/// The temporary folder for downloaded packs, which is removed with this value.
struct DownloadFolder: ~Copyable {
  let path: String
  private let passing: StagedFolder?

  /// Creates the folder, if any release is on a server.
  static func open(for releases: SimulatedReleases) throws(PackError) -> DownloadFolder {
    if releases.isKnown { return DownloadFolder(path: "", passing: nil) }
    let named = ProcessState.variable("TMPDIR") ?? ""
    let place = named.isEmpty ? "/var/tmp" : named
    let staged = try mapFailure(.spooling) { () throws(Failure) in
      try StagedFolder(in: FileDescriptor.open(place, for: .directory), for: place)
    }
    let path = staged.contents.location.text
    return DownloadFolder(path: path, passing: staged)
  }

  private init(path: String, passing: consuming StagedFolder?) {
    self.path = path
    self.passing = passing
  }
}
