import Foundation

extension FuzzTarget {
  /// Valve's KeyValues: places in order and inside the text, and what is written reads the same.
  static let keyValues = FuzzTarget(name: "key-values") { bytes in
    let violation = SteamProperties.violation(inKeyValues: bytes)
    require(violation == nil, violation ?? "")
  }

  /// A build script of Steam from its text to the files that its manifest selects.
  static let steamScript = FuzzTarget(name: "steam-scripts") { bytes in
    let folder =
      FileManager.default.temporaryDirectory.path(percentEncoded: false)
      + "ba-package-fuzz-steam-\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let violation = SteamProperties.violation(inScript: bytes, in: folder)
    require(violation == nil, violation ?? "")
  }
}
