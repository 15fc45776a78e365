import BAPackKit

/// The oldest systems on which an extension runs, keyed by build settings.
enum OldestSystem {
  /// The oldest systems with unmanaged downloads.
  private static let unmanaged = [
    "IPHONEOS_DEPLOYMENT_TARGET": 16.1, "MACOSX_DEPLOYMENT_TARGET": 13,
    "TVOS_DEPLOYMENT_TARGET": 18.4, "XROS_DEPLOYMENT_TARGET": 2.4,
  ]

  /// Returns the smallest value of a setting with a minimum system.
  static func number(of setting: String, for kind: AppKind) -> Double {
    kind == .unmanaged ? unmanaged[setting] ?? 0 : 26
  }

  /// Returns the first two numbers of a version.
  static func number(_ version: String) -> Double {
    Double(version.split(separator: ".").prefix(2).joined(separator: ".")) ?? 0
  }
}
