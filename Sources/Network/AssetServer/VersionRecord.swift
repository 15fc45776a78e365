package import BAPackKit
import SourceDiagnostics
package import SystemIO

/// All versions that were published to devices, in memory and optionally in a file.
///
/// The file has the format of the publication record of a download manifest. Several servers can
/// share one file: each server reads the additions of the others before it assigns a version.
/// Reading ``all`` never waits.
package final class VersionRecord: Sendable {
  /// The functions to call while versions are assigned.
  package struct Reports: Sendable {
    /// Another process holds the lock of the file at this path.
    package var waiting: @Sendable (_ path: String) -> Void = { _ in }
    /// The versions cannot be written to the file; called once for each distinct reason.
    package var failed: @Sendable (PackError) -> Void = { _ in }

    package init() {}
  }

  private let file: StateFile<PublicationRecord>?
  private let reports: Reports
  /// Cancels a wait for another process that has locked the file.
  private let work: Work
  private let record: Guarded<PublicationRecord>
  /// Runs the changes one at a time.
  private let changes: InTurn<FileState>

  private struct FileState {
    /// The error of the last write, if it failed.
    var failure: PackError?
    /// The contents of the file at the start, until the first change.
    var start: KnownState<PublicationRecord>?
  }

  /// Creates a record without a file.
  package init(_ record: PublicationRecord = PublicationRecord()) {
    file = nil
    reports = Reports()
    work = .unstoppable
    self.record = Guarded(record)
    changes = InTurn(FileState())
  }

  /// Reads the versions from a file, if it exists, and writes changes to it.
  package init(
    keptIn path: String, reports: Reports = Reports(), _ work: Work
  ) throws(PackError) {
    let file = StateFile<PublicationRecord>(path)
    let found = try mapFailure(.reading) { () throws(Failure) in try file.readWhole() }
    self.file = file
    self.reports = reports
    self.work = work
    record = Guarded(found?.document ?? PublicationRecord())
    changes = InTurn(FileState(start: found))
  }

  /// All assigned versions.
  package var all: PublicationRecord { record.with { $0 } }

  /// Changes the record, after adding the versions of other servers.
  ///
  /// If the file cannot be written, the record is still changed in memory.
  package func change<Success: Sendable>(
    _ body: (inout PublicationRecord) -> Success
  ) -> Success {
    changes.with { progress in
      let start = progress.start.take()
      var record = all
      var success: Success?
      do throws(PackError) {
        try mapFailure(.publishing) { () throws(Failure) in
          try write(&record, after: start) { success = body(&$0) }
        }
        progress.failure = nil
      } catch {
        if progress.failure != error { reports.failed(error) }
        progress.failure = error
      }
      let result = success ?? body(&record)
      let changed = record
      self.record.with { $0 = changed }
      return result
    }
  }

  private func write(
    _ record: inout PublicationRecord, after start: KnownState<PublicationRecord>?,
    _ body: (inout PublicationRecord) -> Void
  ) throws(Failure) {
    guard let file else { return body(&record) }
    try file.change(work, knowing: start, waiting: { reports.waiting(file.path) }) { kept in
      if let kept, kept != record { record.add(contentsOf: kept) }
      body(&record)
      if kept != record { kept = record.shortened(keeping: []) }
    }
  }
}
