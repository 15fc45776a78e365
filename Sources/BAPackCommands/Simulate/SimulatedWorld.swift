import BAPackKit
import DeviceSimulator
import SourceDiagnostics
import SystemIO

/// The releases of a simulation, on this machine or on servers, and where packs go that are downloaded.
struct SimulatedWorld {
  /// The releases; those on servers are empty until somebody asks.
  let releases: [Release]
  /// Whether all packs of all releases are known.
  let isKnown: Bool
  /// What a device sees of them.
  let world: World

  init(
    _ sources: [[String]], reading reader: inout ReleaseReader, _ findings: inout Ledger,
    keepingIn folder: borrowing DownloadFolder, trusting authorities: [String]
  ) throws(PackError) {
    var releases: [Release] = []
    var addresses: [Int: String] = [:]
    for paths in sources {
      if let address = paths.first(where: RemoteServer.isAddress) {
        guard paths.count == 1 else {
          throw PackError(
            .conflict, "'\(address)' and what is on this machine are two releases",
            remedy: "name one of them")
        }
        addresses[releases.count] = address
        releases.append(Release(address, []))
      } else {
        releases.append(try reader.read(paths, &findings))
      }
    }
    self.releases = releases
    isKnown = addresses.isEmpty
    guard !addresses.isEmpty else {
      world = World(local: releases, memory: reader.memory)
      return
    }
    var options = RemoteServer.Options()
    options.memory = reader.memory
    for path in authorities {
      options.roots.append(
        try during(.reading) { () throws(Failure) in
          try FileDescriptor.open(path, for: .waiting).readToEnd(atMost: 1 << 20)
        })
    }
    world = World(
      releases, addresses: addresses, server: RemoteServer(keepingIn: folder.path, options),
      memory: reader.memory)
  }

  /// A release with all that can be known of it: packs on a server are downloaded.
  func whole(_ number: Int, for platform: Platform) throws(PackError) -> Release {
    switch world.manifest(number, platform) {
    case .failure(let trouble): throw PackError(.missing, trouble.reason)
    case .success(let release):
      var packs: [ReleasedPack] = []
      for pack in release.packs {
        switch world.download(pack) {
        case .success(let delivered): packs.append(delivered)
        case .failure(let trouble): throw PackError(.missing, trouble.reason)
        }
      }
      return Release(release.name, packs)
    }
  }
}

/// Where downloaded packs go: to the device that is kept, or to a folder that goes with this value.
struct DownloadFolder: ~Copyable {
  let path: String
  private let passing: StagedFolder?

  /// Makes the folder, if any release is on a server.
  static func open(
    for sources: [[String]], keeping state: String?
  ) throws(PackError) -> DownloadFolder {
    guard sources.joined().contains(where: RemoteServer.isAddress) else {
      return DownloadFolder(path: "", passing: nil)
    }
    if let state {
      let path = StateFolder.packs(of: state)
      _ = try during(.writing) { () throws(Failure) in
        try FileDescriptor.openFolder(making: path)
      }
      return DownloadFolder(path: path, passing: nil)
    }
    let wish = ProcessState.variable("TMPDIR") ?? ""
    let place = wish.isEmpty ? "/var/tmp" : wish
    let staged = try during(.spooling) { () throws(Failure) in
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
