package import SourceDiagnostics

// An action of the user that fixes a finding of a conversion.

extension Remedy {
  package static let specifyInputKind = Remedy(
    "specify-input-kind", "specify the kind of the input")
  package static let specifyPolicy = Remedy("specify-policy", "specify the download policy")
  package static let specifyPlatforms = Remedy("specify-platforms", "specify the platforms")
  package static let specifyPackID = Remedy("specify-pack-id", "specify the ID of the pack")
  package static let specifyContentRoot = Remedy(
    "specify-content-root", "specify the folder that contains the files")
  package static let specifyTarget = Remedy(
    "specify-target", "specify the target whose resources are converted")
}
