import BAPackKit
import BlockCodecs
import SystemIO
import TerminalText
import Transfers

// Uploads the parts of an archive, and checks that the service receives the archive that was
// checked.
//
// Each of the four checks finds changes that the others miss:
// - The file's status (identity, size, times), before and after each part, finds ordinary changes
//   early, also if the modification time was set back.
// - One pass over the file computes its SHA-256, which must equal that of the checked archive, and
//   the MD5 of each part. A part counts as sent only if the sent bytes have that MD5. This finds
//   changes without a new time stamp: through a memory mapping, or within the resolution of the
//   clock.
// - The storage's `ETag` of a part, if it is an MD5, is the digest of the received bytes.
// - Before the file is completed, the digests of all parts in the journal, also of earlier runs,
//   are compared with those of the pass.

/// The digests of a checked archive or of its manifest, in lower-case hexadecimal digits.
struct FileSums: Sendable, Equatable {
  let kind: FileRecord.Kind
  let ranges: [Range<UInt64>]
  let md5: String
  /// The MD5 of each of ``ranges``.
  let parts: [String]
}

/// A part that the storage refused.
package struct PartRefusal: Sendable, Equatable {
  package let host: String
  package let status: Int
  /// The status, and the reason in the storage's response.
  package let reason: String

  init(_ response: HTTPResponse, to part: FilePart) {
    host = part.address.host
    status = response.status
    let phrase = "\(response.status) \(HTTPStatus.phrase(for: response.status))"
    reason =
      StorageRefusal(response.body).map { refusal in
        let code = part.secrets.removed(from: refusal.code, upTo: 100)
        let message = part.secrets.removed(from: refusal.message, upTo: 300)
        return "\(phrase), \(code)\(message.isEmpty ? "" : ": \(message)")"
      } ?? phrase
  }

  /// Whether the address of the part may have expired: S3 responds with 403, other storage with 404
  /// or 410.
  var mayBeOfAddress: Bool { [403, 404, 410].contains(status) }

  func error(of version: VersionKey) -> PackError {
    PackError(
      .server(status: status), "\(host) refused a part of \(version.phrase) (\(reason))",
      remedies: [
        "check whether a proxy or a firewall blocks requests to \(host)",
        "run the command again later: received parts are not sent again",
      ])
  }
}

extension PackUploader {
  /// The shortest time between two writes of the journal.
  private static let journalInterval = Duration.milliseconds(500)

  /// Reads the file once, and throws if it is not that of the checked archive, even if its status
  /// is unchanged.
  func sums(
    of archive: UploadArchive, _ running: Running
  ) throws(ServiceError) -> FileSums {
    let kind = running.course.kind
    let ranges = running.course.parts.map(\.range)
    if let known = running.sums, known.kind == kind, known.ranges == ranges { return known }
    let read: UploadFile.Sums
    do throws(Failure) {
      read = try running.file.sums(of: ranges, work)
    } catch {
      throw .failed(PackError(error, while: .reading))
    }
    let identity = archive.identity(of: kind)
    guard read.size == identity.size, hexadecimal(read.sha256) == identity.sha256
    else { throw .failed(archive.changed) }
    let sums = FileSums(
      kind: kind, ranges: ranges, md5: hexadecimal(read.md5),
      parts: read.parts.map { hexadecimal($0) })
    running.sums = sums
    return sums
  }

  func sendParts(
    _ parts: [FilePart], of archive: UploadArchive, _ version: VersionKey, _ running: Running
  ) throws(ServiceError) -> UploadCourse.StepResult {
    let sums = try sums(of: archive, running)
    let expected = Dictionary(uniqueKeysWithValues: zip(sums.ranges, sums.parts))
    let exchanges = parts.map { part in
      part.address.exchange(part.method, part.fields, .part(running.file, part.range))
    }
    let sent = Guarded([UInt64](repeating: 0, count: parts.count))
    let size = archive.identity(of: sums.kind).size
    let before = size - parts.reduce(0) { $0 + UInt64($1.range.count) }
    var failure: PackError?
    var refusal: PartRefusal?
    var written = ContinuousClock.now
    if sums.kind == .asset { notify(archive.pack, .sending(version, done: before)) }
    do throws(Failure) {
      try service.transport.exchange(
        exchanges, atOnce: options.parallel,
        work.reporting { [report = work.report] at in
          guard sums.kind == .asset else { return }
          let moved = sent.with { sent in
            sent[at.item] = at.done
            return sent.reduce(0, +)
          }
          report?(Work.Progress(done: before + moved, total: size))
        },
        responded: { [self] (index, response) throws(Failure) in
          let part = parts[index]
          guard response.isSuccess else {
            refusal = PartRefusal(response, to: part)
            throw Failure(.transfer(.upload, .status(response.status)), part.address.host)
          }
          do throws(PackError) {
            // A change after this check is found by the digest.
            try archive.check(running.archive)
            let confirmed = try part.confirmation(response)
            guard confirmed.md5 == expected[part.range] else { throw archive.changed }
            try running.course.apply(
              .received(part.range, md5: confirmed.md5, tag: confirmed.tag), at: service.time)
            if .now - written >= Self.journalInterval {
              try keep(running)
              written = .now
            }
          } catch {
            failure = error
            throw Failure(.interrupted)
          }
        })
    } catch {
      if let failure { throw .failed(failure) }
      // A file that became shorter ends the request like a broken connection.
      try refusing { () throws(PackError) in try archive.check(running.archive) }
      if let refusal {
        guard refusal.mayBeOfAddress else { throw .failed(refusal.error(of: version)) }
        return .partsRefused(refusal)
      }
      throw .failed(PackError(error, while: .connecting))
    }
    return .receivedAll
  }
}

extension FilePart {
  /// The MD5 of the sent bytes and the storage's tag; throws if the response came too early.
  fileprivate func confirmation(
    _ response: HTTPResponse
  ) throws(PackError) -> (md5: String, tag: String?) {
    guard let md5 = response.sentMD5.map({ hexadecimal($0) }) else {
      throw PackError(
        .transfer, "\(address.host) confirmed a part before it was completely sent",
        remedy: "run the command again later")
    }
    return (md5, response.digestTag)
  }
}

extension HTTPResponse {
  /// The `ETag` of the sent part, if it has the form of an MD5.
  fileprivate var digestTag: String? {
    guard let tag = head["etag"]?.filter({ $0 != "\"" }).lowercased(), tag.utf8.count == 32,
      tag.utf8.allSatisfy(\.isLowercaseHexadecimalDigit)
    else { return nil }
    return tag
  }
}
