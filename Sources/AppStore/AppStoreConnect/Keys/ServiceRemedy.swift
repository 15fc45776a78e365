package import BAPackKit
import SourceDiagnostics

/// The remedies for errors of App Store Connect and of its client.
package enum ServiceRemedy: Remediation {
  /// Specify an API key, or copy its file to a searched folder.
  case nameAPIKey
  /// Use another file for the upload journal.
  case keepUploadsElsewhere
  /// Upload the same archive again after its processing failed.
  case uploadFailedAgain
  /// Send a checksum of the archive, which the service compares.
  case sendChecksum
  /// List the submissions to App Review.
  case listSubmissions

  package var description: String {
    switch self {
    case .nameAPIKey: "specify an App Store Connect API key"
    case .keepUploadsElsewhere: "use another file for the upload journal"
    case .uploadFailedAgain: "upload the same archive again"
    case .sendChecksum: "send a checksum with the archive, which the service compares"
    case .listSubmissions: "list the submissions of the app"
    }
  }
}

extension Remedy {
  package static let nameAPIKey = Remedy.other(ServiceRemedy.nameAPIKey)
  package static let keepUploadsElsewhere = Remedy.other(ServiceRemedy.keepUploadsElsewhere)
  package static let uploadFailedAgain = Remedy.other(ServiceRemedy.uploadFailedAgain)
  package static let sendChecksum = Remedy.other(ServiceRemedy.sendChecksum)
  package static let listSubmissions = Remedy.other(ServiceRemedy.listSubmissions)
}
