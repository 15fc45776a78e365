// A mock of Apple's framework.
// swift-format-ignore-file
import Foundation

public final class MLModelConfiguration { public init() {} }

public final class MLModel: Sendable {
  public static func load(
    contentsOf url: URL, configuration: MLModelConfiguration
  ) async throws -> MLModel { fatalError() }
  public static func compileModel(at url: URL) async throws -> URL { fatalError() }
}
