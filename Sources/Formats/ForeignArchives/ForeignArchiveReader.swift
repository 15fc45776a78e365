import CArchive
import Glibc
package import SystemIO

/// Reads the entries of an archive one after the other, in their order.
///
/// It reads tar, zip and 7z. Other formats of libarchive are left out, because it does not check
/// all their checksums, changes their names, reads other files (mtree), or starts programs (lrzip).
@safe package struct ForeignArchiveReader: ~Copyable {
  private let archive: OpaquePointer
  private let input: ForeignInput
  private let formats: FormatGroup
  private let isCompressed: Bool
  let names: StoredNames
  /// The archive's name in messages.
  package let name: String
  /// The number of entries that have been read.
  private(set) var count = 0
  /// The number of headers that libarchive has read, including those of the root.
  private(set) var headers = 0
  private var current: [UInt8]?
  /// Whether one of the entries that were read was encrypted.
  private var hasEncrypted = false
  private var remaining: UInt64?
  /// Bytes of the current entry that libarchive has returned and that have not been used yet.
  private var pending: UnsafeRawBufferPointer?
  /// The offset of `pending` in the entry, and the number of delivered bytes of the entry.
  private var pendingOffset: Int64 = 0
  private var delivered: Int64 = 0

  /// Opens the archive in a regular file; the caller keeps its own descriptor.
  ///
  /// The operation can be stopped at each read of the file, also inside a large entry.
  package init(
    _ file: borrowing FileDescriptor, name: String, _ work: Work
  ) throws(Failure) {
    let bytes = try FileOrigin(file, work)
    let origin = try decoded(bytes, name)
    let start = try origin.start(512)
    // An empty tar has only zeros, but a file that begins with zeros is more likely a disc image.
    if start.isZero { throw .malformed("Unrecognized archive format", name) }
    let opened: Opened
    do throws(Failure) {
      opened = try Self.open(.withBytes, file, bytes, origin, start, name)
    } catch {
      guard error.isAboutBytes else { throw error }
      try origin.restart()
      opened = try Self.open(.withUnicode, file, bytes, origin, start, name)
    }
    isCompressed = origin !== bytes
    self.name = name
    (formats, names, input) = (opened.formats, opened.names, opened.input)
    unsafe archive = opened.archive
  }

  /// An archive opened with one group of formats.
  @safe private struct Opened {
    var formats: FormatGroup
    var names: StoredNames
    var input: ForeignInput
    var archive: OpaquePointer
  }

  private static func open(
    _ formats: FormatGroup, _ file: borrowing FileDescriptor, _ bytes: FileOrigin,
    _ origin: any ByteOrigin, _ start: [UInt8], _ name: String
  ) throws(Failure) -> Opened {
    let names = try StoredNames(
      formats, file, bytes, start: start, isCompressed: origin !== bytes, name)
    let input = ForeignInput(origin)
    guard let archive = unsafe try ArchiveLibrary.makeReader() else { throw .outOfMemory(name) }
    unsafe formats.enable(archive)
    let status = formats.locale.during { unsafe input.open(archive) }
    guard status == ARCHIVE_OK else {
      let error = unsafe Failure(name, from: archive, input)
      unsafe archive_read_free(archive)
      throw error
    }
    return unsafe Opened(formats: formats, names: names, input: input, archive: archive)
  }

  deinit { unsafe archive_read_free(archive) }

  /// Returns the next entry; nil at the end.
  ///
  /// The rest of the entry before is skipped, and so is the root of the archive (`./`).
  package mutating func next() throws(Failure) -> ForeignEntry? {
    while true {
      current = nil
      unsafe pending = nil
      var raw: OpaquePointer?
      let status = formats.locale.during { unsafe archive_read_next_header(archive, &raw) }
      if status == ARCHIVE_EOF {
        if let failure = input.failure { throw failure }
        try checkEnd()
        return nil
      }
      headers += 1
      guard let raw = unsafe raw, status == ARCHIVE_OK || status == ARCHIVE_WARN else {
        throw failure()
      }
      let format = unsafe RecognisedFormat(of: archive)
      guard
        var entry = try formats.locale.during({ () throws(Failure) in
          try unsafe entry(from: raw, format)
        })
      else { continue }
      let mayWarn = format.isZip && status == ARCHIVE_WARN || format.isSevenZip && entry.isLink
      if mayWarn, entry.flaw == nil {
        // libarchive only warns if the header before the contents of a zip contradicts the
        // directory, and if the checksum of a link's target in a 7z is wrong.
        entry.flaw = unsafe archive_error_string(archive).map {
          "is damaged: " + (unsafe Failure.shown($0))
        }
      }
      count += 1
      hasEncrypted = hasEncrypted || entry.isEncrypted
      current = entry.path
      remaining = entry.size
      unsafe pending = UnsafeRawBufferPointer(start: nil, count: 0)
      pendingOffset = 0
      delivered = 0
      return entry
    }
  }

  /// Throws if a tar ends where its next header would begin.
  ///
  /// A tar ends with two blocks of zeros. Some programs write only one, and libarchive and GNU tar
  /// accept a tar without any: then an archive that was cut between two entries seems to be
  /// complete.
  private func checkEnd() throws(Failure) {
    let end = unsafe archive_read_header_position(archive)
    guard unsafe RecognisedFormat(of: archive).isTar, let size = input.byteCount, size <= end
    else { return }
    throw .malformed("the tar archive is truncated: its end mark is missing", name)
  }

  /// Reads the bytes after the last entry: only then are all checks of a compressed stream done.
  package mutating func finish() throws(Failure) {
    if isCompressed { try input.readToEnd() }
  }

  /// Appends bytes of the current entry until `output` is full; appends none at its end.
  ///
  /// An entry whose length or checksum differs from the archive's header is an error.
  package mutating func read(
    into output: inout OutputRawSpan
  ) throws(Failure) {
    while !output.isFull, let block = unsafe pending {
      let gap = pendingOffset - delivered
      if unsafe block.isEmpty && gap == 0 {
        try readBlock()
        continue
      }
      let room = output.freeCapacity
      if gap > 0 {
        // In a sparse file, bytes outside all blocks are zeros.
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

  private mutating func deliver(_ count: Int) throws(Failure) {
    delivered += Int64(count)
    guard let left = remaining else { return }
    guard left >= UInt64(count) else { throw fault(" is longer than its header specifies") }
    remaining = left - UInt64(count)
  }

  /// Gets libarchive's next block; at the end of the entry `pending` becomes nil.
  private mutating func readBlock() throws(Failure) {
    var start: UnsafeRawPointer?
    var count = 0
    var offset: Int64 = 0
    let status = unsafe archive_read_data_block(archive, &start, &count, &offset)
    switch status {
    case ARCHIVE_OK:
      guard offset >= delivered else { throw fault(" has blocks that overlap") }
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
      if let left = remaining, left > 0 { throw fault(" is shorter than its header specifies") }
    default:
      // Also after a warning: libarchive reports a wrong checksum as a warning.
      throw failure()
    }
  }

  private func fault(_ phrase: String) -> Failure {
    .malformed(phrase, entry: current ?? [], of: name)
  }

  private func failure() -> Failure {
    // libarchive's flag remains set after the first encrypted entry. So it is about this entry
    // only if no earlier entry was encrypted.
    unsafe Failure(
      name, from: archive, input, entry: current,
      isEncrypted: !hasEncrypted && archive_read_has_encrypted_entries(archive) > 0)
  }
}
