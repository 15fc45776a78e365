// A mock of Apple's framework.
// swift-format-ignore-file
import Foundation

public enum SHA256 { public static func hash(data: Data) -> [UInt8] { [] } }
