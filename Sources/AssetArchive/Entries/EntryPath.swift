/// What is wrong with a path in an archive: readers refuse these, and so a writer never makes them.
package enum PathFault: Error, Sendable, Hashable, CaseIterable {
  case tooLong, nul, absolute, trailingSlash, emptyComponent, parentComponent, dotComponent
  case longComponent
}

extension PathFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong: "is longer than \(EntryPath.largestSize) bytes"
    case .nul: "holds a NUL"
    case .absolute: "is absolute"
    case .trailingSlash: "ends in a slash"
    case .emptyComponent: "has an empty component"
    case .parentComponent: "has a '..' component"
    case .dotComponent: "has a '.' component"
    case .longComponent: "has a name of more than \(EntryPath.longestComponent) bytes"
    }
  }
}

/// The paths that an entry may have.
package enum EntryPath {
  package static let largestSize = 1023
  /// What the file systems of devices allow.
  package static let longestComponent = 255

  /// What is wrong with `path`; the root's empty path is right.
  package static func fault(in path: [UInt8]) -> PathFault? {
    let slash = UInt8(ascii: "/")
    if path.isEmpty { return nil }
    if path.count > largestSize { return .tooLong }
    if path.contains(0) { return .nul }
    if path.first == slash { return .absolute }
    if path.last == slash { return .trailingSlash }
    // One walk over the bytes and no slices: a pack of many files asks this of each of them.
    var start = 0
    for index in 0...path.count where index == path.count || path[index] == slash {
      if let fault = fault(inComponent: path[start..<index]) { return fault }
      start = index + 1
    }
    return nil
  }

  private static func fault(inComponent component: ArraySlice<UInt8>) -> PathFault? {
    if component.count > longestComponent { return .longComponent }
    guard component.count <= 2, component.allSatisfy({ $0 == UInt8(ascii: ".") }) else {
      return nil
    }
    return switch component.count {
    case 0: .emptyComponent
    case 1: .dotComponent
    default: .parentComponent
    }
  }
}
