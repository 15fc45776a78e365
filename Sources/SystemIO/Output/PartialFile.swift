import Glibc

/// A file that may take several runs to come, and gets its name when it is whole.
///
/// Until then what has come stands beside its place as `<name>.part`, and what that is a part of in
/// a note, `<name>.part-of`. Bytes are never there under a note that is not theirs: the file is
/// emptied before the note changes. One process at a time has it.
package final class PartialFile {
  /// The path that it gets in the end.
  package let path: String
  /// The open file.
  package let file: FileDescriptor
  private let folder: FileDescriptor
  private let name: FileName
  private let partName: FileName
  private let noteName: FileName
  private let isReplacing: Bool

  /// Nobody writes more than this into a note.
  private static let largestNote = 64 << 10
  private static let mostAttempts = 10

  /// Takes up what is there, or begins; nil when another process is at it.
  package init?(_ path: String, replacing isReplacing: Bool = false) throws(Failure) {
    try AtomicFile.check(path, replacing: isReplacing)
    let place = OutputPlace(path)
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    let partName = FileName(place.name.bytes + Self.part)
    var held: FileDescriptor?
    for _ in 0..<Self.mostAttempts {
      let file = try folder.open(partName, for: .locking)
      guard (try? file.tryLock()) ?? true else { return nil }
      // Whoever had it may have given it its name, and there is another one now.
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

  /// How much has come, and what it is a part of; nil where nothing is of use.
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

  /// Empties the file, and notes what the bytes that come next are a part of; nil where nobody
  /// could go on with them.
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

  /// Waits until the bytes are on the disk, and gives the file its name; where the note stays
  /// beside it, ``takeBack(_:)`` can make a beginning of it again.
  package func publish(keepingNote isNoteKept: Bool = false) throws(Failure) {
    _ = try perform(.sync, path) { fsync(file.number) }
    try folder.rename(partName, to: name, replacing: isReplacing, shown: path)
    if !isNoteKept { folder.removeQuietly(noteName) }
    try folder.sync()
  }

  /// Removes what has come.
  package func discard() {
    folder.removeQuietly(noteName)
    folder.removeQuietly(partName)
  }

  /// Takes the name from a whole file, and makes a beginning of it; without a note of its own it is
  /// removed, since nobody could go on with it.
  package static func takeBack(_ path: String) throws(Failure) {
    let place = OutputPlace(path)
    let folder = try FileDescriptor.open(place.folder, for: .directory)
    let partName = FileName(place.name.bytes + part)
    let noteName = FileName(place.name.bytes + note)
    // A beginning that is there has the note.
    guard (try? folder.status(of: partName)) == nil, (try? folder.status(of: noteName)) != nil
    else { return folder.removeQuietly(place.name) }
    try folder.rename(place.name, to: partName, replacing: false, shown: path)
  }

  /// The paths of a beginning of a file, and of its note.
  package static func names(of path: String) -> [String] {
    let place = FilePath(path)
    return [part, note].map { FilePath(place.bytes + $0).text }
  }

  private static let part = Array(".part".utf8)
  private static let note = Array(".part-of".utf8)
}
