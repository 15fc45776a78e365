import SystemIO

/// Returns the open files of this process at or below `path`.
package func openDescriptors(below path: String) throws -> [String] {
  let folder = try FileDescriptor.open("/proc/self/fd", for: .directory)
  let listing = try folder.list()
  // The list contains the descriptor of the listing, which is closed when its target is read.
  return listing.items
    .compactMap { try? folder.linkTarget(of: listing.fileName(of: $0)) }
    .map { String(decoding: $0, as: UTF8.self) }
    .filter { $0.hasPrefix(path.hasSuffix("/") ? String(path.dropLast()) : path) }
}
