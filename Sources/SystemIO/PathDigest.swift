/// A path as a key of sixteen bytes: for whoever has to know which paths there were, not what they
/// were, however many and however long.
///
/// Two paths have the same by a chance that nobody can raise: the hash begins with a random number
/// of this process.
package struct PathDigest: Sendable, Hashable {
  private let high: Int
  private let low: Int

  /// The digest of a path that is taken apart at its slashes.
  package init(_ path: some Collection<UInt8>) {
    var builder = Builder()
    for component in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      builder.append(component)
    }
    self = builder.digest
  }

  /// A digest that texts share whose characters are the same, however they are composed.
  package init(characters text: String) {
    var (first, second) = Self.seeds
    first.combine(text)
    second.combine(text)
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

    package mutating func append(_ component: some Collection<UInt8>) {
      first.combine(bytes: component)
      second.combine(bytes: component)
      first.combine(component.count)
      second.combine(component.count)
    }

    /// The same with another component behind it.
    package func appending(_ component: some Collection<UInt8>) -> Builder {
      var longer = self
      longer.append(component)
      return longer
    }

    package var digest: PathDigest { PathDigest(first, second) }
  }
}

extension Hasher {
  fileprivate mutating func combine(bytes: some Collection<UInt8>) {
    let isFed: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe combine(bytes: UnsafeRawBufferPointer($0))
    }
    if isFed == nil { for byte in bytes { combine(byte) } }
  }
}
