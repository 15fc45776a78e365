import AssetArchive
import Glibc
import SystemIO

/// Brings extracted entries into an existing folder.
///
/// They wait in a folder inside it, and so on the same disk, and are moved out when all of them are
/// on the disk. So the folder itself is never replaced; if one entry cannot be moved, those before
/// it are moved back.
final class FolderMerge {
  /// A folder of the target, and the folder in which its new entries wait.
  fileprivate final class Station {
    /// Its path below the target; the root for the target itself.
    let path: PackPath
    let target: OpenFolder
    let waiting: WaitingFolder
    /// The folder in which entries wait; it is removed when this value ends.
    private let staged: StagedFolder

    init(_ target: OpenFolder, at path: PackPath) throws(Failure) {
      let staged = try StagedFolder(
        in: target.descriptor.duplicate(), for: target.descriptor.path)
      waiting = WaitingFolder(
        folder: OpenFolder(try staged.contents.duplicate(), in: target),
        permitted: staged.permitted)
      self.target = target
      self.path = path
      self.staged = staged
    }
  }

  /// A folder of the target on the way to an entry.
  private struct Step {
    var path: PackPath
    /// nil if it does not exist yet.
    var folder: OpenFolder?
    var station: Station
    /// Whether it is known that the waiting entries can be moved into it.
    var isReached = false
  }

  /// A move that has been made, to be undone if a later one fails.
  private struct Move {
    let station: Station
    /// The folder it is in, relative to the station's.
    let folder: [FileName]
    let name: FileName
    /// Whether it took the place of something else.
    let wasExchanged: Bool
  }

  private let isReplacing: Bool
  private var stations: [Station]
  /// The folders of the target on the way to the last entry that was checked.
  private var way: [Step] = []
  private var moves: [Move] = []

  /// Makes the folder to wait in; `isReplacing` says whether files may take the place of others.
  init(into target: OpenFolder, isReplacing: Bool) throws(PackError) {
    self.isReplacing = isReplacing
    stations = try mapFailure(.extracting) { () throws(Failure) in [try Station(target, at: .root)]
    }
  }

  /// A writer for the waiting entries; each entry must have been checked before.
  func writer() -> FolderWriter {
    FolderWriter(
      stations[0].waiting,
      others: Dictionary(
        uniqueKeysWithValues: stations.dropFirst().map { ($0.path, $0.waiting) }))
  }

  // MARK: - Before the work

  /// Checks whether an entry can have its place; nothing is written before that.
  func inspect(_ path: PackPath, _ entry: PackEntry) throws(PackError) {
    let folders = path.steps.dropLast()
    let common = zip(way, folders).prefix { $0.path == $1 }.count
    way.removeLast(way.count - common)
    for folder in folders.dropFirst(common) { try enter(folder) }
    guard let parent = way.isEmpty ? stations[0].target : way.last?.folder else { return }
    let name = path.name
    let kind = try mapFailure(.extracting) { () throws(Failure) in
      try parent.descriptor.kind(of: name)
    }
    switch (entry.kind, kind) {
    case (.directory, .directory): return
    case (.directory, nil), (.file, nil): break
    case (.file, .directory):
      throw Self.inTheWay(parent.descriptor.joined(name), "it is a folder")
    case (.file, _): break
    default: throw Self.inTheWay(parent.descriptor.joined(name), "it is no folder")
    }
    try mapFailure(.extracting) { () throws(Failure) in try reach() }
  }

  private func enter(_ path: PackPath) throws(PackError) {
    let station = way.last?.station ?? stations[0]
    guard let parent = way.isEmpty ? stations[0].target : way.last?.folder else {
      return way.append(Step(path: path, folder: nil, station: station))
    }
    let name = path.name
    do throws(Failure) {
      let folder = OpenFolder(try parent.descriptor.open(name, for: .directory), in: parent)
      way.append(Step(path: path, folder: folder, station: station))
    } catch {
      switch error.code {
      case ENOENT: way.append(Step(path: path, folder: nil, station: station))
      case ELOOP, ENOTDIR: throw Self.inTheWay(parent.descriptor.joined(name), "it is no folder")
      default: throw PackError(error, while: .extracting)
      }
    }
  }

  /// Makes sure that waiting entries can be moved into the folder that was entered last.
  private func reach() throws(Failure) {
    guard let step = way.last, let folder = step.folder, !step.isReached else { return }
    if try !step.station.reaches(folder) {
      let station = try Station(folder, at: step.path)
      stations.append(station)
      way[way.count - 1].station = station
    }
    way[way.count - 1].isReached = true
  }

  private static func inTheWay(_ path: String, _ reason: String) -> PackError {
    PackError(
      .exists, "'\(path)' is in the way: \(reason)",
      remedy: "remove it, or extract into another folder")
  }

  // MARK: - After the work

  /// Moves everything to its place.
  func publish() throws(PackError) {
    do throws(Failure) {
      for station in stations {
        try merge(station, [], station.waiting.folder, into: station.target)
      }
      try syncNames()
    } catch {
      undo()
      switch error.code {
      case EISDIR: throw Self.inTheWay(error.path, "it is a folder")
      case ENOTDIR, ELOOP: throw Self.inTheWay(error.path, "it is no folder")
      case EEXIST: throw Self.inTheWay(error.path, "it was not there when the work began")
      default: break
      }
      throw PackError(error, while: .extracting)
    }
  }

  private func merge(
    _ station: Station, _ path: [FileName], _ source: OpenFolder, into target: OpenFolder
  ) throws(Failure) {
    let listing = try source.descriptor.list()
    for item in listing.items {
      let name = listing.fileName(of: item)
      let kind = item.kind == .unknown ? try source.descriptor.kind(of: name) : item.kind
      guard kind == .directory else {
        try place(name, from: source, to: target, station, path)
        continue
      }
      if try target.descriptor.contains(name) {
        try merge(
          station, path + [name],
          OpenFolder(try source.descriptor.open(name, for: .directory), in: source),
          into: OpenFolder(try target.descriptor.open(name, for: .directory), in: target))
      } else {
        try source.descriptor.moveFolder(name, into: target.descriptor)
        moves.append(Move(station: station, folder: path, name: name, wasExchanged: false))
      }
    }
  }

  private func place(
    _ name: FileName, from source: OpenFolder, to target: OpenFolder, _ station: Station,
    _ path: [FileName]
  ) throws(Failure) {
    var isExchanged = false
    do throws(Failure) {
      try source.descriptor.move(name, into: target.descriptor)
    } catch {
      guard error.code == EEXIST, isReplacing else { throw error }
      isExchanged = try source.descriptor.exchange(name, with: target.descriptor)
      if !isExchanged { try source.descriptor.move(name, into: target.descriptor, replacing: true) }
    }
    moves.append(Move(station: station, folder: path, name: name, wasExchanged: isExchanged))
    if isExchanged, try source.descriptor.kind(of: name) == .directory {
      // A folder that appeared after the check.
      throw Failure(.replace, target.descriptor.joined(name), code: EISDIR)
    }
  }

  /// Waits until the names are on the disk; the contents are there already.
  private func syncNames() throws(Failure) {
    let mostSyncedAlone = 16
    var seen: Set<[FileName]> = []
    for station in stations {
      seen.removeAll()
      for move in moves where move.station === station { seen.insert(move.folder) }
      guard seen.count <= mostSyncedAlone else {
        try station.target.descriptor.syncFileSystem()
        continue
      }
      for folder in seen { try station.target.below(folder).descriptor.sync() }
    }
  }

  /// Moves back what has been moved.
  private func undo() {
    for move in moves.reversed() {
      guard let target = try? move.station.target.below(move.folder),
        let source = try? move.station.waiting.folder.below(move.folder)
      else { continue }
      if move.wasExchanged {
        _ = try? source.descriptor.exchange(move.name, with: target.descriptor)
      } else if case .some(.directory) = try? target.descriptor.kind(of: move.name) {
        try? target.descriptor.moveFolder(move.name, into: source.descriptor)
      } else {
        try? target.descriptor.move(move.name, into: source.descriptor)
      }
    }
    moves.removeAll()
  }
}

extension FolderMerge.Station {
  /// Whether what waits here can be moved into a folder of the target: that may be on another disk,
  /// or not writable.
  fileprivate func reaches(_ folder: OpenFolder) throws(Failure) -> Bool {
    let probe = TemporaryName.make()
    try waiting.folder.descriptor.makeFolder(probe)
    defer { waiting.folder.descriptor.removeTreeQuietly(probe) }
    do throws(Failure) {
      try waiting.folder.descriptor.move(probe, into: folder.descriptor)
    } catch {
      guard error.code == EXDEV else {
        throw Failure(.writeInto, folder.descriptor.path, code: error.code)
      }
      return false
    }
    folder.descriptor.removeTreeQuietly(probe)
    return true
  }
}

extension OpenFolder {
  /// Opens a folder inside this one.
  fileprivate func below(_ path: [FileName]) throws(Failure) -> OpenFolder {
    var folder = self
    for name in path {
      folder = OpenFolder(try folder.descriptor.open(name, for: .directory), in: folder)
    }
    return folder
  }
}

extension FileDescriptor {
  /// What kind of file `name` in this folder is; nil if there is none.
  fileprivate func kind(of name: FileName) throws(Failure) -> FileKind? {
    do throws(Failure) {
      return try status(of: name).kind
    } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// Moves a folder into another one, even if it is not writable: its `..` entry changes with the
  /// move.
  fileprivate func moveFolder(
    _ name: FileName, into folder: borrowing FileDescriptor
  ) throws(Failure) {
    let permissions = try status(of: name).permissions
    guard permissions & 0o200 == 0 else { return try move(name, into: folder) }
    let moved = try openForOwner(name, with: permissions)
    try move(name, into: folder)
    try moved.setPermissions(permissions)
  }
}
