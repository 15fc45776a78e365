// A mock of the module System of Apple's systems, which the toolchain for Linux lacks.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

public struct FilePath: Sendable, Hashable, ExpressibleByStringLiteral {
  public let string: String

  public init(_ string: String) { self.string = string }

  public init(stringLiteral string: String) { self.init(string) }
}

public struct FileDescriptor: Sendable, Hashable {
  public struct AccessMode: Sendable {
    public static let readOnly = AccessMode()
  }

  public let rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static func open(_ path: FilePath, _ mode: AccessMode) throws -> FileDescriptor {
    let number = Foundation.open(path.string, O_RDONLY)
    guard number >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .ENOENT) }
    return FileDescriptor(rawValue: number)
  }

  public func close() throws { _ = Foundation.close(rawValue) }

  /// The contents, for tests.
  public var contents: Data {
    FileHandle(fileDescriptor: rawValue, closeOnDealloc: false).readDataToEndOfFile()
  }
}
