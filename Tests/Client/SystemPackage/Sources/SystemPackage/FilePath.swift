/// A path, like the one of swift-system.
public struct FilePath: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The path as a text.
  public let string: String

  /// Creates a path from a literal.
  public init(stringLiteral text: String) { string = text }
}
