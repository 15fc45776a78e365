package import BAPackKit
import SourceDiagnostics

/// What a person can do about a refusal of the test server.
package enum ServerRemedy: Remediation {
  /// Give the pack at least this version, or leave versions to their record.
  case raiseVersion(to: Int)

  package var description: String {
    switch self {
    case .raiseVersion(let version):
      "give it version \(version), or leave it to the record of versions"
    }
  }
}

extension Remedy {
  package static func raiseVersion(to version: Int) -> Remedy {
    .other(ServerRemedy.raiseVersion(to: version))
  }
}
