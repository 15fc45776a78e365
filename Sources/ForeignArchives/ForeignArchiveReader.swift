import CArchive
import Glibc
package import SystemIO

/// Reads the entries of an archive one after the other, in the order the archive has them.
///
/// Formats that look at other files (mtree) or start programs (lrzip, grzip) are not among them.
@safe package struct ForeignArchiveReader: ~Copyable {
  private let archive: OpaquePointer
  private let input: ArchiveInput
  private let locale: NameLocale
  let storedNames: StoredNames?
  /// How messages call the archive.
  package let name: String
  /// How many entries were seen so far.
  private(set) var count = 0
  /// How many headers libarchive read, those of the root too.
  private(set) var headers = 0
  private var current: String?
  private var remaining: UInt64?
  /// What libarchive handed out of the current entry and nobody took yet.
  private var pending: UnsafeRawBufferPointer?
  /// Where `pending` belongs in the entry, and how much of the entry was handed on.
  private var pendingOffset: Int64 = 0
  private var delivered: Int64 = 0

  /// Opens the archive in a regular file; the caller keeps its descriptor.
  ///
  /// `isInterrupted` is asked whenever the file is read, so that going over a large entry ends soon.
  package init(
    _ file: borrowing FileDescriptor, name: String,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(ForeignArchiveError) {
    let input: ArchiveInput
    do throws(SystemError) {
      input = try ArchiveInput(file, isInterrupted: isInterrupted)
    } catch {
      throw ForeignArchiveError(error)
    }
    do throws(ForeignArchiveError) {
      unsafe archive = try Self.open(input, name, tar: true, .bytes)
      locale = .bytes
      storedNames = nil
    } catch {
      guard error.cause == .archive else { throw error }
      input.rewind()
      let names = try StoredNames(file)
      unsafe archive = try Self.open(input, name, tar: false, .unicode)
      locale = .unicode
      storedNames = names
    }
    self.name = name
    self.input = input
  }

  private static func open(
    _ input: ArchiveInput, _ name: String, tar: Bool, _ locale: NameLocale
  ) throws(ForeignArchiveError) -> OpaquePointer {
    guard let archive = unsafe archive_read_new() else {
      throw ForeignArchiveError(SystemError("read", name, code: ENOMEM))
    }
    unsafe enableFilters(archive)
    if tar {
      unsafe archive_read_support_format_tar(archive)
    } else {
      unsafe enableFormats(archive)
    }
    let status = locale.during { unsafe input.open(archive) }
    guard status == ARCHIVE_OK else {
      let error = unsafe Self.failure(archive, input, name)
      unsafe archive_read_free(archive)
      throw error
    }
    return unsafe archive
  }

  deinit { unsafe archive_read_free(archive) }

  /// The formats besides tar.
  private static func enableFormats(_ archive: OpaquePointer) {
    unsafe archive_read_support_format_zip(archive)
    unsafe archive_read_support_format_7zip(archive)
    unsafe archive_read_support_format_cpio(archive)
    unsafe archive_read_support_format_iso9660(archive)
    unsafe archive_read_support_format_rar(archive)
    unsafe archive_read_support_format_rar5(archive)
    unsafe archive_read_support_format_cab(archive)
    unsafe archive_read_support_format_lha(archive)
    unsafe archive_read_support_format_ar(archive)
    unsafe archive_read_support_format_xar(archive)
  }

  private static func enableFilters(_ archive: OpaquePointer) {
    unsafe archive_read_support_filter_gzip(archive)
    unsafe archive_read_support_filter_bzip2(archive)
    unsafe archive_read_support_filter_compress(archive)
    unsafe archive_read_support_filter_lzma(archive)
    unsafe archive_read_support_filter_xz(archive)
    unsafe archive_read_support_filter_lzip(archive)
    unsafe archive_read_support_filter_zstd(archive)
    unsafe archive_read_support_filter_lz4(archive)
  }

  /// The next entry; nil at the end.
  ///
  /// What is left of the one before is skipped.
  ///
  /// The root of the archive (`./`) is passed over. A name that is absolute, has a `..` or is no
  /// UTF-8 is an error: such an archive was not made to be unpacked.
  package mutating func next() throws(ForeignArchiveError) -> ForeignEntry? {
    while true {
      current = nil
      unsafe pending = nil
      var raw: OpaquePointer?
      let status = locale.during { unsafe archive_read_next_header(archive, &raw) }
      if status == ARCHIVE_EOF { return nil }
      headers += 1
      guard let raw = unsafe raw, status == ARCHIVE_OK || status == ARCHIVE_WARN else {
        throw failure()
      }
      guard
        let entry = try locale.during({ () throws(ForeignArchiveError) in
          try unsafe entry(from: raw)
        })
      else { continue }
      count += 1
      current = entry.path
      remaining = entry.size
      unsafe pending = UnsafeRawBufferPointer(start: nil, count: 0)
      pendingOffset = 0
      delivered = 0
      return entry
    }
  }

  /// Appends bytes of the current entry until `output` is full; appends none at its end.
  ///
  /// An entry that is shorter or longer than its size says is an error.
  package mutating func read(
    into output: inout OutputRawSpan
  ) throws(ForeignArchiveError) {
    while !output.isFull, let block = unsafe pending {
      let gap = pendingOffset - delivered
      if unsafe block.isEmpty && gap == 0 {
        try readBlock()
        continue
      }
      let room = output.freeCapacity
      if gap > 0 {
        // A sparse file: what no block covers is zeros.
        let count = Int(min(gap, Int64(room)))
        unsafe output.append(repeating: 0, count: count, as: UInt8.self)
        try deliver(count)
      } else {
        let count = min(block.count, room)
        unsafe output.withUnsafeMutableBytes { buffer, initialized in
          let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[initialized...])
          unsafe free.copyMemory(from: UnsafeRawBufferPointer(rebasing: block.prefix(count)))
          initialized += count
        }
        unsafe pending = UnsafeRawBufferPointer(rebasing: block.dropFirst(count))
        pendingOffset += Int64(count)
        try deliver(count)
      }
    }
  }

  private mutating func deliver(_ count: Int) throws(ForeignArchiveError) {
    delivered += Int64(count)
    guard let left = remaining else { return }
    guard left >= UInt64(count) else {
      throw fault("is longer than its header says")
    }
    remaining = left - UInt64(count)
  }

  /// Fetches libarchive's next block; at the end of the entry `pending` becomes nil.
  private mutating func readBlock() throws(ForeignArchiveError) {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let status = unsafe archive_read_data_block(archive, &start, &count, &offset)
    switch status {
    case ARCHIVE_OK, ARCHIVE_WARN:
      guard offset >= delivered else { throw fault("has blocks that overlap") }
      unsafe pending = UnsafeRawBufferPointer(start: start, count: count)
      pendingOffset = offset
    case ARCHIVE_EOF:
      // A sparse file may end in a hole that no block covers.
      if let left = remaining, left > 0, offset > delivered {
        unsafe pending = UnsafeRawBufferPointer(start: nil, count: 0)
        pendingOffset = offset
        return
      }
      unsafe pending = nil
      if let left = remaining, left > 0 {
        throw fault("is shorter than its header says")
      }
    default:
      throw failure()
    }
  }

  private func fault(_ words: String) -> ForeignArchiveError {
    ForeignArchiveError(name, reason: "entry '\(current ?? "")' \(words)")
  }

  private func failure() -> ForeignArchiveError {
    unsafe Self.failure(archive, input, name, entry: current)
  }

  private static func failure(
    _ archive: OpaquePointer, _ input: ArchiveInput, _ name: String, entry: String? = nil
  ) -> ForeignArchiveError {
    if let failure = input.failure { return failure }
    let words = unsafe archive_error_string(archive).map { unsafe String(cString: $0) }
    let reason = words ?? "it cannot be read"
    return ForeignArchiveError(name, reason: entry.map { "entry '\($0)': \(reason)" } ?? reason)
  }
}
