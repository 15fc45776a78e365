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
    "input", .file(),
    """
    A build script of Steam, a project of Xcode, a spec of XcodeGen, or an app that Xcode built; \
    '-' reads a text from standard input.
    """)
  private static let kind = Option<InputKind>(
    "from", .choice, called: "kind",
    "What the inputs are, where their contents do not say so.")
  private static let output = Option(
    "output-path", short: "o", .file("json"), called: "path",
    """
    The manifest to write, which ends in '.json', or a folder for any number of them; without it \
    the manifest goes to standard output.
    """)
  private static let contentRoot = Option(
    "content-root", .file(), called: "path",
    "The folder or archive that the files are in, instead of the one that the input names.")
  private static let check = Flag(
    "check", "Compare the files that the manifests select with those that the input means.")
  private static let target = Option(
    "target", .text, called: "name",
    "The target of a project whose resources become packs, instead of all.")
  private static let splitLanguages = Flag(
    "split-languages", "Make packs in a language of what lies in a folder such as 'de.lproj'.")
  private static let scan = RepeatableOption(
    "scan", .folder, called: "folder",
    "Sources to look for calls of On-Demand Resources in; 'MIGRATION.md' lists them.")
  private static let dryRun = Flag("dry-run", "Print the manifests, and write nothing.")
  private static let force = Flag("force", short: "f", "Replace outputs that exist.")

  static let definition = Command(
    "convert",
    overview: "Makes manifests from build scripts of Steam and from On-Demand Resources.",
    discussion: [
      """
      What an input is, is told from its contents. What is written is a manifest as an author \
      would write it, with a 'sourceRoot' that starts where it lands. Whatever cannot be carried \
      over is reported at its place in the input; after an error nothing is written.
      """,
      """
      Steam: scripts that begin with 'DepotBuild', 'DepotBuildConfig' or 'AppBuild'; an app makes \
      a manifest for each depot. The files are looked at where the content root is in the folder \
      of the script, in the current one, or named with '--content-root': then names get the case \
      that they have on disk, and what no selector can say becomes a list of files.
      """,
      """
      On-Demand Resources: a folder with a project, a '.xcodeproj', a 'project.yml' with the specs \
      that it includes below its folder, or what was built: an '.app', an '.xcarchive', an '.ipa'. \
      Each distinct set of tags becomes a pack, downloaded as its tags were. Beside the manifests \
      stand 'tags.json', which names the packs and files of each tag for programs, and \
      'MIGRATION.md' with the calls to replace and what is left to do by hand.
      """,
      """
      '--asset-pack-id' is the ID of the only pack, or begins that of each of several. '--target', \
      '--split-languages', '--scan' and '--content-root' are refused where no input has anything \
      for them.
      """,
      """
      With '--check' each file is compared, by its path in the pack and below the source root, and \
      every difference is an error.
      """,
    ],
    [inputs, kind, output] + Choices.all
      + [contentRoot, target, splitLanguages, scan, check, dryRun, force, FindingsFormat.option],
    exclusive: [Choices.policies, [dryRun, force]],
    dependent: [(force, on: output)],
    examples: [
      Term(
        """
        ba-package convert --asset-pack-id voice-english -l en-US --on-demand voice-english.vdf \
        -o voice-english.json
        """, "A depot of Steam."),
      Term(
        "ba-package convert app_build.vdf --essential --content-root ../build --check -o Packs",
        "All depots of an app, compared with the files."),
      Term(
        "ba-package convert Game.xcodeproj --scan Sources --check -o Packs",
        "The tags of a project, and the calls to replace."),
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
    if writesFolder, !conversion.findings.hasErrors, files.contains(where: isThere) {
      // Files that an earlier run wrote into the input are ignored.
      conversion = try convert(inputs, leavingOut: files, console.work)
    }
    let landings = conversion.findings.hasErrors ? [] : try land(conversion)
    for landing in landings { conversion.findings.add(contentsOf: landing.findings) }
    if compares, !conversion.findings.hasErrors {
      for landing in landings {
        conversion.findings.add(
          contentsOf: try landing.differences(
            leavingOut: landings.compactMap(\.path), console.work))
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

  private func isThere(_ path: String) -> Bool { (try? FileStatus(ofFileAt: path)) != nil }

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

    /// The differences between the selected files and the input.
    ///
    /// The manifest is not written yet, and is evaluated as if it were in the current folder.
    func differences(leavingOut outputs: [String], _ work: Work) throws(PackError) -> Ledger {
      let text = try converted.landed(in: FilePath(".")).authoredJSON()
      let name = path.map { FilePath($0).name.shown } ?? "the manifest"
      let document = ManifestDocument(parsing: text, named: name)
      return try converted.differences(from: document, leavingOut: outputs, work)
    }
  }

  private var writesFolder: Bool { output.map { !FilePath($0).hasSuffix(".json") } ?? false }

  /// The path at which a file is written.
  private func path(of name: String) -> String {
    guard let output else { return name }
    return writesFolder ? FilePath(output).appending(FileName(name)).text : output
  }

  /// All files to write, the manifests first.
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
    let names = files(of: conversion).map { OutputPlace($0).name }
    var landings: [Landing] = []
    for manifest in manifests { landings.append(try land(manifest, beside: names)) }
    return landings
  }

  private func land(
    _ converted: ConvertedManifest, beside names: [FileName]
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
