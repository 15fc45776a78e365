import BAPackKit
import SystemIO
import Transfers

// The manifest, which is uploaded as a separate file before its archive.

extension PackUploader {
  /// The maximum time for the validation of a manifest by the service.
  private static let manifestTime: Duration = .seconds(120)

  /// Uploads the manifest as a separate file, and waits for its validation; returns false if the
  /// version has an invalid manifest of another archive, which cannot be replaced.
  func checkManifest(
    _ archive: UploadArchive, _ version: VersionKey, ofAnother isOfAnother: Bool
  ) throws(ServiceError) -> Bool {
    let size = UInt64(archive.manifest.count)
    var known = try service.files(of: version.id).first { $0.kind == .manifest }
    if known == nil {
      known = try service.settling { () throws(ServiceError) in
        try service.reserve(.manifest, "Manifest.json", size: size, in: version.id)
      } unless: { () throws(ServiceError) in
        try service.files(of: version.id).first { $0.kind == .manifest }
      }
    }
    guard var manifest = known else { return true }
    if manifest.state == "FAILED", isOfAnother || manifest.size != size { return false }
    if manifest.isAwaitingUpload {
      try deliver(archive.manifest, in: manifest.parts ?? [], of: version)
      manifest = try commit(manifest)
    }
    var waited: Duration = .zero
    while manifest.state != "COMPLETE", manifest.state != "FAILED", waited < Self.manifestTime {
      try service.pausing(.seconds(5))
      waited += .seconds(5)
      manifest = try service.file(manifest.id)
    }
    // Errors of the manifest can be reported for the version.
    let seen = try service.version(version.id)
    guard manifest.state != "FAILED", !seen.hasFailed else {
      let errors = manifest.errors.isEmpty ? seen.errors : manifest.errors
      throw .failed(
        PackError(
          .server(status: 200),
          "App Store Connect rejected the manifest of '\(archive.path)': \(errors.phrase)",
          remedy: "fix the manifest and pack again"))
    }
    notify(archive.pack, manifest.state == "COMPLETE" ? .manifestAccepted : .manifestUnjudged)
    return true
  }

  private func deliver(
    _ manifest: [UInt8], in parts: [FilePart], of version: VersionKey
  ) throws(ServiceError) {
    if let fault = parts.fault(ofFileOf: UInt64(manifest.count)) {
      throw .failed(
        PackError(
          .transfer, "App Store Connect requested invalid parts of the manifest: \(fault)",
          remedy: "omit the check of the manifest"))
    }
    var refusal: PartRefusal?
    let exchanges = parts.map { part in
      part.address.exchange(
        part.method, part.fields,
        .bytes(Array(manifest[Int(part.range.lowerBound)..<Int(part.range.upperBound)])))
    }
    do throws(Failure) {
      try service.transport.exchange(
        exchanges, atOnce: options.parallel, service.work,
        responded: { (index, response) throws(Failure) in
          if !response.isSuccess {
            refusal = PartRefusal(response, by: parts[index].address.host)
            throw Failure(.transfer(.upload, .status(response.status)), parts[index].address.host)
          }
        })
    } catch {
      throw .failed(refusal?.error(of: version) ?? PackError(error, while: .connecting))
    }
  }

  /// Completes the manifest; succeeds if it is already complete.
  private func commit(_ manifest: FileRecord) throws(ServiceError) -> FileRecord {
    do throws(ServiceError) {
      return try service.settling { () throws(ServiceError) in
        try service.commit(manifest.id)
      } unless: { () throws(ServiceError) in
        let seen = try service.file(manifest.id)
        return seen.isAwaitingUpload ? nil : seen
      }
    } catch {
      guard case .refused(let refusal) = error, refusal.has("STATE_ERROR") else { throw error }
      return try service.file(manifest.id)
    }
  }
}
