package import BAPackKit
import SourceDiagnostics

/// What a person can do about a refusal of App Store Connect, or about its client.
package enum ServiceRemedy: Remediation {
  /// Name an API key of App Store Connect, or put one where it is searched.
  case nameAPIKey
  /// Keep the journal of uploads in another file.
  case keepUploadsElsewhere
  /// Upload the same archive again after its processing failed.
  case uploadFailedAgain
  /// List the submissions to App Review.
  case listSubmissions

  package var description: String {
    switch self {
    case .nameAPIKey: "name an API key of App Store Connect"
    case .keepUploadsElsewhere: "name another file for what was uploaded"
    case .uploadFailedAgain: "upload the same archive again"
    case .listSubmissions: "list the submissions of the app"
    }
  }
}

extension Remedy {
  package static let nameAPIKey = Remedy.other(ServiceRemedy.nameAPIKey)
  package static let keepUploadsElsewhere = Remedy.other(ServiceRemedy.keepUploadsElsewhere)
  package static let uploadFailedAgain = Remedy.other(ServiceRemedy.uploadFailedAgain)
  package static let listSubmissions = Remedy.other(ServiceRemedy.listSubmissions)
}
