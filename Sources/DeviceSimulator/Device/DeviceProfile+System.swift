import SystemIO

extension DeviceProfile {
  /// Reads the version of a system; nil if it is none of `systems`.
  ///
  /// `26.1` is a version of 26.
  package static func system(written text: String) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      .map { number(ofDigits: $0) }
    guard parts.allSatisfy({ $0 != nil }), let first = parts.first, let major = first else {
      return nil
    }
    return systems.first { $0 == Int(major) }
  }
}
