import BAPackKit
import SystemIO

/// The relation of a manifest's source root to the inspected folder.
enum RootOffset: Sendable, Hashable {
  /// The inspected folder has this path in the source root; empty for the same folder.
  case inside([UInt8])
  /// The source root has this path in the inspected folder.
  case around([UInt8])
  /// Neither contains the other, or the source root is not a folder.
  case apart

  /// Compares two folders without their links.
  init(of root: String, to inspected: String) {
    guard let root = try? FilePath(realPath(of: root)).components,
      let inspected = try? FilePath(realPath(of: inspected)).components
    else {
      self = .apart
      return
    }
    func rest(_ path: [FileName], below folder: [FileName]) -> [UInt8]? {
      path.starts(with: folder) ? FilePath(joining: path.dropFirst(folder.count)).bytes : nil
    }
    if let path = rest(inspected, below: root) {
      self = .inside(path)
    } else {
      self = rest(root, below: inspected).map(Self.around) ?? .apart
    }
  }

  /// Returns the path of an entry of the inspected folder in the source root; nil if the source
  /// root does not contain it.
  func path(of path: [UInt8]) -> [UInt8]? {
    switch self {
    case .inside(let prefix): return Self.join(prefix, path[...])
    case .around(let prefix):
      return path.starts(with: prefix + [slash]) ? Array(path.dropFirst(prefix.count + 1)) : nil
    case .apart: return nil
    }
  }

  /// Returns the path in the inspected folder of an entry of the source root; nil if the inspected
  /// folder does not contain it.
  func treePath(of path: [UInt8]) -> [UInt8]? {
    switch self {
    case .inside(let prefix):
      if prefix.isEmpty || path == prefix { return path == prefix ? [] : path }
      return path.starts(with: prefix + [slash]) ? Array(path.dropFirst(prefix.count + 1)) : nil
    case .around(let prefix): return Self.join(prefix, path[...])
    case .apart: return nil
    }
  }

  /// Returns the pattern of an exclusion in the source root with the same matches; nil if there is
  /// none.
  ///
  /// - Parameter pattern: A pattern for paths of the inspected folder.
  func exclusion(_ pattern: String) -> String? {
    let names = FilePath(pattern.utf8).components
    if names.count == 1, !pattern.hasPrefix("./") || names[0] == "**" { return pattern }
    let bytes = FilePath(joining: names).bytes
    func escaped(_ path: [UInt8]) -> [UInt8] {
      FilePath(joining: FilePath(path).components.map(NamePattern.escaped)).bytes
    }
    let own: [UInt8]?
    switch self {
    case .inside(let prefix): own = Self.join(escaped(prefix), bytes[...])
    case .around(let prefix):
      let start = escaped(prefix) + [slash]
      own =
        names.first == "**"
        ? bytes : bytes.starts(with: start) ? Array(bytes.dropFirst(start.count)) : nil
    case .apart: own = nil
    }
    return own.flatMap { String(validating: $0, as: UTF8.self) }
      .map { $0.utf8.contains(slash) ? $0 : "./" + $0 }
  }

  /// Joins two paths, each of which may be empty.
  static func join(_ folder: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8] {
    if folder.isEmpty { return Array(rest) }
    return rest.isEmpty ? folder : folder + [slash] + rest
  }
}
