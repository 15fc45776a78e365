// A mock of Apple's framework.
// swift-format-ignore-file
public protocol AppExtension { init() }

extension AppExtension { public static func main() {} }
