package import SystemIO

/// The paths of archives in folders.
package enum ArchiveSearch {
  /// The paths of what may be archives in a folder and in those inside it, as they are in order
  /// there.
  package static func archives(
    in path: String, called names: Set<String> = []
  ) throws(Failure) -> [String] {
    var search = Search(names: names)
    try search.search(in: FileDescriptor.open(path, for: .directory))
    return search.paths
  }

  /// The archives that a path stands for where packs are named: itself, or those in a folder, of
  /// which there must be some.
  package static func packs(at path: String) throws(PackError) -> [String] {
    let found = try mapFailure(.reading) { () throws(Failure) -> [String]? in
      guard try FileStatus(ofFileAt: path).kind == .directory else { return nil }
      return try archives(in: path)
    }
    guard found?.isEmpty == true else { return found ?? [path] }
    throw PackError(
      .missing, "there are no packs in '\(path)'", remedy: "name a folder with packs, '….aar'")
  }

  private struct Search {
    let names: Set<String>
    var paths: [String] = []

    init(names: Set<String>) { self.names = names }

    mutating func search(
      in folder: borrowing FileDescriptor
    ) throws(Failure) {
      let listing = try folder.list()
      for item in listing.items {
        let name = listing.fileName(of: item)
        var kind = item.kind
        if kind == .unknown { kind = try folder.status(of: name).kind }
        if kind == .directory {
          guard !name.bytes.starts(with: ".".utf8) else { continue }
          try search(in: folder.open(name, for: .directory))
        } else if isWanted(FilePath(name.bytes).text) {
          paths.append(folder.location.appending(name).text)
        }
      }
    }

    private func isWanted(_ name: String) -> Bool {
      names.contains(name) || name.lowercased().hasSuffix(".aar") && !name.hasPrefix(".")
    }
  }
}
