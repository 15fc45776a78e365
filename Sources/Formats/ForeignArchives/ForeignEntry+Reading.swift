import CArchive
import Glibc
import SystemIO

extension ForeignArchiveReader {
  /// Returns an entry from the data of libarchive and of the archive itself; nil for the root.
  func entry(
    from raw: OpaquePointer, _ format: RecognisedFormat
  ) throws(Failure) -> ForeignEntry? {
    var stored = unsafe bytes(archive_entry_pathname(raw))
    var inDirectory: ZipDirectory.Entry?
    switch names {
    case .asGiven: break
    case .sevenZip(let names):
      stored = stored.flatMap { names.stored(at: headers - 1, insteadOf: $0) }
    case .zip(let directory):
      inDirectory = directory.entry(at: headers - 1, called: stored)
      guard let inDirectory else {
        throw .malformed("the directory of the ZIP archive is damaged", name)
      }
      stored = inDirectory.name
    }
    guard let stored else {
      throw .malformed("an entry has a name that cannot be read", name)
    }
    let path = ForeignPath(stored)
    if path.bytes.isEmpty { return nil }
    var entry = unsafe ForeignEntry(
      index: count, path: path.bytes, kind: kind(of: raw),
      size: archive_entry_size_is_set(raw) != 0 ? UInt64(clamping: archive_entry_size(raw)) : nil,
      permissions: UInt32(archive_entry_perm(raw)) & 0o7777,
      userID: UInt64(clamping: archive_entry_uid(raw)),
      groupID: UInt64(clamping: archive_entry_gid(raw)),
      modified: archive_entry_mtime_is_set(raw) != 0
        ? moment(archive_entry_mtime(raw), archive_entry_mtime_nsec(raw))
        : nil,
      isEncrypted: archive_entry_is_encrypted(raw) != 0)
    entry.hasOwner = inDirectory?.hasOwner ?? format.isTar
    entry.hasPermissions = inDirectory?.hasPermissions ?? true
    entry.pathFlaw = path.flaw
    if let inDirectory { add(inDirectory, to: &entry) }
    return entry
  }

  /// Adds the properties that libarchive does not check, or that are more precise in the directory
  /// of a zip.
  private func add(_ stored: ZipDirectory.Entry, to entry: inout ForeignEntry) {
    entry.flaw = stored.flaw
    guard case .symbolicLink(let given) = entry.kind, !entry.isEncrypted, stored.flaw == nil else {
      return
    }
    let target = stored.target ?? given
    entry.kind = .symbolicLink(target: target)
    if ZipDirectory.checkSum(of: target) != stored.checkSum {
      entry.flaw = "is damaged: its checksum is wrong"
    }
  }

  private func kind(of raw: OpaquePointer) -> ForeignEntry.Kind {
    if let target = unsafe bytes(archive_entry_hardlink(raw)) {
      // It is the name of another entry, so it is cleaned in the same way.
      return .hardLink(target: ForeignPath(target).bytes)
    }
    switch unsafe archive_entry_filetype(raw) {
    case S_IFDIR: return .directory
    case S_IFLNK: return .symbolicLink(target: unsafe bytes(archive_entry_symlink(raw)) ?? [])
    case S_IFCHR, S_IFBLK: return .special("a device")
    case S_IFIFO: return .special("a pipe")
    case S_IFSOCK: return .special("a socket")
    // A zip without Unix modes has 0 here.
    default: return .file
    }
  }

  private func moment(_ seconds: Int, _ nanoseconds: Int) -> Moment {
    Moment(seconds: Int64(seconds), stored: nanoseconds) ?? Moment(seconds: Int64(seconds))
  }

  private func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
