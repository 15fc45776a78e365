import CArchive
import Glibc
import SystemIO

/// The decoded bytes of a compressed stream, read with libarchive but not as an archive.
///
/// A reader of archives stops at the end of the archive, but the checksum of the compressed stream
/// is after that. This type also reads the checksum.
@safe final class FilterOrigin: ByteOrigin {
  private let source: any ByteOrigin
  private let name: String
  private var reader: (archive: OpaquePointer, input: ForeignInput)?
  private var isAtEnd = false

  /// Returns nil if `source` is not a compressed stream; it is then at its start again.
  init?(_ source: any ByteOrigin, name: String) throws(Failure) {
    self.source = source
    self.name = name
    unsafe reader = try Self.open(source, name)
    guard unsafe reader != nil else {
      try source.restart()
      return nil
    }
  }

  deinit { close() }

  private func close() {
    if let reader = unsafe reader { _ = unsafe archive_read_free(reader.archive) }
    unsafe reader = nil
  }

  private static func open(
    _ source: any ByteOrigin, _ name: String
  ) throws(Failure) -> (archive: OpaquePointer, input: ForeignInput)? {
    guard let archive = unsafe try ArchiveLibrary.makeReader() else { throw .outOfMemory(name) }
    unsafe enableFilters(archive)
    unsafe archive_read_support_format_raw(archive)
    let input = ForeignInput(source)
    let status = unsafe input.open(archive)
    // libarchive counts the source itself as a filter.
    let isFiltered = unsafe archive_filter_count(archive) > 1
    var entry: OpaquePointer?
    if let failure = input.failure {
      unsafe archive_read_free(archive)
      throw failure
    }
    guard isFiltered else {
      unsafe archive_read_free(archive)
      return nil
    }
    guard status == ARCHIVE_OK, unsafe archive_read_next_header(archive, &entry) == ARCHIVE_OK
    else {
      let error = unsafe Failure(name, from: archive, input)
      unsafe archive_read_free(archive)
      throw error
    }
    return unsafe (archive, input)
  }

  private static func enableFilters(_ archive: OpaquePointer) {
    unsafe archive_read_support_filter_bzip2(archive)
    unsafe archive_read_support_filter_xz(archive)
    unsafe archive_read_support_filter_zstd(archive)
  }

  func restart() throws(Failure) {
    close()
    try source.restart()
    unsafe reader = try Self.open(source, name)
    isAtEnd = false
  }

  func next() throws(Failure) -> UnsafeRawBufferPointer {
    guard let reader = unsafe reader, !isAtEnd else {
      return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    }
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let status = unsafe archive_read_data_block(reader.archive, &start, &count, &offset)
      switch status {
      case ARCHIVE_OK:
        if count > 0 { return unsafe UnsafeRawBufferPointer(start: start, count: count) }
      case ARCHIVE_EOF:
        isAtEnd = true
        return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
      default: throw unsafe Failure(name, from: reader.archive, reader.input)
      }
    }
  }
}
