package import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// A device that is kept between runs, in a folder: whole or not at all, and for one process at a time.
///
/// `state.json` says what is on the device; the paths of its files stand in a second file, which it
/// names, so that both change together. What is around a device (the network, the server, what goes
/// wrong on purpose) belongs to a run, and is not kept.
package struct StateFolder: ~Copyable {
  private let path: String
  private let lock: FileLock
  private let kept: KeptDevice

  /// The device as it was left; a new one in a new folder.
  package var state: DeviceState { kept.state }
  /// The versions that archives were given in runs before.
  package var versions: [PackID: ReleaseReader.KnownVersion] { kept.versions }

  /// Where the archives are that were downloaded from servers.
  package static func packs(of path: String) -> String { place(downloads, in: path) }

  /// Opens a folder, which is made if it is missing; `waiting` is called if another process has it.
  package init(_ path: String, waiting: () -> Void = {}) throws(PackError) {
    let lock = try Self.lock(path, waiting: waiting)
    let kept = try Self.read(path)
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      try Self.takeUpPacks(besides: kept.state, in: path)
    }
    self.init(path: path, lock: lock, kept: kept)
  }

  private init(path: String, lock: consuming FileLock, kept: KeptDevice) {
    self.path = path
    self.lock = lock
    self.kept = kept
  }

  private static let elsewhere = Remedy.advice("keep the device in another folder")

  private static func lock(
    _ path: String, waiting: () -> Void
  ) throws(PackError) -> FileLock {
    try keeping(elsewhere: elsewhere) { () throws(Failure) in
      // Its lock keeps the folder, which would go again if it were empty.
      let folder = try OutputFolder(path)
      let lock = try FileLock(
        besides: FilePath(path).appending(FilePath("state.json")).text, waiting: waiting)
      _ = consume folder
      return lock
    }
  }

  private static func read(_ path: String) throws(PackError) -> KeptDevice {
    let name = place("state.json", in: path)
    let text: [UInt8]
    do throws(Failure) {
      text = try FileDescriptor.open(name, for: .waiting).readToEnd(atMost: KeptDevice.largestText)
    } catch {
      guard error.code == ENOENT else { throw PackError(error, while: .reading) }
      try checkIsOurs(path)
      return KeptDevice(downloadingTo: packs(of: path))
    }
    return try KeptDevice(reading: text, named: name, downloadingTo: packs(of: path)) {
      (number) throws(PackError) in
      try during(.reading) { () throws(Failure) in
        try FileDescriptor.open(place(filesName(number), in: path), for: .waiting)
          .readToEnd(atMost: .max)
      }
    }
  }

  /// A folder without a device has nothing in it but what a run leaves that is killed: whoever means
  /// another folder keeps what is there.
  private static func checkIsOurs(_ path: String) throws(PackError) {
    let other = try during(.reading) { () throws(Failure) -> FileName? in
      let listing = try FileDescriptor.open(path, for: .directory).list()
      for item in listing.items {
        let name = listing.fileName(of: item)
        let isOurs =
          name.bytes.first == UInt8(ascii: ".") || name == "state.json.lock"
          || name == FileName(downloads) || isFilesName(name)
        if !isOurs { return name }
      }
      return nil
    }
    guard let other else { return }
    throw PackError(
      .exists, "'\(path)' has files that are no device's, such as '\(other.shown)'",
      remedy: "keep the device in a new folder, or in an empty one")
  }

  // MARK: Archives

  /// Goes through the archives that were downloaded, by their names; other files are not ours.
  private static func eachPack(
    in path: String,
    _ body: (borrowing FileDescriptor, FileName, String) throws(Failure) -> Void
  ) throws(Failure) {
    let packs = packs(of: path)
    guard (try? FileStatus(ofFileAt: packs)) != nil else { return }
    let folder = try FileDescriptor.open(packs, for: .directory)
    let listing = try folder.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      guard name.bytes.starts(with: RemoteServer.prefix.utf8) else { continue }
      try body(folder, name, FilePath(packs).appending(name).text)
    }
  }

  /// Archives that came in a run that was killed before it could keep the device become beginnings: the
  /// next download of each asks the server whether they are still right.
  private static func takeUpPacks(
    besides state: DeviceState, in path: String
  ) throws(Failure) {
    let kept = Set(state.installed.values.map(\.pack.place))
    try eachPack(in: path) { (_, _, place) throws(Failure) in
      if place.hasSuffix(".aar"), !kept.contains(place) { try PartialFile.takeBack(place) }
    }
  }

  /// Removes archives that the device no longer has, and beginnings of what nobody offers it any more.
  private static func removePacks(
    besides state: DeviceState, in path: String
  ) throws(Failure) {
    var kept = Set(state.installed.values.map(\.pack.place))
    for pack in state.manifest?.packs ?? []
    where state.installed[pack.id]?.pack.version != pack.version {
      let name = RemoteServer.place(of: pack, in: packs(of: path))
      kept.formUnion(PartialFile.names(of: name))
    }
    try eachPack(in: path) { (folder, name, place) throws(Failure) in
      if !kept.contains(place) { folder.removeQuietly(name) }
    }
  }

  // MARK: Writing

  /// Keeps a device; what was kept before is there until then.
  package consuming func keep(
    _ state: DeviceState, versions: [PackID: ReleaseReader.KnownVersion]
  ) throws(PackError) {
    // The number may be anything in a file that somebody changed.
    let number = kept.number % 1_000_000 + 1
    let device = KeptDevice(
      state, versions, number: number, downloadingTo: Self.packs(of: path))
    let files = filesName(device.number)
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      let paths = try AtomicFile(place(files, in: path), replacing: true)
      try paths.write(device.files)
      try paths.publish()
      let whole = try AtomicFile(place("state.json", in: path), replacing: true)
      // It has addresses, which may hold secrets.
      try whole.setPermissions(0o600)
      try whole.write(device.text)
      try whole.publish()
      // Nothing names other lists of paths any more.
      let folder = try FileDescriptor.open(path, for: .directory)
      let listing = try folder.list()
      for item in listing.items {
        let name = listing.fileName(of: item)
        if isFilesName(name), name != FileName(files) {
          folder.removeQuietly(name)
        }
      }
      try Self.removePacks(besides: state, in: path)
    }
    lock.release()
  }
}

/// A file in a folder.
private func place(_ name: String, in path: String) -> String {
  FilePath(path).appending(FilePath(name)).text
}

private let downloads = "downloaded"

private func filesName(_ number: Int) -> String { "files-\(number)" }

/// Whether a file is a list of paths by its name.
private func isFilesName(_ name: FileName) -> Bool {
  let prefix = "files-".utf8
  let number = name.bytes.dropFirst(prefix.count)
  return name.bytes.starts(with: prefix) && !number.isEmpty
    && number.allSatisfy { (0x30...0x39).contains($0) }
}
