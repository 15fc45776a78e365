package import BAPackKit
import SourceDiagnostics

/// What a person can do about a finding of a conversion.
package enum ConversionRemedy: Remediation {
  /// Say of what kind an input is.
  case nameInputKind
  /// Say when devices download the pack.
  case namePolicy
  /// Name the platforms of a pack.
  case namePlatforms
  /// Say under which ID the app requests the pack.
  case namePackID
  /// Say in which folder the files are.
  case nameContentRoot
  /// Say which target of a project is meant.
  case nameTarget

  package var description: String {
    switch self {
    case .nameInputKind: "say what it is"
    case .namePolicy: "say when devices download it"
    case .namePlatforms: "name its platforms"
    case .namePackID: "name the ID of the pack"
    case .nameContentRoot: "name the folder that the files are in"
    case .nameTarget: "name the target whose resources are meant"
    }
  }
}

extension Remedy {
  package static let nameInputKind = Remedy.other(ConversionRemedy.nameInputKind)
  package static let namePolicy = Remedy.other(ConversionRemedy.namePolicy)
  package static let namePlatforms = Remedy.other(ConversionRemedy.namePlatforms)
  package static let namePackID = Remedy.other(ConversionRemedy.namePackID)
  package static let nameContentRoot = Remedy.other(ConversionRemedy.nameContentRoot)
  package static let nameTarget = Remedy.other(ConversionRemedy.nameTarget)
}
