import AssetArchive
import Glibc
import SystemIO

/// A folder that entries are written into, until all of them are on the disk.
struct WaitingFolder {
  let folder: OpenFolder
  /// The permissions that new folders get here: the umask, or an access list, takes some away.
  let permitted: UInt32
}

/// Writes extracted entries into folders that no other program uses, one path component at a time
/// and never through a link, and makes sure that they are on the disk.
struct FolderWriter: ExtractionSink {
  /// Up to this many files and folders, each is synced by itself, which does not disturb other
  /// writers; for more, syncing the whole file system once is many times faster.
  private static let mostSyncedAlone = 32

  private typealias Step = (path: PackPath, folder: WaitingFolder)

  private let root: WaitingFolder
  /// The folders whose entries wait on another disk than that of the root, by their paths.
  private let others: [PackPath: WaitingFolder]
  /// The open folders on the way to the last entry.
  private var way: [Step] = []
  /// The folders that were made; they get their attributes at the end.
  private var made: [(path: PackPath, entry: PackEntry)] = []
  private var present: Present?
  /// The files that were written but not synced; nil if there are too many to remember.
  private var unsynced: [Present]? = []

  /// A file that is being written, or waits to be synced.
  private final class Present {
    private var writing: SparseFile?
    private var written: FileDescriptor?
    /// Its path in the target folder, for messages.
    let path: PackPath

    init(_ file: consuming FileDescriptor, _ path: PackPath) {
      writing = SparseFile(file)
      self.path = path
    }

    func write(_ bytes: RawSpan) throws(Failure) { try writing?.write(bytes) }

    func complete(_ entry: PackEntry, _ permitted: UInt32) throws(Failure) {
      guard let file = writing.take()?.finish() else { return }
      try file.setPermissions(UInt32(entry.permissions ?? 0o666) & 0o777 & permitted)
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
    let folder = try folder(at: path.steps.dropLast()).folder
    let name = path.name
    do throws(Failure) {
      present = Present(
        try folder.descriptor.open(name, for: .creating(permissions: 0o600)), path)
    } catch {
      guard error.code == EEXIST else {
        throw PackError(
          Failure(.create, path.shown, code: error.code), while: .extracting)
      }
      throw PackError(
        .exists,
        "cannot create '\(path.shown)': the file system takes its name for another's",
        remedy: "extract to a file system that tells upper case from lower case")
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PackError) {
    try attempt(present) { present throws(Failure) in try present.write(bytes) }
  }

  mutating func endFile(_ entry: PackEntry) throws(PackError) {
    guard let present = present.take() else { return }
    let permitted = (way.last?.folder ?? root).permitted
    try attempt(present) { present throws(Failure) in
      try present.complete(entry, permitted)
    }
    if let waiting = unsynced, waiting.count + made.count < Self.mostSyncedAlone {
      unsynced = waiting + [present]
    } else {
      try close((unsynced.take() ?? []) + [present], syncing: false)
    }
  }

  /// Does something with a file; an error gives its path in the pack.
  private func attempt(
    _ file: Present?, _ body: (Present) throws(Failure) -> Void
  ) throws(PackError) {
    guard let file else { return }
    try explaining({ PackError($0.about(file.path.shown), while: .extracting) }) {
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

  /// Gives the new folders their permissions and times, and waits until everything is on the disk.
  ///
  /// Folders come last, because a folder that is not writable could not be filled; inner ones come
  /// first, because a change in a folder changes its time.
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
      // From now on the folder may not be accessible.
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

  /// Opens the last of some folders, each of which is in the one before, and makes what is missing.
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
    return try explaining({ PackError($0.about(path.shown), while: .extracting) }) {
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
  /// A folder without an entry of its own: only something inside it has one.
  fileprivate init(folder path: PackPath) {
    self.init(
      storedPath: StoredPath(path), kind: .directory, otherFields: [], streamOffset: 0,
      fileOffset: 0)
  }
}

extension FileDescriptor {
  /// Gives a folder what its entry says about it; what comes from the folder around it, such as the
  /// setgid bit, stays.
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
