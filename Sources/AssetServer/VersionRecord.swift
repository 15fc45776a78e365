package import BAPackKit
import SourceDiagnostics
import SystemIO

/// The versions that devices were ever told: in memory, and in a file if they are to outlive the server.
///
/// It has the form of the record beside a download manifest. Several servers may share one file: each
/// reads what the others added before it gives out a version.
package final class VersionRecord: @unchecked Sendable {
  private let lock = Lock()
  private let path: String?
  private var record: PublicationRecord
  private var trouble: PackError?

  /// Keeps versions in memory, as long as the server runs.
  package init(_ record: PublicationRecord = PublicationRecord()) {
    path = nil
    self.record = record
  }

  /// Goes on from the versions in a file, if it is there, and keeps them there.
  package init(keptIn path: String) throws(PackError) {
    self.path = path
    record = PublicationRecord()
    if let document = try PublicationRecordDocument(reading: path) {
      guard let found = document.record else {
        let first = document.findings.first { $0.severity == .error }
        throw PackError(
          .malformed(offset: nil),
          "'\(path)' is no record of versions: \(first?.message ?? "it says nothing")",
          remedy: "mend it, or remove it if no device was ever served: versions must not fall")
      }
      record = found
    }
  }

  /// Everything that was given out.
  package var all: PublicationRecord { lock.with { record } }

  /// Why versions could not be written down; nil if they were, or after this was asked.
  package func takeTrouble() -> PackError? {
    lock.with {
      defer { trouble = nil }
      return trouble
    }
  }

  /// Changes the record, together with what other servers added meanwhile.
  ///
  /// If the machine refuses to write it down, it is changed in memory all the same.
  package func change<Success>(_ body: (inout PublicationRecord) -> Success) -> Success {
    lock.with {
      guard let path else { return body(&record) }
      var outcome: Success?
      do throws(PackError) {
        try during(.publishing) { () throws(Failure) in
          _ = try FileDescriptor.openFolder(making: OutputPlace(path).folder)
        }
        let held = try during(.publishing) { () throws(Failure) in
          try FileLock(besides: path) {}
        }
        let before = try PublicationRecordDocument(reading: path)?.record
        if let before { record.add(contentsOf: before) }
        let success = body(&record)
        outcome = success
        if record != before {
          try record.shortened(keeping: []).write(to: path, replacing: true)
        }
        held.release()
        return success
      } catch {
        trouble = error
        return outcome ?? body(&record)
      }
    }
  }
}
