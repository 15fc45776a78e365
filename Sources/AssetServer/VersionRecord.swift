package import BAPackKit
import SourceDiagnostics
import SystemIO

/// The versions that devices were ever offered: in memory, and in a file if they are to outlive the server.
///
/// The file has the form of the record beside a download manifest. Several servers may share one file: each
/// reads what the others added before it gives out a version. Reading ``all`` waits for nothing.
package final class VersionRecord: Sendable {
  /// What is reported while versions are given out.
  package struct Reports: Sendable {
    /// Another process has the lock of the file at this path.
    package var waiting: @Sendable (_ path: String) -> Void = { _ in }
    /// Versions cannot be written to the file; called once for each different reason.
    package var trouble: @Sendable (PackError) -> Void = { _ in }

    package init() {}
  }

  private let file: StateFile<PublicationRecord>?
  private let reports: Reports
  private let record: Guarded<PublicationRecord>
  /// The changes, each with the reason for which the one before could not be written.
  private let changes = InTurn<PackError?>(nil)

  /// Keeps versions in memory, as long as the server runs.
  package init(_ record: PublicationRecord = PublicationRecord()) {
    file = nil
    reports = Reports()
    self.record = Guarded(record)
  }

  /// Continues from the versions in a file, if it is there, and keeps them there.
  package init(keptIn path: String, reports: Reports = Reports()) throws(PackError) {
    let file = StateFile<PublicationRecord>(path)
    let found = try during(.reading) { () throws(Failure) in try file.read() }
    self.file = file
    self.reports = reports
    record = Guarded(found ?? PublicationRecord())
  }

  /// All versions that were given out.
  package var all: PublicationRecord { record.with { $0 } }

  /// Changes the record, together with what other servers added meanwhile.
  ///
  /// If it cannot be written to the file, it is changed in memory all the same.
  package func change<Success: Sendable>(
    _ body: (inout PublicationRecord) -> Success
  ) -> Success {
    changes.with { trouble in
      var record = all
      var success: Success?
      do throws(PackError) {
        try during(.publishing) { () throws(Failure) in
          try write(&record) { success = body(&$0) }
        }
        trouble = nil
      } catch {
        if trouble != error { reports.trouble(error) }
        trouble = error
      }
      let result = success ?? body(&record)
      let changed = record
      self.record.with { $0 = changed }
      return result
    }
  }

  private func write(
    _ record: inout PublicationRecord, _ body: (inout PublicationRecord) -> Void
  ) throws(Failure) {
    guard let file else { return body(&record) }
    try file.change(waiting: { reports.waiting(file.path) }) { kept in
      if let kept { record.add(contentsOf: kept) }
      body(&record)
      if kept != record { kept = record.shortened(keeping: []) }
    }
  }
}
