package import BAPackKit
import SourceDiagnostics

/// The remedies for errors of the test server.
package enum ServerRemedy: Remediation {
  /// Assign at least this version, or omit the version.
  case raiseVersion(to: Int)

  package var description: String {
    switch self {
    case .raiseVersion(let version):
      "use version \(version), or omit the version to assign the next one"
    }
  }
}

extension Remedy {
  package static func raiseVersion(to version: Int) -> Remedy {
    .other(ServerRemedy.raiseVersion(to: version))
  }
}
