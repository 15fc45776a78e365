import Glibc

/// A file that several runs may complete, and that gets its name when it is complete.
///
/// Until then, the received bytes are in `<name>.part` in the same folder, and a note in
/// `<name>.part-of` describes the whole file. The bytes always belong to the file that the
/// note describes: they are removed before the note changes. One process at a time uses it.
package final class PartialFile {
  /// The final path.
  package let path: String
  /// The open file.
  package let file: FileDescriptor
  private let folder: FileDescriptor
  private let name: FileName
  private let partName: FileName
  private let noteName: FileName
  private let isReplacing: Bool

  /// The maximum size of a note; no version of the program writes more.
  private static let largestNote = 64 << 10
  private static let mostAttempts = 10

  /// Opens the existing partial file, or begins one; nil if another process uses it.
  package init?(_ path: String, replacing isReplacing: Bool = false) throws(Failure) {
    try AtomicFile.check(path, replacing: isReplacing)
    let place = OutputPlace(path)
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    let partName = FileName(place.name.bytes + Self.part)
    var held: FileDescriptor?
    for _ in 0..<Self.mostAttempts {
      let file = try folder.open(partName, for: .locking)
      guard (try? file.tryLock()) ?? true else { return nil }
      // The process that held the lock may have published the file, and the name may refer to
      // another file now.
      guard let status = try? folder.status(of: partName),
        status.identity == (try file.status()).identity
      else { continue }
      held = consume file
      break
    }
    guard let held else { return nil }
    guard try held.status().kind == .file else {
      throw Failure(.write, held.path, code: ENOTSUP)
    }
    self.path = path
    self.isReplacing = isReplacing
    name = place.name
    self.partName = partName
    noteName = FileName(place.name.bytes + Self.note)
    self.folder = folder
    file = held
  }

  deinit { file.unlock() }

  /// Returns the size of the received bytes and the note; nil if there is no usable partial file.
  package func beginning() throws(Failure) -> (size: UInt64, note: [UInt8])? {
    let size = try file.status().size
    guard size > 0 else { return nil }
    do throws(Failure) {
      let note = try folder.open(noteName, for: .reading)
      return (size, try note.readToEnd(atMost: Self.largestNote))
    } catch {
      guard error.code == ENOENT || error.code == ELOOP else { throw error }
      return nil
    }
  }

  /// Empties the file, and writes the note that describes the next bytes.
  ///
  /// With nil, no later run can resume.
  package func begin(_ note: [UInt8]?) throws(Failure) {
    try file.truncate(to: 0)
    try file.seek(to: 0)
    guard let note else {
      folder.removeQuietly(noteName)
      return
    }
    let written = try AtomicFile(replacing: noteName, in: try folder.duplicate())
    try written.setPermissions(0o600)
    try written.write(note)
    try written.publish(syncing: false)
  }

  /// Waits until the bytes are on the disk, and gives the file its name; if the note is kept,
  /// ``takeBack(_:)`` can make it a partial file again.
  package func publish(keepingNote isNoteKept: Bool = false) throws(Failure) {
    _ = try perform(.sync, path) { fsync(file.number) }
    try folder.rename(partName, to: name, replacing: isReplacing, shown: path)
    if !isNoteKept { folder.removeQuietly(noteName) }
    try folder.sync()
  }

  /// Removes the received bytes.
  package func discard() {
    folder.removeQuietly(noteName)
    folder.removeQuietly(partName)
  }

  /// Makes a complete file a partial file again; without its note it is removed, because no run
  /// could resume it.
  package static func takeBack(_ path: String) throws(Failure) {
    let place = OutputPlace(path)
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    let partName = FileName(place.name.bytes + part)
    let noteName = FileName(place.name.bytes + note)
    // An existing partial file has the note.
    guard (try? folder.status(of: partName)) == nil, (try? folder.status(of: noteName)) != nil
    else { return folder.removeQuietly(place.name) }
    try folder.rename(place.name, to: partName, replacing: false, shown: path)
  }

  /// Returns the paths of a partial file and of its note.
  package static func names(of path: String) -> [String] {
    let place = FilePath(path)
    return [part, note].map { FilePath(place.bytes + $0).text }
  }

  private static let part = Array(".part".utf8)
  private static let note = Array(".part-of".utf8)
}
