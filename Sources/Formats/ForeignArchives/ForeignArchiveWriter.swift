import CArchive
import Glibc
package import SystemIO

/// Writes an archive in one of the formats of libarchive.
///
/// The same entries give the same bytes: the clock, the host name and the number of threads have no
/// influence. A zip also contains local time, so programs set `TZ` to UTC first.
@safe package struct ForeignArchiveWriter: ~Copyable {
  private let archive: OpaquePointer
  private let output: ForeignOutput
  private let name: String
  private var current: [UInt8] = []
  private var left: UInt64 = 0
  private let times: ClosedRange<Int64>
  /// The number of times that were outside the range of the format and were moved to its nearer
  /// end.
  package private(set) var movedTimeCount = 0

  /// Starts an archive in an open file; the caller keeps its own descriptor.
  package init(
    _ file: borrowing FileDescriptor, format: ForeignFormat, name: String
  ) throws(Failure) {
    let output = try ForeignOutput(file)
    guard let archive = unsafe try ArchiveLibrary.makeWriter() else {
      throw Failure(.write, name, code: ENOMEM)
    }
    let status = NameLocale.unicode.during {
      let set = unsafe Self.configure(archive, for: format)
      return set == ARCHIVE_OK ? unsafe output.open(archive) : set
    }
    guard status == ARCHIVE_OK else {
      let error = unsafe Self.failure(archive, output, name)
      unsafe archive_write_free(archive)
      throw error
    }
    self.output = output
    self.name = name
    times = format.times
    unsafe self.archive = archive
  }

  deinit {
    // Without this, freeing an unfinished archive would write its end.
    unsafe archive_write_fail(archive)
    unsafe archive_write_free(archive)
  }

  private static func configure(_ archive: OpaquePointer, for format: ForeignFormat) -> Int32 {
    var steps: [Int32] = []
    switch format.layout {
    case .zip:
      unsafe steps.append(archive_write_set_format_zip(archive))
      unsafe steps.append(archive_write_set_format_option(archive, "zip", "compression", "deflate"))
    case .tar: unsafe steps.append(archive_write_set_format_pax_restricted(archive))
    case .sevenZip: unsafe steps.append(archive_write_set_format_7zip(archive))
    case .cpio: unsafe steps.append(archive_write_set_format_cpio_newc(archive))
    }
    switch format.filter {
    case nil: break
    case .gzip:
      unsafe steps.append(archive_write_add_filter_gzip(archive))
      unsafe steps.append(archive_write_set_filter_option(archive, "gzip", "timestamp", nil))
    case .bzip2: unsafe steps.append(archive_write_add_filter_bzip2(archive))
    case .xz:
      unsafe steps.append(archive_write_add_filter_xz(archive))
      unsafe steps.append(archive_write_set_filter_option(archive, "xz", "threads", "1"))
    case .zstd: unsafe steps.append(archive_write_add_filter_zstd(archive))
    case .lz4: unsafe steps.append(archive_write_add_filter_lz4(archive))
    }
    unsafe steps.append(archive_write_set_bytes_in_last_block(archive, 1))
    return steps.first { $0 != ARCHIVE_OK } ?? ARCHIVE_OK
  }

  /// Begins an entry: a folder, or a file, whose contents must have exactly the size of the entry.
  package mutating func begin(_ entry: ForeignEntry) throws(Failure) {
    try checkComplete()
    guard let raw = unsafe archive_entry_new() else {
      throw Failure(.write, name, code: ENOMEM)
    }
    defer { unsafe archive_entry_free(raw) }
    current = entry.path
    left = entry.kind == .file ? entry.size ?? 0 : 0
    let modified = entry.modified.map { held($0) }
    let status = NameLocale.unicode.during {
      unsafe archive_entry_set_pathname(raw, String(decoding: entry.path, as: UTF8.self))
      unsafe archive_entry_set_filetype(raw, entry.kind == .directory ? S_IFDIR : S_IFREG)
      unsafe archive_entry_set_perm(raw, entry.permissions)
      unsafe archive_entry_set_size(raw, Int64(clamping: left))
      unsafe archive_entry_set_uid(raw, Int64(clamping: entry.userID))
      unsafe archive_entry_set_gid(raw, Int64(clamping: entry.groupID))
      unsafe archive_entry_set_nlink(raw, 1)
      if let time = modified {
        unsafe archive_entry_set_mtime(raw, time_t(time.seconds), Int(time.nanoseconds))
      }
      return unsafe archive_write_header(archive, raw)
    }
    guard status == ARCHIVE_OK else { throw failure() }
  }

  private mutating func held(_ time: Moment) -> Moment {
    let held = time.clamped(to: times)
    if held != time { movedTimeCount += 1 }
    return held
  }

  /// Writes the next bytes of the entry.
  package mutating func write(_ bytes: RawSpan) throws(Failure) {
    guard UInt64(bytes.byteCount) <= left else {
      throw .malformed(" has more bytes than its header specifies", entry: current, of: name)
    }
    left -= UInt64(bytes.byteCount)
    let written = unsafe bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, let base = buffer.baseAddress {
        let count = unsafe archive_write_data(archive, base + done, buffer.count - done)
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    guard written else { throw failure() }
  }

  /// Writes the end of the archive.
  package consuming func finish() throws(Failure) {
    try checkComplete()
    let status = NameLocale.unicode.during { unsafe archive_write_close(archive) }
    guard status == ARCHIVE_OK else { throw failure() }
  }

  private func checkComplete() throws(Failure) {
    guard left == 0 else {
      throw .malformed(" lacks \(left) bytes", entry: current, of: name)
    }
  }

  private func failure() -> Failure {
    unsafe Self.failure(archive, output, name, entry: current)
  }

  private static func failure(
    _ archive: OpaquePointer, _ output: ForeignOutput, _ name: String, entry: [UInt8]? = nil
  ) -> Failure {
    if let failure = output.failure { return failure }
    return unsafe Failure(
      name, from: archive, nil, entry: entry, orElse: "it cannot be written")
  }
}
