import AssetArchive
import Glibc
import SystemIO

/// The merge of extracted entries into an existing folder.
///
/// Entries are first written to a staging folder inside the target, which is therefore on the same
/// disk. They are moved after all of them are on the disk. The target folder itself is never
/// replaced. If an entry cannot be moved, the earlier moves are undone.
final class FolderMerge {
  /// A folder of the target, and the staging folder of its new entries.
  fileprivate final class Station {
    /// The path below the target; the root for the target itself.
    let path: PackPath
    let target: OpenFolder
    let waiting: WaitingFolder
    /// The staging folder, which is removed with this value.
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

  /// A folder of the target on the path to an entry.
  private struct Step {
    var path: PackPath
    /// The folder; nil if it does not exist yet.
    var folder: OpenFolder?
    var station: Station
    /// Whether staged entries can be moved into the folder.
    var isReached = false
  }

  /// A completed move, to be undone if a later move fails.
  private struct Move {
    let station: Station
    /// The folder of the entry, relative to the station's folder.
    let folder: [FileName]
    let name: FileName
    /// Whether the move replaced another file.
    let wasExchanged: Bool
  }

  private let isReplacing: Bool
  private var stations: [Station]
  /// The folders of the target on the path to the last checked entry.
  private var way: [Step] = []
  private var moves: [Move] = []

  /// Creates the staging folder; `isReplacing` is whether files may be replaced.
  init(into target: OpenFolder, isReplacing: Bool) throws(PackError) {
    self.isReplacing = isReplacing
    stations = try mapFailure(.extracting) { () throws(Failure) in [try Station(target, at: .root)]
    }
  }

  /// Returns a writer for the staged entries; each entry must be checked before.
  func writer() -> FolderWriter {
    FolderWriter(
      stations[0].waiting,
      others: Dictionary(
        uniqueKeysWithValues: stations.dropFirst().map { ($0.path, $0.waiting) }))
  }

  // MARK: - Checks before writing

  /// Checks whether an entry can be placed, before any file is written.
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
      throw Self.conflict(parent.descriptor.joined(name), "it is a folder")
    case (.file, _): break
    default: throw Self.conflict(parent.descriptor.joined(name), "it is not a folder")
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
      case ELOOP, ENOTDIR: throw Self.conflict(parent.descriptor.joined(name), "it is not a folder")
      default: throw PackError(error, while: .extracting)
      }
    }
  }

  /// Ensures that staged entries can be moved into the current folder.
  private func reach() throws(Failure) {
    guard let step = way.last, let folder = step.folder, !step.isReached else { return }
    if try !step.station.reaches(folder) {
      let station = try Station(folder, at: step.path)
      stations.append(station)
      way[way.count - 1].station = station
    }
    way[way.count - 1].isReached = true
  }

  private static func conflict(_ path: String, _ reason: String) -> PackError {
    PackError(
      .exists, "cannot extract to '\(path)': \(reason)",
      remedy: "remove it, or extract to another folder")
  }

  // MARK: - Moves after writing

  /// Moves all entries to their places.
  func publish() throws(PackError) {
    do throws(Failure) {
      for station in stations {
        try merge(station, [], station.waiting.folder, into: station.target)
      }
      try syncNames()
    } catch {
      undo()
      switch error.code {
      case EISDIR: throw Self.conflict(error.path, "it is a folder")
      case ENOTDIR, ELOOP: throw Self.conflict(error.path, "it is not a folder")
      case EEXIST: throw Self.conflict(error.path, "it appeared during the extraction")
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

  /// Syncs the names; the contents are already synced.
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

  /// Undoes the completed moves.
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
  /// Whether staged entries can be moved into a folder of the target, which may be on another disk
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
  /// Opens a subfolder.
  fileprivate func below(_ path: [FileName]) throws(Failure) -> OpenFolder {
    var folder = self
    for name in path {
      folder = OpenFolder(try folder.descriptor.open(name, for: .directory), in: folder)
    }
    return folder
  }
}

extension FileDescriptor {
  /// Returns the kind of the file `name` in this folder; nil if it does not exist.
  fileprivate func kind(of name: FileName) throws(Failure) -> FileKind? {
    try ifPresent { () throws(Failure) in try status(of: name) }?.kind
  }

  /// Moves a folder to another folder, even if it is not writable: the move changes its `..` entry.
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
