package import SourceDiagnostics

// An action of the user that fixes a finding of a conversion.

extension Remedy {
  /// Specify the kind of the input.
  package static let specifyInputKind = Remedy(
    "specify-input-kind", "specify the kind of the input")
  /// Specify when devices download the pack.
  package static let specifyPolicy = Remedy("specify-policy", "specify the download policy")
  /// Specify the platforms of the pack.
  package static let specifyPlatforms = Remedy("specify-platforms", "specify the platforms")
  /// Specify the ID with which the app requests the pack.
  package static let specifyPackID = Remedy("specify-pack-id", "specify the ID of the pack")
  /// Specify the folder with the files.
  package static let specifyContentRoot = Remedy(
    "specify-content-root", "specify the folder that contains the files")
  /// Specify the target of the project.
  package static let specifyTarget = Remedy(
    "specify-target", "specify the target whose resources are converted")
}
