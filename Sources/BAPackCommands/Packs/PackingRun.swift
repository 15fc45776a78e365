import BAPackKit
import SystemIO

/// The work of `pack` once all is checked: archives are made, and the others stay as they are; what
/// became of each is said in the order of the manifests.
final class PackingRun {
  /// An archive that has to be made.
  struct PlannedPack {
    let path: String
    let plan: PackPlan
    /// What is known of the archive that is there, if that was asked for.
    let updateCheck: UpdateCheck?
  }

  /// What was asked for beside the archives.
  struct Options {
    var packing = PackSeries.Options()
    var printsDigest = false
    /// Whether the one archive goes to standard output.
    var toStandardOutput = false
  }

  private let packs: [PlannedPack]
  private let options: Options
  private let console: Console
  private let report: PackReport
  /// The archives of all manifests that nothing was said about yet, in their order; empty if nobody
  /// asked what is known of them.
  private var updateChecks: ArraySlice<UpdateCheck>
  /// The pack whose files are being read.
  private let current = Guarded<(index: Int, line: ProgressLine)?>(nil)
  /// The archives that were made, without their contents.
  private(set) var made: [PackSummary] = []
  /// How large the archives are that were made.
  private(set) var sizes: [PackID: UInt64] = [:]
  /// How many archives could not be made.
  private(set) var failures = 0
  private var interruption: PackError?

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

  /// Makes the archives; throws only when it was interrupted.
  func run() throws(PackError) {
    for updateCheck in updateChecks {
      guard let reason = updateCheck.reason else { continue }
      console.detail("\(updateCheck.archive): is made because \(reason)")
    }
    let jobs = packs.map { pack in
      options.toStandardOutput
        ? PackSeries.Job(pack.plan, writing: console.output.write, named: console.output.path)
        : PackSeries.Job(pack.plan, to: pack.path, seen: pack.updateCheck?.whenSeen)
    }
    let ids = packs.map(\.plan.manifest.assetPackID)
    let work = console.work.reporting { [console, current] progress in
      let (line, former) = current.with { current -> (ProgressLine, ProgressLine?) in
        if let current, current.index == progress.item { return (current.line, nil) }
        let former = current?.line
        let line = ProgressLine(console, title: ids[progress.item])
        current = (progress.item, line)
        return (line, former)
      }
      former?.finish()
      line.update(progress)
      if progress.isBeginning, let path = progress.path { console.detail(shownBytes(path)) }
    }
    PackSeries(jobs, options.packing, ended: reportOutcome).run(work)
    finishLine { _ in true }
    if let interruption { throw interruption }
    reportUnchanged(before: nil)
  }

  /// Removes the progress line if it belongs to such a pack.
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
        keep { () throws(PackError) in try updateCheck.keep(summary, console.work) }
      }
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

  /// Reports the archives that stay as they are, up to the one at `path`.
  private func reportUnchanged(before path: String?) {
    while let updateCheck = updateChecks.first {
      if updateCheck.archive == path {
        updateChecks.removeFirst()
        return
      }
      // What has to be made is told when its turn comes.
      if !updateCheck.isUnchanged, path != nil { return }
      updateChecks.removeFirst()
      guard updateCheck.isUnchanged else { continue }
      report.unchanged(updateCheck, printingDigest: options.printsDigest)
      keep { () throws(PackError) in try updateCheck.keepRenewed() }
    }
  }

  /// Keeps a record: without it the next run makes an archive again that it need not make.
  private func keep(_ work: () throws(PackError) -> Void) {
    do throws(PackError) {
      try work()
    } catch {
      console.warning("the next '--update' will make an archive again: \(error.message)")
    }
  }
}
