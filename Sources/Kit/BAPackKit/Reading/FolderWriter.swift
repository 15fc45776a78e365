import AssetArchive
import Glibc
import SystemIO

/// A staging folder, to which entries are written until all of them are on the disk.
struct WaitingFolder {
  let folder: OpenFolder
  /// The permissions that new folders get here, after the umask or an access list.
  let permitted: UInt32
}

/// A writer of extracted entries to private folders.
///
/// Paths are opened one component at a time, never through a link. Files and folders are synced to
/// the disk.
struct FolderWriter: ExtractionSink {
  /// The maximum number of files and folders to sync one by one, which does not disturb other
  /// writers.
  ///
  /// For larger numbers, one sync of the file system is many times faster.
  private static let mostSyncedAlone = 32

  private typealias Step = (path: PackPath, folder: WaitingFolder)

  private let root: WaitingFolder
  /// The staging folders of entries on other disks than the root, by their paths.
  private let others: [PackPath: WaitingFolder]
  /// The open folders on the path to the last entry.
  private var way: [Step] = []
  /// The created folders, whose attributes are set at the end.
  private var made: [(path: PackPath, entry: PackEntry)] = []
  private var present: Present?
  /// The files that were written but not synced; nil if there are too many.
  private var unsynced: [Present]? = []

  /// A file that is being written or synced.
  private final class Present {
    private var writing: SparseFile?
    private var written: FileDescriptor?
    /// The path in the target folder, for messages.
    let path: PackPath

    init(_ file: consuming FileDescriptor, _ path: PackPath) {
      writing = SparseFile(file)
      self.path = path
    }

    func write(_ bytes: RawSpan) throws(Failure) { try writing?.write(bytes) }

    func complete(_ entry: PackEntry) throws(Failure) {
      guard let file = writing.take()?.finish() else { return }
      try file.setTime(of: entry)
      written = consume file
    }

    func sync() throws(Failure) { try written?.sync() }

    func close() throws(Failure) { try written.take()?.close() }
  }

  init(_ root: WaitingFolder, others: [PackPath: WaitingFolder] = [:]) {
    self.root = root
    self.others = others
  }

  mutating func addFolder(_ path: PackPath, _ entry: PackEntry) throws(PackError) {
    let before = made.count
    _ = try folder(at: path.steps[...])
    if made.count > before { made[made.count - 1].entry = entry }
  }

  mutating func beginFile(_ path: PackPath, _ entry: PackEntry) throws(PackError) {
    let waiting = try folder(of: path)
    // The system removes the same permissions as from the staging folder, so the file has the final
    // ones from the start.
    let permissions = UInt32(entry.permissions ?? 0o666) & 0o777 & waiting.permitted
    do throws(Failure) {
      present = Present(
        try waiting.folder.descriptor.open(
          path.name, for: .creating(permissions: permissions)), path)
    } catch {
      guard error.code == EEXIST else {
        throw PackError(
          Failure(.create, path.shown, code: error.code), while: .extracting)
      }
      throw PackError(
        .exists,
        "cannot create '\(path.shown)': the file system does not distinguish it from another name",
        remedy: "extract to a case-sensitive file system")
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PackError) {
    try attempt(present) { present throws(Failure) in try present.write(bytes) }
  }

  mutating func endFile(_ entry: PackEntry) throws(PackError) {
    guard let present = present.take() else { return }
    try attempt(present) { present throws(Failure) in try present.complete(entry) }
    if let waiting = unsynced, waiting.count + made.count < Self.mostSyncedAlone {
      unsynced = waiting + [present]
    } else {
      try close((unsynced.take() ?? []) + [present], syncing: false)
    }
  }

  /// Performs an operation on a file; an error contains its path in the pack.
  private func attempt(
    _ file: Present?, _ body: (Present) throws(Failure) -> Void
  ) throws(PackError) {
    guard let file else { return }
    try explaining({ PackError($0.withPath(file.path.shown), while: .extracting) }) {
      () throws(Failure) in
      try body(file)
    }
  }

  private func close(_ files: [Present], syncing: Bool) throws(PackError) {
    for file in files {
      try attempt(file) { file throws(Failure) in
        if syncing { try file.sync() }
        try file.close()
      }
    }
  }

  /// Sets the permissions and times of the new folders, and syncs all files.
  ///
  /// Folders are last, because files cannot be written to a folder that is not writable. Inner
  /// folders are first, because a change in a folder changes its time.
  mutating func finish() throws(PackError) {
    let isFew = unsynced.map { $0.count + made.count <= Self.mostSyncedAlone } ?? false
    try close(unsynced.take() ?? [], syncing: isFew)
    for (path, entry) in made.reversed() {
      let waiting = try folder(at: path.steps[...])
      let folder = waiting.folder
      try mapFailure(.extracting) { () throws(Failure) in
        try folder.descriptor.restore(folder: entry, permitted: waiting.permitted)
        if isFew { try folder.descriptor.sync() }
      }
      // The folder may not be accessible after this.
      if way.last?.folder.folder === folder { way.removeLast() }
    }
    let roots = [root] + others.values
    try mapFailure(.extracting) { () throws(Failure) in
      for root in roots {
        if isFew {
          try root.folder.descriptor.sync()
        } else {
          try root.folder.descriptor.syncFileSystem()
        }
      }
    }
  }

  /// Opens the folder of a file, which is usually also that of the last one.
  private mutating func folder(of file: PackPath) throws(PackError) -> WaitingFolder {
    if way.last?.path == file.parent { return way.last?.folder ?? root }
    return try folder(at: file.steps.dropLast())
  }

  /// Opens the last of nested folders, and creates missing ones.
  private mutating func folder(at steps: ArraySlice<PackPath>) throws(PackError) -> WaitingFolder {
    let common = zip(way, steps).prefix { $0.path == $1 }.count
    way.removeLast(way.count - common)
    for path in steps.dropFirst(common) {
      if let other = others[path] {
        way.append((path, other))
      } else {
        way.append((path, try openOrMake(path, in: way.last?.folder ?? root)))
      }
    }
    return way.last?.folder ?? root
  }

  private mutating func openOrMake(
    _ path: PackPath, in parent: WaitingFolder
  ) throws(PackError) -> WaitingFolder {
    let name = path.name
    let (folder, permitted) = (parent.folder, parent.permitted)
    func waiting(_ open: consuming FileDescriptor) -> WaitingFolder {
      WaitingFolder(folder: OpenFolder(open, in: folder), permitted: permitted)
    }
    return try explaining({ PackError($0.withPath(path.shown), while: .extracting) }) {
      () throws(Failure) in
      do throws(Failure) {
        return waiting(try folder.descriptor.open(name, for: .directory))
      } catch {
        guard error.code == ENOENT else { throw error }
      }
      let isMade = try folder.descriptor.makeMissingFolder(name)
      let open = try folder.descriptor.openForOwner(name, with: permitted)
      if isMade { made.append((path, PackEntry(folder: path))) }
      return waiting(open)
    }
  }
}

extension PackEntry {
  /// Creates an entry for a folder that has no entry in the archive.
  fileprivate init(folder path: PackPath) {
    self.init(
      storedPath: StoredPath(path), kind: .directory, otherFields: [], streamOffset: 0,
      fileOffset: 0)
  }
}

extension FileDescriptor {
  /// Sets the attributes of a folder from its entry.
  ///
  /// Attributes that are inherited from the parent folder, for example the setgid bit, are kept.
  fileprivate func restore(folder entry: PackEntry, permitted: UInt32) throws(Failure) {
    let now = try status().permissions
    let wanted = (now & 0o7000) | (UInt32(entry.permissions ?? 0o777) & 0o777 & permitted)
    if now != wanted { try setPermissions(wanted) }
    try setTime(of: entry)
  }

  fileprivate func setTime(of entry: PackEntry) throws(Failure) {
    if let time = entry.modified { try setModified(time) }
  }
}
