@testable import BAPackKit

extension FuzzTarget {
  /// The JSON parser: spans in order and inside the text, and what is written reads the same.
  static let json = FuzzTarget(name: "json") { bytes in
    hold(ManifestProperties.violation(inJSON: bytes))
  }

  /// The manifest reader: the first byte chooses the hosting.
  static let manifest = FuzzTarget(name: "manifests") { bytes in
    let hosting: Hosting? =
      switch bytes.first {
      case UInt8(ascii: "\n"): .apple
      case UInt8(ascii: "\t"): .selfHosted
      default: nil
      }
    hold(ManifestProperties.violation(inManifest: bytes, for: hosting))
  }

  /// The language parser.
  static let language = FuzzTarget(name: "languages") { bytes in
    hold(ManifestProperties.violation(inLanguage: String(decoding: bytes, as: UTF8.self)))
  }

  private static func hold(_ violation: String?) {
    require(violation == nil, violation ?? "")
  }
}
