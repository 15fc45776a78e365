package import BAPackKit
import Glibc
package import SourceDiagnostics
package import SystemIO

/// The folder with the saved state of a device.
///
/// The state is saved atomically. Only one process at a time can use the folder.
/// `state.json` contains the state of the device and the name of a second file, which contains the
/// paths of the device's files. Both files therefore change together. The network, the server
/// and the injected faults belong to a run and are not saved.
///
/// A device removes and replaces only files that it created. Their names are in `state.json`, or in
/// a journal until `state.json` is written. Links in the folder are never followed.
package struct StateFolder: ~Copyable {
  private let path: String
  private let folder: FileDescriptor
  private var hold: StateHold<KeptDevice>
  private let kept: KeptDevice
  private let journal: DeviceJournal

  /// The saved state of the device; a new device in a new folder.
  package let state: DeviceState
  /// The versions of archives from earlier runs.
  package var versions: [PackID: ReleaseReader.KnownVersion] { kept.versions }

  /// Returns the path of the download folder.
  package static func packs(of path: String) -> String { place(downloads, in: path) }

  /// Opens a folder, and creates it if it is missing; `waiting` is called if another process uses
  /// it.
  package init(_ path: String, _ work: Work, waiting: () -> Void = {}) throws(PackError) {
    try Self.checkIsDeviceFolder(path)
    let hold = try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      try StateFile<KeptDevice>(place(stateName, in: path)).hold(work) { () throws(Failure) in
        waiting()
      }
    }
    // Another process may have written to the folder while this process waited for the lock.
    try Self.checkIsDeviceFolder(path)
    let kept = hold.document ?? KeptDevice()
    let folder = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .directory)
    }
    let state = try mapFailure(.reading) { () throws(Failure) in
      try Self.device(kept, in: folder, at: path)
    }
    let journal = try mapFailure(.reading) { () throws(Failure) in
      try DeviceJournal(in: folder, besides: kept.files)
    }
    try Self.checkFiles(journal.files, in: folder)
    let unkept = journal.noted.subtracting(kept.archives)
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      try Self.convertToPartial(unkept, in: path)
    }
    self.path = path
    self.state = state
    self.folder = folder
    self.hold = hold
    self.kept = kept
    self.journal = journal
  }

  private static let elsewhere = Remedy.advice("keep the device in another folder")

  /// The members of the state file.
  package static var jsonShape: JSONRecord { KeptDevice.jsonShape }

  /// Returns the device with the files of its packs, which are in a list next to the document.
  private static func device(
    _ kept: KeptDevice, in folder: borrowing FileDescriptor, at path: String
  ) throws(Failure) -> DeviceState {
    let name = DeviceFile.list(kept.number).name
    let listPath = folder.joined(name)
    func failure(_ fault: StateFault) -> Failure {
      Failure(.state(StateFailure(fault, KeptDevice.self)), listPath)
    }
    var list: [UInt8]?
    if kept.number > 0 {
      guard try folder.status(of: name).kind == .file else { throw failure(.notAFile) }
      let bytes = try folder.open(name, for: .reading).readToEnd(atMost: largestList + 1)
      guard bytes.count <= largestList else { throw failure(.tooLarge) }
      list = bytes
    }
    do throws(StateFault) {
      return try kept.device(downloadingTo: packs(of: path), list)
    } catch {
      throw failure(error)
    }
  }

  private static let largestList = 2 << 30

  // MARK: Checks of the folder

  /// Throws if a folder contains files and is not a device folder.
  private static func checkIsDeviceFolder(_ path: String) throws(PackError) {
    let other = try mapFailure(.reading) { () throws(Failure) -> FileName? in
      guard let folder = try openIfPresent(path) else { return nil }
      let listing = try folder.list()
      let own: Set<FileName> = [FileName(stateName), FileName(stateName + ".lock")]
      let others = listing.items.map { listing.fileName(of: $0) }.filter { !own.contains($0) }
      // A device creates the journal or the state file before any other file.
      if try folder.contains(DeviceJournal.name) { return nil }
      if try folder.contains(FileName(stateName)) {
        let status = try folder.status(of: FileName(stateName))
        if status.kind != .file || status.size > 0 { return nil }
      }
      return others.min { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
    guard let other else { return }
    throw PackError(
      .exists,
      "'\(path)' is not the folder of a device: it contains other files, such as '\(other.shown)'",
      remedy: "store the device in a new or empty folder")
  }

  private static func openIfPresent(_ path: String) throws(Failure) -> FileDescriptor? {
    do throws(Failure) {
      return try FileDescriptor.open(path, for: .directory)
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Throws if a download folder or an archive has the wrong file type, for example a link.
  private static func checkFiles(
    _ files: Set<DeviceFile>, in folder: borrowing FileDescriptor
  ) throws(PackError) {
    let wrong = try mapFailure(.reading) { () throws(Failure) -> String? in
      let name = FileName(downloads)
      guard try folder.contains(name) else { return nil }
      guard try folder.status(of: name).kind == .directory else { return folder.joined(name) }
      let downloads = try folder.open(name, for: .directory)
      for file in files where file.isArchive {
        for name in Self.names(of: file) where try downloads.contains(name) {
          if try downloads.status(of: name).kind != .file { return downloads.joined(name) }
        }
      }
      return nil
    }
    guard let wrong else { return }
    throw PackError(
      .conflict, "'\(wrong)' is a link or has an unexpected file type",
      remedy: "move it, or store the device in another folder")
  }

  /// Returns the names of an archive, of its partial download, and of the note about that download.
  private static func names(of archive: DeviceFile) -> [FileName] {
    [archive.name] + PartialFile.names(of: archive.text).map { FilePath($0).name }
  }

  /// Returns whether a folder contains an archive, its partial download or its note.
  private static func hasAny(
    of archive: DeviceFile, _ folder: borrowing FileDescriptor
  ) throws(Failure) -> Bool {
    for name in names(of: archive) where try folder.contains(name) { return true }
    return false
  }

  // MARK: Archives

  /// Turns the archives of a run that was killed before it saved the device into partial downloads.
  ///
  /// The next download of each checks with the server whether its bytes are still current.
  private static func convertToPartial(_ files: Set<DeviceFile>, in path: String) throws(Failure) {
    for file in files where file.isArchive {
      let archive = FilePath(packs(of: path)).appending(file.name).text
      if (try? FileStatus(ofFileAt: archive)) != nil { try PartialFile.takeBack(archive) }
    }
  }

  /// Creates the download folder and returns its path.
  package func makeDownloads() throws(PackError) -> String {
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      try journal.begin()
      _ = try folder.makeMissingFolder(FileName(downloads))
    }
    return Self.packs(of: path)
  }

  /// Returns a source whose downloads are added to the journal before they begin.
  ///
  /// Its downloads replace only files that the device created.
  package func noting(_ source: ReleaseSource) -> ReleaseSource {
    var noting = source
    let (path, journal) = (Self.packs(of: path), journal)
    noting.download = { pack in
      guard RemoteServer.isAddress(pack.place),
        let file = DeviceFile(FilePath(RemoteServer.place(of: pack, in: path)).name)
      else { return source.download(pack) }
      do throws(PackError) {
        let isOurs = try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
          let folder = try FileDescriptor.open(path, for: .directory)
          return try journal.claim(file, isFree: !Self.hasAny(of: file, folder))
        }
        guard isOurs else {
          throw PackError(
            .exists,
            "'\(path)' contains the file '\(file.name.shown)', which the device did not download",
            remedy: "move the file")
        }
      } catch {
        return .failure(ReleaseFailure(error))
      }
      return source.download(pack)
    }
    return noting
  }

  // MARK: Writing

  /// Saves a device; the previous state is kept until the new one is complete.
  package consuming func keep(
    _ state: DeviceState, versions: [PackID: ReleaseReader.KnownVersion]
  ) throws(PackError) {
    let packs = Self.packs(of: path)
    let (journal, kept) = (self.journal, self.kept)
    let folder = self.folder
    var hold = self.hold
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      let list = try Self.claimList(after: kept.number, journal, in: folder)
      var device = kept.changed(to: state, versions, number: list.number, downloadingTo: packs)
      let paths = try AtomicFile(replacing: list.file.name, in: try folder.duplicate())
      try paths.setPermissions(0o600)
      try paths.write(PathList.bytes(of: state))
      try paths.publish()
      let others = journal.files.subtracting(device.archives).subtracting([list.file])
      device.made = try Self.present(among: others, in: folder)
      try hold.keep(device)
      for file in others where !file.isArchive { Self.remove(file.name, from: folder) }
      try Self.removeArchives(
        journal.files.filter(\.isArchive), besides: device.archives,
        beginnings: Self.beginnings(of: state, in: packs), in: folder)
      journal.remove()
    }
    hold.release()
  }

  /// Adds a list of paths to the journal, with an unused name or the name of one of its files.
  private static func claimList(
    after number: Int, _ journal: DeviceJournal, in folder: borrowing FileDescriptor
  ) throws(Failure) -> (number: Int, file: DeviceFile) {
    // If the user changed the file, the number can have any value.
    var number = number
    for _ in 0..<1000 {
      number = number % 1_000_000 + 1
      let file = DeviceFile.list(number)
      let isFree = try !folder.contains(file.name)
      if try journal.claim(file, isFree: isFree) { return (number, file) }
    }
    throw Failure(.create, folder.joined(DeviceFile.list(number).name), code: EEXIST)
  }

  private static func openDownloads(
    in folder: borrowing FileDescriptor
  ) throws(Failure) -> FileDescriptor? {
    guard try folder.contains(FileName(downloads)) else { return nil }
    return try folder.open(FileName(downloads), for: .directory)
  }

  /// Returns the files that exist, in the order of their names.
  private static func present(
    among files: Set<DeviceFile>, in folder: borrowing FileDescriptor
  ) throws(Failure) -> [DeviceFile] {
    var present: [DeviceFile] = []
    for file in files where !file.isArchive {
      if try folder.contains(file.name) { present.append(file) }
    }
    if let downloads = try openDownloads(in: folder) {
      for file in files where file.isArchive {
        if try hasAny(of: file, downloads) { present.append(file) }
      }
    }
    return present.sorted { $0.text < $1.text }
  }

  /// Removes archives that the device does not use, and partial downloads that it cannot resume.
  private static func removeArchives(
    _ files: Set<DeviceFile>, besides archives: Set<DeviceFile>, beginnings: Set<DeviceFile>,
    in folder: borrowing FileDescriptor
  ) throws(Failure) {
    guard let downloads = try openDownloads(in: folder) else { return }
    for file in files {
      let names = names(of: file)
      if !archives.contains(file) { remove(names[0], from: downloads) }
      if archives.contains(file) || !beginnings.contains(file) {
        for name in names.dropFirst() { remove(name, from: downloads) }
      }
    }
  }

  /// Returns the archives whose partial downloads the device can resume: offered, not installed.
  private static func beginnings(of state: DeviceState, in packs: String) -> Set<DeviceFile> {
    var files: Set<DeviceFile> = []
    for pack in state.manifest?.packs ?? []
    where state.installed[pack.id]?.pack.version != pack.version {
      let name = FilePath(RemoteServer.place(of: pack, in: packs)).name
      if let file = DeviceFile(name) { files.insert(file) }
    }
    return files
  }

  /// Removes a regular file; keeps a link and any other kind of file.
  private static func remove(_ name: FileName, from folder: borrowing FileDescriptor) {
    if (try? folder.status(of: name).kind) == .file { folder.removeQuietly(name) }
  }
}

/// Returns the path of a file in a folder.
private func place(_ name: String, in path: String) -> String {
  FilePath(path).appending(FilePath(name)).text
}

private let stateName = "state.json"
private let downloads = "downloaded"
