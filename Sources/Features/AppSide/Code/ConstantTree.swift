import BAPackKit

/// The constants of an app with their names in one language.
struct ConstantTree {
  /// A folder with its constants.
  struct Folder {
    /// The name; empty for the top.
    var name = ""
    /// The path; empty for the top.
    var path = ""
    var folders: [Folder] = []
    var files: [(name: String, path: PackConstants.Path)] = []
  }

  /// The names of the packs, in their order.
  let packNames: [String]
  /// The folder of all paths.
  let top: Folder
  private(set) var collisions: [NameCollision] = []

  /// Names the constants.
  ///
  /// - Parameters:
  ///   - constants: The packs and their paths.
  ///   - style: The form of names.
  ///   - detail: The paths that have constants.
  ///   - packMembers: Other names in the scope of the packs.
  ///   - folderMembers: Other names in the scope of each folder.
  init(
    _ constants: PackConstants, _ style: NameStyle, _ detail: PathDetail,
    packMembers: Set<String> = [], folderMembers: Set<String> = []
  ) {
    packNames = style.names(
      for: constants.packs.map { .init(text: $0.id.text) }, besides: packMembers, &collisions)
    var builder = Builder(
      paths: constants.paths, style: style, namesFiles: detail == .files, members: folderMembers)
    top =
      detail == .none
      ? Folder() : builder.folder(Folder(), of: 0..<constants.paths.count, depth: 0)
    collisions += builder.collisions
  }

  /// Creates the folders from the sorted paths.
  private struct Builder {
    let paths: [PackConstants.Path]
    let style: NameStyle
    let namesFiles: Bool
    let members: Set<String>
    var collisions: [NameCollision] = []

    /// Returns a folder with the constants of a range of paths; `depth` is the length of the folder
    /// in bytes, with its last slash.
    mutating func folder(_ folder: Folder, of range: Range<Int>, depth: Int) -> Folder {
      var folder = folder
      var folders: [(name: String, range: Range<Int>, depth: Int)] = []
      var files: [(name: String, path: PackConstants.Path)] = []
      var start = range.lowerBound
      while start < range.upperBound {
        let name = paths[start].text.utf8.dropFirst(depth)
        guard let end = name.firstIndex(of: slash) else {
          if namesFiles { files.append((String(name) ?? "", paths[start])) }
          start += 1
          continue
        }
        let prefix = paths[start].text.utf8.prefix(through: end)
        let next = paths[start..<range.upperBound].firstIndex { !$0.text.utf8.starts(with: prefix) }
        let stop = next ?? range.upperBound
        folders.append((String(name[..<end]) ?? "", start..<stop, prefix.count))
        start = stop
      }
      let names = style.names(
        for: folders.map { .init(text: $0.name, isFolder: true) }
          + files.map { .init(text: $0.name) },
        in: folder.path, besides: members.union([folder.name]), &collisions)
      for (item, name) in zip(folders, names) {
        let path = folder.path.isEmpty ? item.name : folder.path + "/" + item.name
        folder.folders.append(
          self.folder(Folder(name: name, path: path), of: item.range, depth: item.depth))
      }
      folder.files = zip(files, names.dropFirst(folders.count)).map { ($1, $0.path) }
      return folder
    }
  }
}

private let slash = UInt8(ascii: "/")
