/// A path as a key of sixteen bytes: for whoever has to know which paths there were, not what they
/// were, however many and however long.
///
/// Two paths have the same by a chance that nobody can raise: the hash begins with a random number
/// of this process.
package struct PathDigest: Sendable, Hashable {
  private let high: Int
  private let low: Int

  /// The digest of a path that is taken apart at its slashes.
  package init(_ path: ArraySlice<UInt8>) {
    var builder = Builder()
    var start = path.startIndex
    // One walk and no list of slices: a pack of many files asks this of each of them.
    for index in path.indices where path[index] == UInt8(ascii: "/") {
      builder.append(path[start..<index])
      start = index + 1
    }
    builder.append(path[start...])
    self = builder.digest
  }

  package init(_ path: [UInt8]) { self.init(path[...]) }

  /// A digest that texts share whose characters are the same, however they are composed.
  package init(characters text: String) {
    var (first, second) = Self.seeds
    // Hashing a text composes all of it, so once has to do: who asks this has millions of paths at
    // most, and a chance that nobody can raise.
    first.combine(text)
    second.combine(first.finalize())
    self.init(first, second)
  }

  // The same text is never at the same place in both.
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

  /// Takes in a path component by component, and knows the digest of each folder on the way.
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

    /// The same with another component behind it.
    package func appending(_ component: ArraySlice<UInt8>) -> Builder {
      var longer = self
      longer.append(component)
      return longer
    }

    package var digest: PathDigest { PathDigest(first, second) }
  }
}
