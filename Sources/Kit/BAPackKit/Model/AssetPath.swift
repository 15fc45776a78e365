import AssetArchive
package import SystemIO

/// The path of a file or folder of a pack as an app sees it, without the prefix `Contents/`.
///
/// It is a view of bytes that are stored elsewhere. The paths of a ``Selection`` are valid. Paths
/// from archives and other files can contain any bytes.
package struct AssetPath: Sendable, Hashable {
  package let bytes: ArraySlice<UInt8>

  /// Creates a path from bytes, without validation.
  package init(unchecked bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Creates a path from a copy of bytes, without validation.
  package init(unchecked bytes: some Sequence<UInt8>) { self.bytes = Array(bytes)[...] }

  package func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }

  /// The last component.
  package var name: FileName { FilePath(bytes).name }

  /// The bytes up to the last slash, and the bytes after it.
  package var parts: (folder: ArraySlice<UInt8>, name: ArraySlice<UInt8>) {
    let name = bytes.lastIndex(of: slash).map { $0 + 1 } ?? bytes.startIndex
    return (bytes[..<name], bytes[name...])
  }

  /// The path for messages; invalid UTF-8 and control characters are escaped.
  package var shown: String { shownBytes(bytes) }

  /// The path as a string, which `FilePath` converts to the same path.
  package var text: String { FilePath(bytes).text }
}

extension AssetPath: Comparable {
  package static func < (left: AssetPath, right: AssetPath) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension StoredPath {
  /// The path that an app sees, without validation; nil outside `Contents`.
  var pathInContents: AssetPath? { bytesInContents.map { AssetPath(unchecked: $0) } }
}
