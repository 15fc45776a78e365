/// What is wrong with a path in an archive: readers refuse these, and so a writer never makes them.
package enum PathFault: Error, Sendable, Hashable, CaseIterable {
  case tooLong, nul, absolute, trailingSlash, emptyComponent, parentComponent, dotComponent
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
    }
  }
}

/// The paths that an entry may have.
package enum EntryPath {
  package static let largestSize = 1023

  /// What is wrong with `path`; the root's empty path is right.
  package static func fault(in path: some BidirectionalCollection<UInt8>) -> PathFault? {
    let slash = UInt8(ascii: "/")
    let dot = UInt8(ascii: ".")
    if path.isEmpty { return nil }
    if path.count > largestSize { return .tooLong }
    if path.contains(0) { return .nul }
    if path.first == slash { return .absolute }
    if path.last == slash { return .trailingSlash }
    for component in path.split(separator: slash, omittingEmptySubsequences: false) {
      if component.isEmpty { return .emptyComponent }
      if component.elementsEqual([dot]) { return .dotComponent }
      if component.elementsEqual([dot, dot]) { return .parentComponent }
    }
    return nil
  }
}
