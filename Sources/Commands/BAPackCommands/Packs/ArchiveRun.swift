import BAPackKit
import SystemIO

/// The work of `pack` after all checks: archives are written, and the results are reported in the
/// order of the manifests.
final class ArchiveRun {
  /// An archive to write.
  struct PlannedPack {
    let path: String
    let plan: PackPlan
    /// The state of the existing archive, with `--update`.
    let updateCheck: UpdateCheck?
  }

  /// The options of the output.
  struct Options {
    var packing = PackSeries.Options()
    var printsDigest = false
    /// Whether the single archive is written to standard output.
    var toStandardOutput = false
  }

  /// A written archive without a record.
  private struct Unrecorded {
    let updateCheck: UpdateCheck
    let summary: PackSummary
    /// A time at which the archive had its name.
    let time = ContinuousClock.now
  }

  private let packs: [PlannedPack]
  private let options: Options
  private let console: Console
  private let report: PackReport
  /// The archives of all manifests that are not reported yet, in their order; empty without
  /// `--update`.
  private var updateChecks: ArraySlice<UpdateCheck>
  /// The index of the pack whose files are being read, and its progress line.
  private let current = Guarded<(index: Int, line: ProgressLine)?>(nil)
  /// The summaries of the archives that were written, without their lists of files.
  private(set) var made: [PackSummary] = []
  /// The sizes of the archives that were written.
  private(set) var sizes: [PackID: UInt64] = [:]
  /// The number of archives that could not be written.
  private(set) var failures = 0
  private var interruption: PackError?
  /// The written archives whose records are not stored yet, in order.
  private var unrecorded: ArraySlice<Unrecorded> = []

  init(
    _ packs: [PlannedPack], among updateChecks: [UpdateCheck], _ options: Options,
    _ console: Console,
    _ report: PackReport
  ) {
    self.packs = packs
    self.updateChecks = updateChecks[...]
    self.options = options
    self.console = console
    self.report = report
  }

  /// Writes the archives; throws only if the run was interrupted.
  func run() throws(PackError) {
    for updateCheck in updateChecks {
      guard let reason = updateCheck.reason else { continue }
      console.detail("\(updateCheck.archive): rebuilding because \(reason)")
    }
    let jobs = packs.map { pack in
      options.toStandardOutput
        ? PackSeries.Job(pack.plan, writing: console.output.write, named: console.output.path)
        : PackSeries.Job(pack.plan, to: pack.path, examinedAt: pack.updateCheck?.whenExamined)
    }
    let ids = packs.map(\.plan.manifest.assetPackID)
    let work = console.work.reporting { [console, current] progress in
      let (line, previous) = current.with { current -> (ProgressLine, ProgressLine?) in
        if let current, current.index == progress.item { return (current.line, nil) }
        let previous = current?.line
        let line = ProgressLine(console, title: ids[progress.item])
        current = (progress.item, line)
        return (line, previous)
      }
      previous?.finish()
      line.update(progress)
      if progress.isBeginning, let path = progress.path { console.detail(shownBytes(path)) }
    }
    PackSeries(jobs, options.packing, ended: reportOutcome).run(work)
    finishLine { _ in true }
    keepRecords(waiting: true)
    if let interruption { throw interruption }
    reportUnchanged(before: nil)
  }

  /// Removes the progress line if `isMeant` is true for the index of its pack.
  private func finishLine(of isMeant: (Int) -> Bool) {
    let line = current.with { current -> ProgressLine? in
      guard let line = current?.line, current.map({ isMeant($0.index) }) == true else { return nil }
      current = nil
      return line
    }
    line?.finish()
  }

  private func reportOutcome(_ index: Int, _ outcome: PackSeries.Outcome) {
    finishLine { $0 == index }
    reportUnchanged(before: packs[index].path)
    switch outcome {
    case .success(var summary):
      sizes[PackID(summary.assetPackID)] = summary.archiveBytes
      if let updateCheck = packs[index].updateCheck {
        unrecorded.append(Unrecorded(updateCheck: updateCheck, summary: summary))
      }
      keepRecords(waiting: false)
      if !options.printsDigest { summary.sha256 = nil }
      summary.discardFiles()
      made.append(summary)
      report.summary(summary)
    case .failure(let error) where error.kind == .interrupted:
      interruption = interruption ?? error
    case .failure(let error):
      failures += 1
      console.error(error)
    }
  }

  /// Reports the unchanged archives before the one at `path`.
  private func reportUnchanged(before path: String?) {
    while let updateCheck = updateChecks.first {
      if updateCheck.archive == path {
        updateChecks.removeFirst()
        return
      }
      // Archives to write are reported when they are written.
      if !updateCheck.isUnchanged, path != nil { return }
      updateChecks.removeFirst()
      guard updateCheck.isUnchanged else { continue }
      report.unchanged(updateCheck, printingDigest: options.printsDigest)
      keep { () throws(PackError) in try updateCheck.keepRenewed() }
    }
  }

  /// Stores the records of written archives.
  ///
  /// A record is stored when the clock has advanced after the archive got its name. Without
  /// waiting, newer archives are left to the next call: only the last ones of a run need a wait.
  private func keepRecords(waiting isWaiting: Bool) {
    while let first = unrecorded.first,
      isWaiting || .now - first.time >= UpdateCheck.longestTick
    {
      unrecorded.removeFirst()
      keep { () throws(PackError) in try first.updateCheck.keep(first.summary, console.work) }
    }
  }

  /// Stores a record: without it the next run rebuilds the archive.
  private func keep(_ work: () throws(PackError) -> Void) {
    do throws(PackError) {
      try work()
    } catch {
      console.warning("the next '--update' will rebuild an archive: \(error.message)")
    }
  }
}
