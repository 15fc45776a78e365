import CArchive
import Glibc

extension ForeignArchiveReader {
  /// What libarchive says about an entry, as a value; nil for the root of the archive.
  func entry(from raw: OpaquePointer) throws(ForeignArchiveError) -> ForeignEntry? {
    guard var stored = unsafe bytes(archive_entry_pathname(raw)) else {
      throw ForeignArchiveError(name, reason: "it has an entry whose name cannot be read")
    }
    if let storedNames { stored = storedNames.stored(at: headers - 1, insteadOf: stored) }
    let path: String
    do throws(ForeignPathFault) {
      guard let cleaned = try cleanedPath(stored) else { return nil }
      path = cleaned
    } catch {
      let fault =
        switch error {
        case .absolute: "has an absolute path"
        case .leavesTheArchive: "has a '..' in its path"
        case .notUTF8: "has a name that is not UTF-8"
        }
      throw ForeignArchiveError(name, reason: "entry '\(shown(stored))' \(fault)")
    }
    return unsafe ForeignEntry(
      index: count, path: path, kind: kind(of: raw),
      size: archive_entry_size_is_set(raw) != 0 ? UInt64(clamping: archive_entry_size(raw)) : nil,
      permissions: UInt32(archive_entry_perm(raw)) & 0o7777,
      userID: UInt64(clamping: archive_entry_uid(raw)),
      groupID: UInt64(clamping: archive_entry_gid(raw)),
      modified: archive_entry_mtime_is_set(raw) != 0
        ? .init(
          seconds: Int64(archive_entry_mtime(raw)),
          nanoseconds: nanoseconds(archive_entry_mtime_nsec(raw)))
        : nil,
      created: archive_entry_birthtime_is_set(raw) != 0
        ? .init(
          seconds: Int64(archive_entry_birthtime(raw)),
          nanoseconds: nanoseconds(archive_entry_birthtime_nsec(raw)))
        : nil,
      isEncrypted: archive_entry_is_encrypted(raw) != 0)
  }

  private func kind(of raw: OpaquePointer) -> ForeignEntry.Kind {
    if let target = unsafe bytes(archive_entry_hardlink(raw)) {
      // The name of another entry, so it is cleaned as that one's was.
      let path = (try? cleanedPath(target)) ?? String(decoding: target, as: UTF8.self)
      return .hardLink(target: path)
    }
    switch unsafe archive_entry_filetype(raw) {
    case S_IFDIR: return .directory
    case S_IFLNK:
      let target = unsafe bytes(archive_entry_symlink(raw)) ?? []
      return .symbolicLink(target: String(decoding: target, as: UTF8.self))
    case S_IFCHR, S_IFBLK: return .special("a device")
    case S_IFIFO: return .special("a pipe")
    case S_IFSOCK: return .special("a socket")
    // Formats without types, such as cpio's oldest, leave it at 0.
    default: return .file
    }
  }

  private func nanoseconds(_ value: Int) -> UInt32 {
    (0..<1_000_000_000).contains(value) ? UInt32(value) : 0
  }

  private func bytes(_ text: UnsafePointer<CChar>?) -> [UInt8]? {
    guard let text = unsafe text else { return nil }
    return unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}
