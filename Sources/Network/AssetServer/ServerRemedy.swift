package import SourceDiagnostics

extension Remedy {
  /// Assign at least this version, or omit the version.
  package static func raiseVersion(to version: Int) -> Remedy {
    Remedy(
      "raise-version", "use version \(version), or omit the version to assign the next one",
      about: "\(version)")
  }
}
