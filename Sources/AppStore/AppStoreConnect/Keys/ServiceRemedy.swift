package import SourceDiagnostics

// The remedies for errors of App Store Connect and of its client.

extension Remedy {
  package static let specifyAPIKey = Remedy(
    "specify-api-key", "specify an App Store Connect API key")
  package static let keepUploadsElsewhere = Remedy(
    "keep-uploads-elsewhere", "use another file for the upload journal")
  package static let uploadFailedAgain = Remedy(
    "upload-failed-again", "upload the same archive again")
  package static let sendChecksum = Remedy(
    "send-checksum", "send a checksum with the archive, which the service compares")
  package static let listSubmissions = Remedy("list-submissions", "list the submissions of the app")
  package static let submitWithAppVersion = Remedy(
    "submit-with-app-version", "submit the first packs with a version of the app")
  package static let specifyReviewPlatform = Remedy(
    "specify-review-platform", "specify the platform of the review")
  package static func submitInSubmission(_ id: String) -> Remedy {
    Remedy("submit-in-submission", "submit the pack in the submission \(id)", about: id)
  }
}
