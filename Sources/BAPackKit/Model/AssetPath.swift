import AssetArchive
package import SystemIO

/// The path of a file or folder of a pack as an app sees it; in the archive, `Contents/` precedes
/// it.
///
/// It is a view of bytes that are stored elsewhere. A ``Selection`` has checked its paths. Paths of
/// an archive, a report, a list or a kept device can be any bytes.
package struct AssetPath: Sendable, Hashable {
  package let bytes: ArraySlice<UInt8>

  /// Makes a path of bytes that are not checked.
  package init(unchecked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Makes a path of other bytes that are not checked.
  package init(unchecked bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

  /// The last of its names.
  package var name: FileName { FilePath(bytes).name }

  /// The bytes up to the last slash, and the bytes after it.
  package var parts: (folder: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
    let name = bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return (bytes[..<name], bytes[name...])
  }

  /// The path as a message shows it: bytes that are not UTF-8, or would move the cursor, are
  /// escaped.
  package var shown: String { shownBytes(bytes) }

  /// The path as a string from which `FilePath` makes the same path again.
  package var text: String { FilePath(bytes).text }
}

extension AssetPath: Comparable {
  package static func < (left: AssetPath, right: AssetPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension StoredPath {
  /// The path that an app would see, valid or not; nil outside `Contents`.
  var pathInContents: AssetPath? { bytesInContents.map { AssetPath(unchecked: $0) } }
}
