import Glibc
import SystemIO

/// Writes extracted entries into a folder, one component at a time and never through a link.
struct FolderWriter: ExtractionSink {
  private let root: OpenFolder
  /// Whether files may take the place of others; then each is written beside and renamed.
  private let isReplacing: Bool
  /// The folders on the way to where the last entry was.
  private var way: [(name: [UInt8], folder: OpenFolder)] = []
  /// The folders that were made and get their attributes at the end.
  private var made: [(path: [UInt8], entry: PackEntry)] = []
  private var present: Present?

  /// The file that is being written; one that is not completed goes.
  private final class Present {
    private var file: FileDescriptor?
    private let folder: OpenFolder
    private let entry: PackEntry
    /// Its path below the folder that is extracted into, for messages.
    let path: [UInt8]
    private let name: FileName
    /// The name it has until it is complete.
    private var temporary: FileName?

    init(
      _ file: consuming FileDescriptor, _ name: FileName, in folder: OpenFolder, _ path: [UInt8],
      _ entry: PackEntry, temporary: FileName?
    ) {
      self.path = path
      self.file = consume file
      self.folder = folder
      self.entry = entry
      self.name = name
      self.temporary = temporary
    }

    deinit {
      if let temporary { folder.descriptor.removeQuietly(temporary) }
    }

    func write(_ bytes: RawSpan) throws(SystemError) { try file?.write(bytes) }

    func complete() throws(SystemError) {
      guard let file = file.take() else { return }
      try file.restore(entry)
      try file.close()
      guard let temporary else { return }
      try folder.descriptor.rename(
        temporary, to: name, replacing: true, shown: folder.descriptor.joined(name))
      self.temporary = nil
    }
  }

  init(_ root: OpenFolder, isReplacing: Bool) {
    self.root = root
    self.isReplacing = isReplacing
  }

  mutating func addFolder(_ path: [UInt8], _ entry: PackEntry) throws(PackError) {
    let before = made.count
    _ = try folder(at: path.split(separator: slash)[...])
    if made.count > before { made[made.count - 1].entry = entry }
  }

  mutating func beginFile(_ path: [UInt8], _ entry: PackEntry) throws(PackError) {
    let components = path.split(separator: slash)
    let folder = try folder(at: components.dropLast())
    let name = FileName(components.last ?? [])
    let temporary = isReplacing ? TemporaryName.make() : nil
    do throws(SystemError) {
      let file = try folder.descriptor.open(
        temporary ?? name, for: .creating(permissions: 0o600))
      present = Present(file, name, in: folder, path, entry, temporary: temporary)
    } catch {
      guard error.code == EEXIST else {
        throw PackError(
          SystemError("create", shownBytes(path), code: error.code), while: .extracting)
      }
      throw PackError(
        .exists,
        "cannot create '\(shownBytes(path))': the file system takes its name for another's",
        remedy: "extract to a file system that tells upper case from lower case")
    }
  }

  mutating func write(_ bytes: RawSpan) throws(PackError) {
    try attempt { present throws(SystemError) in try present.write(bytes) }
  }

  mutating func endFile() throws(PackError) {
    defer { present = nil }
    try attempt { present throws(SystemError) in try present.complete() }
  }

  /// Does something with the present file; an error names it as the pack does.
  private func attempt(_ body: (Present) throws(SystemError) -> Void) throws(PackError) {
    guard let present else { return }
    do throws(SystemError) {
      try body(present)
    } catch {
      if error.operation == SystemCall.rename.rawValue, error.code == EISDIR {
        throw PackError(
          .exists, "'\(error.path)' is in the way: it is a folder",
          remedy: "remove it, or extract into another folder")
      }
      throw PackError(
        SystemError(error.operation, shownBytes(present.path), code: error.code),
        while: .extracting)
    }
  }

  /// Gives the folders that were made their permissions and times.
  ///
  /// Last, because a folder that may not be written to could not be filled, and inner ones first,
  /// because what happens in a folder changes its time.
  mutating func finish() throws(PackError) {
    for (path, entry) in made.reversed() {
      let folder = try folder(at: path.split(separator: slash)[...])
      try system { () throws(SystemError) in try folder.descriptor.restore(entry) }
      // The way back to a folder may be closed from here on.
      if way.last?.folder === folder { way.removeLast() }
    }
  }

  /// Opens the folder with this path and makes what is missing of it.
  private mutating func folder(at path: ArraySlice<ArraySlice<UInt8>>) throws(PackError)
    -> OpenFolder
  {
    let common = zip(way, path).prefix { $0.name.elementsEqual($1) }.count
    way.removeLast(way.count - common)
    for component in path.dropFirst(common) {
      let parent = way.last?.folder ?? root
      let name = FileName(component)
      let open = try openOrMake(name, in: parent)
      way.append((Array(component), open))
    }
    return way.last?.folder ?? root
  }

  private mutating func openOrMake(
    _ name: FileName, in parent: OpenFolder
  ) throws(PackError) -> OpenFolder {
    do throws(SystemError) {
      do throws(SystemError) {
        return OpenFolder(try parent.descriptor.open(name, for: .directory), in: parent)
      } catch {
        guard error.code == ENOENT else { throw error }
      }
      try parent.descriptor.makeFolder(name)
      let folder = OpenFolder(try parent.descriptor.open(name, for: .directory), in: parent)
      let path = (way.map(\.name) + [name.bytes]).joined(separator: [slash])
      made.append((Array(path), PackEntry(folder: Array(path))))
      return folder
    } catch {
      guard error.code == ELOOP || error.code == ENOTDIR else {
        throw PackError(error, while: .extracting)
      }
      throw PackError(
        .exists, "'\(parent.descriptor.joined(name))' is in the way: it is no folder",
        remedy: "remove it, or extract into another folder")
    }
  }
}

extension PackEntry {
  /// A folder of which nothing is known but that something lies below it.
  fileprivate init(folder path: [UInt8]) {
    self.init(pathBytes: path, kind: .directory, otherFields: [], streamOffset: 0, fileOffset: 0)
  }
}

extension FileDescriptor {
  /// Gives a file or folder what its entry says about it, except owners and setuid bits.
  fileprivate func restore(_ entry: PackEntry) throws(SystemError) {
    if let permissions = entry.permissions {
      try setPermissions(UInt32(permissions) & 0o777)
    } else if entry.kind == .file {
      try setPermissions(0o644)
    }
    if let time = entry.modified {
      try setModified(FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds))
    }
  }
}
