import BAPackKit
import SystemIO
import Transfers

// The manifest, sent before its archive as a file of its own.

extension PackUploader {
  /// How long the service is given to judge a manifest.
  private static let manifestTime: Duration = .seconds(120)

  /// Sends the manifest as a file of its own, and hears what the service thinks of it; false if the
  /// version has a bad manifest of another archive, and no place for this one.
  func checkManifest(
    _ archive: UploadArchive, _ version: VersionKey, ofAnother isOfAnother: Bool
  ) throws(ServiceTrouble) -> Bool {
    let size = UInt64(archive.manifest.count)
    var known = try service.files(of: version.id).first { $0.kind == .manifest }
    if known == nil {
      known = try service.settling { () throws(ServiceTrouble) in
        try service.reserve(.manifest, "Manifest.json", size: size, in: version.id)
      } unless: { () throws(ServiceTrouble) in
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
    // Its mistakes may be said of the version.
    let seen = try service.version(version.id)
    guard manifest.state != "FAILED", !seen.hasFailed else {
      let errors = manifest.errors.isEmpty ? seen.errors : manifest.errors
      throw .failed(
        PackError(
          .server(status: 200),
          "App Store Connect does not take the manifest of '\(archive.path)': \(errors.phrase)",
          remedy: "mend the manifest and pack again"))
    }
    notify(archive.pack, manifest.state == "COMPLETE" ? .manifestAccepted : .manifestUnjudged)
    return true
  }

  private func deliver(
    _ manifest: [UInt8], in parts: [FilePart], of version: VersionKey
  ) throws(ServiceTrouble) {
    if let fault = parts.fault(ofFileOf: UInt64(manifest.count)) {
      throw .failed(
        PackError(
          .transfer, "App Store Connect wants the manifest in parts that do not fit: \(fault)",
          remedy: "leave the check of the manifest out"))
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
        answered: { (index, answer) throws(Failure) in
          if !answer.isSuccess {
            refusal = PartRefusal(answer, by: parts[index].address.host)
            throw Failure(.transfer(.upload, .status(answer.status)), parts[index].address.host)
          }
        })
    } catch {
      throw .failed(refusal?.error(of: version) ?? PackError(error, while: .connecting))
    }
  }

  /// Completes the manifest; succeeds if it is already complete.
  private func commit(_ manifest: FileRecord) throws(ServiceTrouble) -> FileRecord {
    do throws(ServiceTrouble) {
      return try service.settling { () throws(ServiceTrouble) in
        try service.commit(manifest.id)
      } unless: { () throws(ServiceTrouble) in
        let seen = try service.file(manifest.id)
        return seen.isAwaitingUpload ? nil : seen
      }
    } catch {
      guard case .refused(let refusal) = error, refusal.has("STATE_ERROR") else { throw error }
      return try service.file(manifest.id)
    }
  }
}
