// A mock of the framework of React Native.
// swift-format-ignore-file
import Foundation

public typealias RCTPromiseResolveBlock = @Sendable (Any?) -> Void
public typealias RCTPromiseRejectBlock = @Sendable (String?, String?, (any Error)?) -> Void
