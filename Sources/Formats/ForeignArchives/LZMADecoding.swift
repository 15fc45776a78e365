import CArchive
import SystemIO

/// Decodes one LZMA stream of a known size, in the form that 7z uses for its header; nil if it is
/// not one.
///
/// libarchive decodes it: with a header before it, the stream is a file in the old `.lzma` format.
func decodeLZMA(_ bytes: [UInt8], properties: [UInt8], size: Int) throws(Failure) -> [UInt8]? {
  guard properties.count == 5, size >= 0,
    let archive = unsafe try ArchiveLibrary.makeReader()
  else { return nil }
  defer { unsafe archive_read_free(archive) }
  // No match reaches further back than the start, so the window can be smaller than the header
  // specifies.
  var window = 4096
  while window < size { window *= 2 }
  let file =
    [properties[0]] + (0..<4).map { UInt8(truncatingIfNeeded: window >> (8 * $0)) }
    + (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + bytes
  return unsafe file.withUnsafeBytes { file in
    var entry: OpaquePointer?
    guard unsafe archive_read_support_format_raw(archive) == ARCHIVE_OK,
      unsafe archive_read_append_filter(archive, ARCHIVE_FILTER_LZMA) == ARCHIVE_OK,
      unsafe archive_read_open_memory(archive, file.baseAddress, file.count) == ARCHIVE_OK,
      unsafe archive_read_next_header(archive, &entry) == ARCHIVE_OK
    else { return nil }
    let decoded = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
        let read = unsafe archive_read_data(archive, rest.baseAddress, rest.count)
        guard read > 0 else { return }
        count += read
      }
    }
    return decoded.count == size ? decoded : nil
  }
}
