/// A path as a key of sixteen bytes, for sets of many long paths.
///
/// Two paths may have the same digest by accident, but an attacker cannot choose such paths: the
/// hash begins with a random number of this process.
package struct PathDigest: Sendable, Hashable {
  private let high: Int
  private let low: Int

  /// Creates the digest of a path, which is split at its slashes.
  package init(_ path: ArraySlice<UInt8>) {
    var builder = Builder()
    var start = path.startIndex
    // One pass without a list of slices: a large pack calls this once for each file.
    for index in path.indices where path[index] == slash {
      builder.append(path[start..<index])
      start = index + 1
    }
    builder.append(path[start...])
    self = builder.digest
  }

  package init(_ path: [UInt8]) { self.init(path[...]) }

  /// Creates a digest that is the same for texts of the same characters, whether they are composed
  /// or decomposed.
  package init(characters text: String) {
    var (first, second) = Self.seeds
    // Hashing a text normalizes all of it, which is slow, so the text is hashed once and its hash
    // is hashed again. That is enough to distinguish millions of paths.
    first.combine(text)
    second.combine(first.finalize())
    self.init(first, second)
  }

  // The two hashes of a text are different.
  private static var seeds: (Hasher, Hasher) {
    var (first, second) = (Hasher(), Hasher())
    first.combine(1)
    second.combine(2 as UInt8)
    return (first, second)
  }

  private init(_ first: Hasher, _ second: Hasher) {
    high = first.finalize()
    low = second.finalize()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  /// Adds a path component by component, and returns the digest of each parent folder.
  package struct Builder: Sendable {
    private var first: Hasher
    private var second: Hasher

    package init() { (first, second) = PathDigest.seeds }

    package mutating func append(_ component: ArraySlice<UInt8>) {
      unsafe component.withUnsafeBytes {
        unsafe first.combine(bytes: $0)
        unsafe second.combine(bytes: $0)
      }
      first.combine(component.count)
      second.combine(component.count)
    }

    /// Returns the same path with one more component.
    package func appending(_ component: ArraySlice<UInt8>) -> Builder {
      var longer = self
      longer.append(component)
      return longer
    }

    package var digest: PathDigest { PathDigest(first, second) }
  }
}
