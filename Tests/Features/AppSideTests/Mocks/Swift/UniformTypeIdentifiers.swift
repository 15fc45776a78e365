// A mock of Apple's framework.
// swift-format-ignore-file
public struct UTType: Sendable {
  public init?(filenameExtension: String) {}
  public var preferredMIMEType: String? { nil }
}
