import SystemIO

/// The files at or below `path` that this process has open.
package func openDescriptors(below path: String) throws -> [String] {
  let folder = try FileDescriptor.open("/proc/self/fd", for: .directory)
  let listing = try folder.list()
  // The one that lists is in the list, and is gone when somebody asks.
  return listing.items
    .compactMap { try? folder.linkTarget(of: listing.fileName(of: $0)) }
    .map { String(decoding: $0, as: UTF8.self) }
    .filter { $0.hasPrefix(path.hasSuffix("/") ? String(path.dropLast()) : path) }
}
