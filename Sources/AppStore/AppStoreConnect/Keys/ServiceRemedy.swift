package import SourceDiagnostics

// The remedies for errors of App Store Connect and of its client.

extension Remedy {
  /// Specify an API key, or copy its file to a searched folder.
  package static let specifyAPIKey = Remedy(
    "specify-api-key", "specify an App Store Connect API key")
  /// Use another file for the upload journal.
  package static let keepUploadsElsewhere = Remedy(
    "keep-uploads-elsewhere", "use another file for the upload journal")
  /// Upload the same archive again after its processing failed.
  package static let uploadFailedAgain = Remedy(
    "upload-failed-again", "upload the same archive again")
  /// Send a checksum of the archive, which the service compares.
  package static let sendChecksum = Remedy(
    "send-checksum", "send a checksum with the archive, which the service compares")
  /// List the submissions to App Review.
  package static let listSubmissions = Remedy("list-submissions", "list the submissions of the app")
}
