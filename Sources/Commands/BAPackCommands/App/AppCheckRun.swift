import AppSide
import Arguments
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// One run of `app check`.
struct AppCheckRun {
  let settings: AppCheckCommand
  let console: Console

  func run() throws(PackError) -> ExitStatus {
    guard let input = try settings.input.opened(console, otherwise: "No app was checked") else {
      return .failed
    }
    var result = AppCheckResult(path: settings.app)
    let packs = try packs(input, &result)
    let path = FilePath(settings.app).trimmed
    switch try AppInput(at: path) {
    case .product: try check(product: path, packs, input, &result)
    case .project: try check(project: path, packs, input, &result)
    case .sources: try check(sources: path, packs, &result)
    }
    result.packCount = packs?.outlines.count ?? 0
    result.findings.follow(settings.policy)
    return conclude(result)
  }

  // MARK: Packs

  /// Reads the packs of the operands, or those of the project if they are built; nil without packs.
  private func packs(
    _ input: ManifestInput, _ result: inout AppCheckResult
  ) throws(PackError) -> AppPacks? {
    var paths: [String] = []
    var packs = AppPacks()
    let known = PackOperands(input, for: settings.operands, console)
    for operand in settings.operands {
      if operand.lowercased().hasSuffix(".json"), packs.manifest == nil {
        packs.manifest = try PublicationFiles(operand).readManifest(
          allowingHTTP: false, console.work)
      } else {
        paths += try known.archives(operand)
      }
    }
    if settings.operands.isEmpty {
      guard let outputs = try outputs(input) else { return nil }
      paths = outputs.paths.filter { (try? FileStatus(ofFileAt: $0)) != nil }
      if paths.count < outputs.paths.count {
        let missing = outputs.paths.count - paths.count
        result.omissions.append(
          "\(Quantity.count(missing, "pack")) of the project, not built yet ('ba-package pack')")
      }
      if paths.isEmpty { return nil }
    }
    packs.outlines = try PackOutline.read(
      paths, memory: settings.memory, threads: ProcessState.processorCount, console.work)
    return packs
  }

  /// Returns the outputs of the project; nil without a project, or if it has no output folder.
  private func outputs(_ input: ManifestInput) throws(PackError) -> ProjectOutputs? {
    guard input.run.document != nil, try input.run.output() != nil else { return nil }
    return try ProjectOutputs(input, console, otherwise: "The packs of the project are unknown")
  }

  // MARK: Checks

  private func check(
    product path: FilePath, _ packs: AppPacks?, _ input: ManifestInput,
    _ result: inout AppCheckResult
  ) throws(PackError) {
    let tree = try BundleTree(at: path, console.work)
    var search = packs.map { LiteralSearch(in: $0.paths, besides: tree) }
    let visit: AppProduct.TextVisitor = { text, program in
      search?.inspect(text, inProgram: path.appending(program).text)
    }
    let product = try AppProduct(tree, console.work, visit: packs == nil ? nil : visit)
    let check = try AppCheck(product, packs: packs, hosting: input.hosting, console.work)
    result.add(check)
    result.add(search)
  }

  private func check(
    sources path: FilePath, _ packs: AppPacks?, _ result: inout AppCheckResult
  ) throws(PackError) {
    let spec = AppInput.spec(in: path)
    var search = LiteralSearch(in: packs?.paths ?? PackPaths([]))
    let count = try search.search(in: path.text, console.work)
    if count == 0 {
      throw PackError(
        .missing, "there are no app, no Xcode project and no sources in '\(path.shown)'",
        remedy: spec.map { AppInput.remedy(for: $0) } ?? AppInput.remedy)
    }
    guard packs?.outlines.isEmpty == false else {
      throw PackError(
        .missing, "'\(path.shown)' has only sources, which are compared with packs",
        remedies: [
          spec.map { AppInput.remedy(for: $0) } ?? "specify an app or an Xcode project",
          .argument("also specify the packs"),
        ])
    }
    result.add(search)
    result.omissions.append("keys, extension and signatures, which only a built app shows")
    if let spec {
      result.omissions.append("'\(spec.shown)', a spec of XcodeGen: run 'xcodegen generate' first")
    }
  }

  private func check(
    project path: FilePath, _ packs: AppPacks?, _ input: ManifestInput,
    _ result: inout AppCheckResult
  ) throws(PackError) {
    let check = try ProjectCheck(at: path, packs: packs, hosting: input.hosting, console.work)
    result.add(check)
    result.omissions.append("programs, signatures and profiles, which only a built app has")
    guard let packs else {
      result.omissions.append("paths in sources, without packs")
      return
    }
    var search = LiteralSearch(in: packs.paths)
    _ = try search.search(in: AppInput.sources(of: path).text, console.work)
    result.add(search)
  }

  // MARK: Result

  private func conclude(_ result: AppCheckResult) -> ExitStatus {
    let findings = result.findings
    let failed = findings.hasErrors || settings.isStrict && findings.count(.warning) > 0
    let rules = AppRules.all + RuleCatalogue.rules(of: .publishing)
    switch settings.format {
    case .json:
      console.result(json: result)
      let line = "\(shown(result.path)): \(findings.tally)"
      if failed { console.finding(text: line + "\n") } else { console.summary(line) }
    case .text, .github, .gitlab, .sarif:
      if settings.format == .text { for line in result.lines { console.result(line) } }
      console.conclude(
        findings, about: shown(result.path), failed: failed, as: settings.format, of: rules,
        under: settings.policy, isStrict: settings.isStrict)
    }
    return failed ? .failed : .done
  }
}
