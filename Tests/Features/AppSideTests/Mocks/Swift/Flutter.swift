// A mock of the framework of Flutter.
// swift-format-ignore-file
import Foundation

public protocol FlutterBinaryMessenger {}

public final class FlutterMethodCall {
  public let method = ""
  public let arguments: Any? = nil
}

public typealias FlutterResult = @Sendable (Any?) -> Void

public let FlutterMethodNotImplemented: NSObject & Sendable = NSNull()

public final class FlutterError: NSObject {
  public init(code: String, message: String?, details: Any?) {}
}

@MainActor public final class FlutterMethodChannel {
  public init(name: String, binaryMessenger messenger: any FlutterBinaryMessenger) {}
  public func setMethodCallHandler(
    _ handler: (@MainActor (FlutterMethodCall, @escaping FlutterResult) -> Void)?
  ) {}
}
