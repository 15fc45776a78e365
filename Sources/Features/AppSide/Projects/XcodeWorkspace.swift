import BAPackKit
package import SystemIO

/// Reads the projects that an Xcode workspace names.
package enum XcodeWorkspace {
  private static let largestText = 4 << 20

  /// Returns the paths of the projects, in the order of the workspace and relative to its folder.
  package static func projects(of workspace: FilePath) -> [FilePath] {
    let list = workspace.appending(FilePath("contents.xcworkspacedata"))
    guard let file = try? FileDescriptor.open(list.text, for: .reading),
      let bytes = try? file.readToEnd(atMost: largestText + 1), bytes.count <= largestText
    else { return [] }
    let container = workspace.folder
    // The folders of the open groups.
    var groups: [FilePath] = []
    var projects: [FilePath] = []
    for piece in withoutComments(String(decoding: bytes, as: UTF8.self)).split(separator: "<") {
      let tag = piece.prefix { $0 != ">" }
      if tag.hasPrefix("/Group") { _ = groups.popLast() }
      guard tag.hasPrefix("Group") || tag.hasPrefix("FileRef") else { continue }
      let place = place(attribute("location", of: tag), groups.last ?? container, container)
      if tag.hasPrefix("Group"), !tag.hasSuffix("/") {
        groups.append(place ?? groups.last ?? container)
      } else if let place, place.hasSuffix(".xcodeproj"), !projects.contains(place) {
        projects.append(place)
      }
    }
    return projects
  }

  /// Returns the path of a location such as `group:Game/Game.xcodeproj`; nil if it represents no
  /// path.
  private static func place(
    _ location: String?, _ group: FilePath, _ container: FilePath
  ) -> FilePath? {
    guard let location, let colon = location.firstIndex(of: ":") else { return nil }
    let path = FilePath(String(location[location.index(after: colon)...]))
    switch location[..<colon] {
    case "group": return path.components.isEmpty ? group : group.appending(path)
    case "container": return path.components.isEmpty ? container : container.appending(path)
    case "absolute": return path
    default: return nil
    }
  }

  private static func withoutComments(_ text: String) -> String {
    var rest = text[...]
    var result = ""
    while let start = rest.firstRange(of: "<!--") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...].firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
    }
    return result + rest
  }

  /// Returns the value of an attribute; nil if the tag does not have it.
  private static func attribute(_ name: String, of tag: Substring) -> String? {
    guard let range = tag.firstRange(of: name) else { return nil }
    let rest = tag[range.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return nil }
    let value = rest.dropFirst().prefix { $0 != quote }
    let entities = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
    ]
    return entities.reduce(String(value)) { $0.replacing($1.0, with: $1.1) }
  }
}

extension XcodeWorkspace {
  /// Returns the projects in a folder or in a workspace; a project is its own.
  package static func projects(in path: FilePath) -> [FilePath] {
    if path.hasSuffix(".xcodeproj") { return [path] }
    if path.hasSuffix(".xcworkspace") { return projects(of: path) }
    guard let listing = try? FileDescriptor.open(path.text, for: .directory).list() else {
      return []
    }
    let names = listing.items.map { FilePath(listing.name(of: $0)) }
    let projects = names.filter { $0.hasSuffix(".xcodeproj") }
    if !projects.isEmpty { return projects.map { path.appending($0) } }
    let workspace = names.first { $0.hasSuffix(".xcworkspace") }
    return workspace.map { self.projects(of: path.appending($0)) } ?? []
  }
}
