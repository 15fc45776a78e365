import BAPackKit
import SystemIO

extension PackUploader {
  /// The maximum time for the validation of a manifest by the service.
  private static let manifestTime: Duration = .seconds(120)

  /// Waits until the service has validated a manifest, at most ``manifestTime``.
  func validate(
    _ archive: UploadArchive, _ version: VersionKey, manifest id: ResourceID
  ) throws(ServiceError) -> UploadCourse.StepResult {
    var manifest = try service.file(id)
    var waited: Duration = .zero
    while manifest.state != "COMPLETE", manifest.state != "FAILED", waited < Self.manifestTime {
      try service.wait(for: .seconds(5))
      waited += .seconds(5)
      manifest = try service.file(id)
    }
    // Errors of the manifest can be reported for the version.
    let seen = try service.version(version.id)
    if manifest.state == "FAILED" || seen.hasFailed {
      let errors = manifest.errors.isEmpty ? seen.errors : manifest.errors
      return .validated(manifest, failure: errors)
    }
    notify(archive.pack, manifest.state == "COMPLETE" ? .manifestAccepted : .manifestUnjudged)
    return .validated(manifest, failure: nil)
  }
}
