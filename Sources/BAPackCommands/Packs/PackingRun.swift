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
    let standing: PackStanding?
  }

  /// What was asked for beside the archives.
  struct Wishes {
    var packing = Packer.Options()
    var printsDigest = false
    /// Whether the one archive goes to standard output.
    var toStandardOutput = false
  }

  private let packs: [PlannedPack]
  private let wishes: Wishes
  private let console: Console
  private let report: PackReport
  /// The archives of all manifests that nothing was said about yet, in their order; empty if nobody
  /// asked what is known of them.
  private var standings: ArraySlice<PackStanding>
  /// The pack whose files are being read.
  private var current: (index: Int, line: ProgressLine, entry: Int)?
  /// The archives that were made, without their contents.
  private(set) var made: [PackSummary] = []
  /// How large the archives are that were made.
  private(set) var sizes: [PackID: UInt64] = [:]
  /// How many archives could not be made.
  private(set) var failures = 0
  private var interruption: PackError?

  init(
    _ packs: [PlannedPack], among standings: [PackStanding], _ wishes: Wishes, _ console: Console,
    _ report: PackReport
  ) {
    self.packs = packs
    self.standings = standings[...]
    self.wishes = wishes
    self.console = console
    self.report = report
  }

  /// Makes the archives; throws only when it was interrupted.
  func run() throws(PackError) {
    for standing in standings {
      guard let reason = standing.reason else { continue }
      console.detail("\(standing.archive): is made because \(reason)")
    }
    let jobs = packs.map { pack in
      wishes.toStandardOutput
        ? PackSeries.Job(pack.plan, writing: console.output.write, named: console.output.path)
        : PackSeries.Job(pack.plan, to: pack.path, seen: pack.standing?.whenSeen)
    }
    PackSeries(jobs, wishes.packing, progress: show, ended: tell).run()
    current = nil
    if let interruption { throw interruption }
    sayUnchanged(before: nil)
  }

  private func show(_ index: Int, _ progress: PackProgress) {
    let plan = packs[index].plan
    if current?.index != index {
      current?.line.finish()
      let line = ProgressLine(
        console, title: plan.manifest.assetPackID, total: plan.selection.totalSize)
      current = (index, line, -1)
    }
    current?.line.update(done: progress.bytes)
    guard console.verbosity == .verbose, progress.entry != current?.entry,
      plan.selection.indices.contains(progress.entry)
    else { return }
    current?.entry = progress.entry
    console.detail(plan.selection[progress.entry].destination)
  }

  private func tell(_ index: Int, _ outcome: PackSeries.Outcome) {
    if current?.index == index { current = nil }
    sayUnchanged(before: packs[index].path)
    switch outcome {
    case .success(var summary):
      sizes[PackID(summary.assetPackID)] = summary.archiveBytes
      if let standing = packs[index].standing {
        keep { () throws(PackError) in try standing.keep(summary) }
      }
      if !wishes.printsDigest { summary.sha256 = nil }
      summary.forgetFiles()
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
  private func sayUnchanged(before path: String?) {
    while let standing = standings.first {
      if standing.archive == path {
        standings.removeFirst()
        return
      }
      // What has to be made is told when its turn comes.
      if !standing.isUnchanged, path != nil { return }
      standings.removeFirst()
      guard standing.isUnchanged else { continue }
      report.unchanged(standing, printingDigest: wishes.printsDigest)
      keep { () throws(PackError) in try standing.keepRenewed() }
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
