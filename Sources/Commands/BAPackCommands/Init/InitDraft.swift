import Arguments
import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// A proposal for choices of the user, with all that is shown and written.
struct InitDraft {
  let tree: AssetTree
  let layout: ProjectLayout
  let proposal: Proposal
  let files: ProposedFiles
  let result: ProposalResult
  /// The findings about the manifests and their files before they are written.
  let findings: Ledger
  /// The error of writing the files, if it is known before.
  let obstacle: PackError?

  init(
    _ choices: InitChoices, _ hosting: Hosting?, at place: NewProject, packsFolder: FilePath?,
    _ console: Console
  ) throws(PackError) {
    var options = choices.options
    options.hosting = hosting
    let (project, tree) = try console.showing("Searching") { work throws(PackError) in
      let project = try FoundProject.find(at: place.inspected, work)
      let root = place.folder(ofAssets: project.assets)
      var tree = try AssetTree(reading: root, including: options.inclusions, work)
      try tree.measureKinds(work)
      return (project, tree)
    }
    self.tree = tree
    layout = try place.layout(assets: project.assets, packsFolder: packsFolder, hosting: hosting)
    options.ownPaths = layout.ownPaths
    options.outputPaths = layout.outputPaths
    let history = choices.readsHistory ? try Self.changes(of: tree, console) : nil
    var proposal = Proposal(of: tree, in: project, options, history: history)
    guard !proposal.packs.isEmpty else { throw Self.nothingToPack(proposal, place) }
    try choices.apply(to: &proposal)
    try console.showing("Estimating sizes") { work throws(PackError) in
      try proposal.estimateSizes(of: tree, work)
    }
    proposal.describeSmallerLimit(than: options, tree, history)
    self.proposal = proposal
    files = ProposedFiles(proposal, of: tree, in: layout)
    var result = ProposalResult(proposal, tree, files, layout)
    var obstacle: PackError?
    do throws(PackError) {
      result.planned = try place.checkIsNew(files, in: layout)
    } catch {
      obstacle = error
    }
    self.obstacle = obstacle
    findings = try Self.findings(
      of: files, for: options, proposal.primaryLanguage, tree, console.work)
    result.add(findings)
    self.result = result
  }

  /// Prompts for facts about the app that neither the project nor the user stated; returns whether
  /// there were any.
  func complete(_ choices: inout InitChoices, _ console: Console) throws(PackError) -> Bool {
    var isChanged = false
    if choices.options.primaryLanguage == nil, proposal.project.primaryLanguage == nil,
      let first = proposal.primaryLanguage ?? proposal.languages.first,
      proposal.languages.count > 1
    {
      choices.setPrimaryLanguage(try console.choose(among: proposal.languages, first))
      isChanged = true
    }
    if proposal.runsWithoutLocalizedPacks, proposal.project.oldestSystem == nil {
      choices.setOldestSystem(try console.oldestSystem())
      isChanged = true
    }
    return isChanged
  }

  /// The number of files above which their contents are not checked before the question.
  private static let mostChecked = 100_000

  private static func findings(
    of files: ProposedFiles, for options: ProposalOptions, _ primaryLanguage: LanguageTag?,
    _ tree: AssetTree, _ work: Work
  ) throws(PackError) -> Ledger {
    var project = Project(
      files.manifests.map { .text($0.bytes, named: $0.path.text) }, hosting: options.hosting)
    project.primaryLanguage = primaryLanguage
    project.policy = FindingPolicy(files.decisions)
    project.sourceRoot = tree.root
    let documents = project.inputs.map { [project] in project.read($0, work) }
    return try project.check(documents, lookingAtFiles: tree.files.count <= mostChecked, work)
      .report.findings
  }

  private static func nothingToPack(_ proposal: Proposal, _ place: NewProject) -> PackError {
    let count = proposal.leftOut.reduce(0) { $0 + $1.count }
    let reasons = proposal.leftOut.map(\.reason.text).prefix(3).joined(separator: ", ")
    let advice = proposal.project.advice.map { Remedy.advice($0.text) }
    return PackError(
      .missing,
      "there are no files to pack in '\(place.inspected)'"
        + (count == 0 ? "" : ": \(Quantity.count(count, "file")) left out (\(reasons))"),
      remedies: advice.isEmpty ? ["specify the folder of the assets"] : advice)
  }
}

extension Console {
  /// Prompts for the primary language; an empty line or the end of input chooses the first one.
  fileprivate func choose(
    among languages: [LanguageTag], _ first: LanguageTag
  ) throws(PackError) -> LanguageTag {
    let names = languages.map(\.description)
    finding(text: "Languages: \(names.joined(separator: ", "))\n")
    while let reply = try prompt("Primary language [\(first)]:"), !reply.isEmpty {
      if let tag = LanguageTag(locale: reply), languages.contains(tag) { return tag }
      let near = Spelling.nearest(to: reply, among: names).map { "; did you mean '\($0)'?" } ?? ""
      finding(text: shown("There are no files in the language '\(reply)'\(near)") + "\n")
    }
    return first
  }

  /// Prompts for the oldest system of the app; an empty line or the end of input chooses the oldest
  /// with asset packs.
  fileprivate func oldestSystem() throws(PackError) -> Int {
    let last = Device.firstSystemWithLocalizedPacks - 1
    finding(text: "Systems before version \(last + 1) receive no localized packs.\n")
    while let reply = try prompt("Oldest system version of the app [\(last)]:"), !reply.isEmpty {
      if let version = try? ValueType.majorVersion.read(reply) { return version }
      finding(text: "Type a version, such as \(last).\n")
    }
    return last
  }
}
