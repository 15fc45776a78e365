package import BAPackKit
import SourceDiagnostics

/// An action of the user that fixes a finding of a conversion.
package enum ConversionRemedy: Remediation {
  /// Specify the kind of the input.
  case nameInputKind
  /// Specify when devices download the pack.
  case namePolicy
  /// Specify the platforms of the pack.
  case namePlatforms
  /// Specify the ID with which the app requests the pack.
  case namePackID
  /// Specify the folder with the files.
  case nameContentRoot
  /// Specify the target of the project.
  case nameTarget

  package var description: String {
    switch self {
    case .nameInputKind: "specify the kind of the input"
    case .namePolicy: "specify the download policy"
    case .namePlatforms: "specify the platforms"
    case .namePackID: "specify the ID of the pack"
    case .nameContentRoot: "specify the folder that contains the files"
    case .nameTarget: "specify the target whose resources are converted"
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
