import Arguments
import BAPackKit
import Converting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `convert`: creates manifests from descriptions in other formats.
struct ConvertCommand: Subcommand {
  private typealias Choices = ManifestChoices
  private static let inputs = ArgumentList(
    "input", .file(), triedAs: ManifestOptions.inputGuesses,
    "Steam build scripts, Xcode projects or built apps.",
    details: "'-' reads a file from standard input.")
  private static let kind = Option<InputKind>(
    "from", .choice, called: "kind", in: .input, "Set the kind of input.",
    details: "The default is detected from the contents.")
  private static let output = Option(
    "output-path", short: "o", .file("json"), called: "path", in: .output,
    "Write to this .json file or folder.",
    details: "Several manifests require a folder. The default is standard output.")
  private static let contentRoot = Option(
    "content-root", .file(), called: "path", in: .input,
    "Read the files from this folder or archive.",
    details: "It overrides the folder that the input names.")
  private static let check = Flag(
    "compare", in: .output, "Compare the manifests with the files of the input.")
  private static let target = Option(
    "target", .text, called: "name", in: .input, "Convert the resources of this target only.")
  private static let splitLanguages = Flag(
    "split-languages", in: .manifest, "Create localized packs from folders such as 'de.lproj'.")
  private static let scan = RepeatableOption(
    "scan", .folder, called: "folder", in: .input,
    "Search sources for calls to replace; repeatable.",
    details: "'MIGRATION.md' lists the calls of On-Demand Resources.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the manifests, write nothing.")
  private static let force = Flag("force", short: "f", in: .output, "Replace existing files.")

  static let definition = Command(
    "convert", overview: "Convert Steam or On-Demand Resources projects.",
    discussion: [
      """
      The kind of an input is detected from its contents. Each manifest has a 'sourceRoot' \
      relative to its place. A part of the input that cannot be converted is reported at its \
      position. After an error, no file is written.
      """,
      """
      Steam: scripts that start with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild'. An app \
      becomes one manifest for each depot. The content root is searched in the folder of the \
      script, in the current folder, or in '--content-root'. If it exists, names get the case of \
      the disk, and mappings without an equal selector become lists of files.
      """,
      """
      On-Demand Resources: a folder with a project, an '.xcodeproj', or a built '.app', \
      '.xcarchive' or '.ipa'. For a spec of XcodeGen, run 'xcodegen generate' first. Each \
      different set of tags becomes a pack with the same download policy. 'tags.json' lists the \
      packs and files of each tag. 'MIGRATION.md' lists the calls to replace and the remaining \
      steps.
      """,
      """
      '--asset-pack-id' is the ID of the only pack, or the start of the IDs of several. \
      '--target', '--split-languages', '--scan' and '--content-root' are errors if no input \
      supports them.
      """,
      """
      With '--compare', each file is compared by its path in the pack and below the source root. \
      Every difference is an error.
      """,
    ],
    [inputs, kind, contentRoot, target, scan] + Choices.all
      + [splitLanguages, output, force, check, dryRun, FindingsFormat.option],
    exclusive: [Choices.policies, [dryRun, force]],
    dependent: [(force, on: output)],
    examples: [
      Term(
        "ba-package convert app_build.vdf --essential --compare -o Packs",
        "Convert all depots of a Steam app and compare the files."),
      Term(
        "ba-package convert Game.xcodeproj --scan Sources --compare -o Packs",
        "Convert the tags of an Xcode project and list calls to replace."),
      Term(
        """
        ba-package convert --asset-pack-id voice-english -l en-US --on-demand voice-english.vdf \
        -o voice-english.json
        """, "Convert one depot."),
    ])

  private let paths: [String]
  private let output: String?
  private let options: ConversionOptions
  private let compares: Bool
  private let isDryRun: Bool
  private let replaces: Bool
  private let format: FindingsFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    paths = arguments[Self.inputs]
    let output = arguments[Self.output]
    self.output = output == "-" ? nil : output
    compares = arguments[Self.check]
    isDryRun = arguments[Self.dryRun]
    replaces = arguments[Self.force]
    format = arguments[FindingsFormat.option]
    var options = ConversionOptions(.unstoppable)
    options.kind = arguments[Self.kind]
    options.assetPackID = arguments[Choices.id]
    options.downloadPolicy = try Choices.policy(arguments)
    options.platforms = arguments[Choices.platforms]
    options.language = arguments[Choices.language]
    options.contentRoot = arguments[Self.contentRoot].map { FilePath($0) }
    options.target = arguments[Self.target]
    options.splitsLanguages = arguments[Self.splitLanguages]
    options.scannedSources = arguments[Self.scan].map { FilePath($0) }
    self.options = options
    if format != .text, isDryRun || self.output == nil {
      throw UsageError(
        "Standard output is used for the manifests: '--format \(format.rawValue)' cannot write "
          + "its report")
    }
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    var inputs: [ConversionInput] = []
    for path in paths {
      console.detail(path)
      inputs.append(try input(path, console))
    }
    var conversion = try convert(
      inputs, leavingOut: writesFolder ? [] : [output].compactMap(\.self), console.work)
    let files = files(of: conversion)
    if writesFolder, !conversion.findings.hasErrors, files.contains(where: isPresent) {
      // Files that an earlier run wrote into the input are ignored.
      conversion = try convert(inputs, leavingOut: files, console.work)
    }
    let landings = conversion.findings.hasErrors ? [] : try land(conversion)
    for landing in landings { conversion.findings.add(contentsOf: landing.findings) }
    if compares, !conversion.findings.hasErrors {
      let outputs = RunOutputs(landings.compactMap(\.path))
      for landing in landings {
        conversion.findings.add(
          contentsOf: try landing.differences(leavingOut: outputs, console.work))
      }
    }
    guard !conversion.findings.hasErrors else {
      return conclude(conversion.findings, "No files were written", failed: true, console)
    }
    if output != nil, !isDryRun {
      try write(landings, conversion.otherFiles, console)
    } else {
      for landing in landings {
        if isDryRun, let path = landing.path { console.summary("Would write '\(path)':") }
        console.result(bytes: landing.text)
      }
      if isDryRun, output != nil {
        for file in conversion.otherFiles {
          console.summary("Would also write '\(path(of: file.name))'.")
        }
      }
    }
    return conclude(
      conversion.findings, Quantity.count(landings.count, "manifest"), failed: false, console)
  }

  private func input(_ path: String, _ console: Console) throws(PackError) -> ConversionInput {
    guard path == "-" else { return try ConversionInput(at: FilePath(path), console.work) }
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try console.readInput(atMost: ConversionInput.largestText + 1)
    }
    return .text(FilePath(ManifestInput.standardInput), bytes)
  }

  private func convert(
    _ inputs: [ConversionInput], leavingOut outputs: [String], _ work: Work
  ) throws(PackError) -> Conversion {
    var options = options
    options.outputs = outputs
    options.work = work
    var conversion = Conversion()
    for input in inputs { conversion.add(try Conversion(of: input, options)) }
    conversion.checkTogether(options)
    return conversion
  }

  private func isPresent(_ path: String) -> Bool { (try? FileStatus(ofFileAt: path)) != nil }

  private func conclude(
    _ findings: Ledger, _ subject: String, failed: Bool, _ console: Console
  ) -> ExitStatus {
    console.conclude(
      findings, about: subject, failed: failed, as: format,
      of: ConvertingRules.all + RuleCatalogue.rules(of: .manifests))
    return failed ? .failed : .done
  }
}

// MARK: - Output paths

extension ConvertCommand {
  /// A manifest to write or print.
  private struct Landing {
    var converted: ConvertedManifest
    /// nil is standard output.
    var path: String?
    /// The folder to which its source root is relative.
    var folder: FilePath
    var text: [UInt8]
    var findings: Ledger

    /// Returns the differences between the selected files and the input.
    ///
    /// The manifest is not written yet, and is evaluated as if it were in the current folder.
    func differences(leavingOut outputs: RunOutputs, _ work: Work) throws(PackError) -> Ledger {
      let text = try converted.landed(in: FilePath(".")).authoredJSON()
      let name = path.map { FilePath($0).name.shown } ?? "the manifest"
      let document = ManifestDocument(parsing: text, named: name)
      return try converted.differences(from: document, leavingOut: outputs, work)
    }
  }

  private var writesFolder: Bool { output.map { !FilePath($0).hasSuffix(".json") } ?? false }

  /// Returns the path at which a file is written.
  private func path(of name: String) -> String {
    guard let output else { return name }
    return writesFolder ? FilePath(output).appending(FileName(name)).text : output
  }

  /// Returns all files to write, the manifests first.
  private func files(of conversion: Conversion) -> [String] {
    output == nil
      ? [] : (conversion.manifests.map(\.name) + conversion.otherFiles.map(\.name)).map(path)
  }

  private func land(_ conversion: Conversion) throws(PackError) -> [Landing] {
    let (manifests, others) = (conversion.manifests, conversion.otherFiles)
    let isOneFile = output.map { _ in !writesFolder } ?? !isDryRun
    if isOneFile, manifests.count + others.count > 1 {
      let made = [Quantity.count(manifests.count, "manifest")] + others.map { "'\($0.name)'" }
      let list = (made.count > 1 ? made.dropLast().joined(separator: ", ") + " and " : "")
      throw PackError(
        .conflict,
        "\(output.map { "'\($0)'" } ?? "standard output") is for one manifest, but the input has "
          + list + (made.last ?? ""),
        remedy: "specify a folder with -o")
    }
    let names = Set(files(of: conversion).map { OutputPlace($0).name })
    var landings: [Landing] = []
    for manifest in manifests { landings.append(try land(manifest, beside: names)) }
    return landings
  }

  private func land(
    _ converted: ConvertedManifest, beside names: Set<FileName>
  ) throws(PackError) -> Landing {
    let path = output.map { _ in self.path(of: converted.name) }
    let folder = FilePath(path.map { OutputPlace($0).folder } ?? ".")
    let manifest = try converted.landed(in: folder, beside: names)
    let text = manifest.authoredJSON()
    let document = ManifestDocument(parsing: text, named: path ?? converted.name)
    return Landing(
      converted: converted, path: path, folder: folder, text: text, findings: document.findings)
  }

  /// Writes all files atomically; throws before the first one if an output exists.
  private func write(
    _ landings: [Landing], _ others: [Conversion.OtherFile], _ console: Console
  ) throws(PackError) {
    var files = landings.compactMap { landing in landing.path.map { ($0, landing.text) } }
    files += others.map { (path(of: $0.name), $0.bytes) }
    Leftovers.remove(from: files.map { OutputPlace($0.0).folder }, console)
    try mapFailure(.writing) { () throws(Failure) in
      for (path, _) in files {
        try AtomicFile.check(path, replacing: replaces, makingFolder: writesFolder)
      }
      for (path, text) in files {
        let file = try AtomicFile(path, replacing: replaces, makingFolder: writesFolder)
        try file.write(text)
        try file.publish()
      }
    }
    for (path, _) in files { console.summary("Wrote '\(path)'.") }
  }
}
