import AppSide
import Arguments
import BAPackKit
import Reporting
import SourceDiagnostics
import SystemIO
import TerminalText

/// `app code`: writes constants for the packs and their paths, and code that uses the packs.
struct CodeCommand: Subcommand {
  /// The name in generated files.
  static let generator = "ba-package app code"

  private static let packs = ArgumentList(
    "packs", .file("aar", "json"), elsewhere: ProjectOptions.hint,
    triedAs: ManifestOptions.inputGuesses,
    "Packs, manifests or pack IDs (default: the project's packs).",
    details: """
      Packs, folders of packs, manifests with their files, or IDs of packs of the project. Nothing \
      is packed.
      """)
  private static let format = Option<CodeLanguage>(
    "format", .choice, called: "language", in: .output, isRequired: true,
    "Set the language of the file.",
    details: """
      'swift' and 'objc' also contain functions that check the app, download packs and read files. \
      'objc' is one header. 'csharp' is for Unity, 'gdscript' for Godot, 'cpp' for C++17.
      """)
  private static let output = Option(
    "output-path", short: "o", .file("swift", "h", "cs", "gd", "hpp", "json"), called: "path",
    in: .output, "Write to this file (default: standard output).",
    details: "A file that this command generated is replaced.")
  private static let detail = Option<PathDetail>(
    "paths", .choice, called: "detail", in: .output,
    "Set the constants for paths (default: files).",
    details: """
      If there are more than \(Quantity.grouped(CodeLanguage.swift.pathLimit)) files (Swift) or \
      \(Quantity.grouped(CodeLanguage.cpp.pathLimit)) (other languages, except JSON), the default \
      is 'folders', because such a file compiles slowly; with as many folders it is 'none'.
      """)
  private static let access = Option<SwiftAccess>(
    "access", .choice, called: "level", in: .output,
    "Set the access level in Swift (default: public).",
    details: "'internal' is for an app whose code is one module.")
  private static let check = Flag(
    "check", in: .output, "Fail if the file is out of date, write nothing.")
  private static let diff = Flag(
    "diff", in: .output, "Print the changes of the file, write nothing.",
    details: "The format is that of 'diff -u'.")

  static let definition = Command(
    "code", overview: "Write code with the packs and paths of an app.",
    discussion: [
      """
      Writes a constant for each pack and for each path in the packs, with the packs and the \
      languages of a path. A path that changes is then an error of the compiler, and not a file \
      that is missing on a device.
      """,
      """
      The names depend only on the paths. If two paths have the same name, a part of a hash \
      follows both names, and the command reports them.
      """,
      DocumentName.appCode.described("With '--format json', writes one object"),
    ],
    [
      packs, format, output, TextOutput.force, detail, access, check, diff,
      ManifestOptions.sourceRoot,
    ]
      + ProjectOptions.all + FindingOptions.all,
    exclusive: [ProjectOptions.exclusive, [TextOutput.force, check], [TextOutput.force, diff]],
    dependent: [TextOutput.forceNeedsPath, (check, on: output), (diff, on: output)],
    examples: [
      Term(
        "ba-package app code --format swift -o AssetPacks.swift",
        "Write the code for the packs of the project."),
      Term(
        "ba-package app code --format csharp -o AssetPacks.cs build/packs",
        "Write constants for the packs in a folder."),
      Term(
        "ba-package app code --format swift -o AssetPacks.swift --check",
        "Fail if the file is out of date."),
    ])

  private let operands: [String]
  private let input: ManifestOptions
  private let language: CodeLanguage
  private let output: TextOutput
  private let detail: PathDetail?
  private let access: SwiftAccess
  private let checks: Bool
  private let showsDifference: Bool
  /// The command line that writes the file.
  private let commandLine: String

  init(_ arguments: ParsedArguments) throws(UsageError) {
    operands = arguments[Self.packs]
    var input = ManifestOptions(arguments, operands: operands)
    FindingOptions.add(to: &input.project.settings, arguments)
    self.input = input
    if operands.isEmpty, input.project.place == nil {
      throw UsageError("Missing expected argument '<packs> ...'", hint: ProjectOptions.hint)
    }
    language = try arguments.required(Self.format)
    output = TextOutput(arguments)
    detail = arguments[Self.detail]
    if arguments[Self.access] != nil, language != .swift {
      throw UsageError("'--access' requires '--format swift'")
    }
    access = arguments[Self.access] ?? .public
    checks = arguments[Self.check]
    showsDifference = arguments[Self.diff]
    commandLine = Self.commandLine(arguments)
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let constants = try constants(console) else { return .failed }
    let detail = detail ?? constants.detail(for: language)
    let code = constants.code(
      in: language, detail, access: access, generatedBy: Self.generator)
    report(constants, detail, code.collisions, console)
    let text = Array(code.text.utf8)
    guard checks || showsDifference, let path = output.path else {
      var output = output
      if let path = output.path, Self.isGenerated(path) { output.replaces = true }
      try output.write(text, console)
      return .done
    }
    let former = try Self.contents(path)
    if showsDifference {
      console.result(bytes: UnifiedDiff.render(former ?? [], text, named: path))
    }
    guard checks else { return .done }
    if former == text {
      console.summary("'\(path)' is up to date.")
      return .done
    }
    console.error(
      PackError(
        .conflict, former == nil ? "there is no '\(path)'" : "'\(path)' is out of date",
        remedy: "'\(commandLine)' writes it"))
    return .failed
  }

  /// Reads the packs; nil after errors, which have been reported.
  private func constants(_ console: Console) throws(PackError) -> PackConstants? {
    let outcome = "No code was written"
    guard let input = try input.opened(console, otherwise: outcome) else { return nil }
    var findings = Ledger()
    var reader = InventoryReader()
    reader.detail = []
    reader.project = try input.project([], console)
    reader.project.readsContents = false
    let paths =
      operands.isEmpty ? input.paths : try input.packsOrManifests(operands, console)
    guard let inventory = try reader.read(paths, &findings, console.work) else {
      console.report(findings, as: .text)
      console.finding(text: "\(outcome): \(findings.tally)\n")
      return nil
    }
    return PackConstants(
      inventory.packs.map { pack in
        PackConstants.Pack(
          pack.id, language: pack.language, policy: pack.policy, pack.contents ?? PackContents())
      })
  }

  // MARK: Messages

  private func report(
    _ constants: PackConstants, _ used: PathDetail, _ collisions: [NameCollision],
    _ console: Console
  ) {
    let limit = Quantity.grouped(language.pathLimit)
    let files = Quantity.count(constants.pathCount, "file")
    if detail == nil, used != .files {
      console.summary(
        "\(used == .folders ? "Only folders have" : "No path has a") "
          + "constant\(used == .folders ? "s" : ""): the packs have \(files), and a file with more "
          + "than \(limit) constants compiles slowly. '--paths files' writes them.")
    } else if used == .files, constants.pathCount > language.pathLimit {
      console.summary("The file compiles slowly: it has constants for \(files).")
    }
    if constants.unnamedPathCount > 0 {
      console.warning(
        "\(Quantity.count(constants.unnamedPathCount, "path")) without a constant: not UTF-8")
    }
    let most = console.verbosity == .verbose ? Int.max : 5
    for collision in collisions.prefix(most) {
      let names = collision.names.map { "'\($0.text)' is \($0.name)" }.joined(separator: ", ")
      let place = collision.folder.map { $0.isEmpty ? "" : " in '\($0)'" } ?? " (pack IDs)"
      console.summary("Equal names\(place): \(names)")
    }
    if collisions.count > most {
      console.summary("… and \(collisions.count - most) more; '--verbose' lists them.")
    }
  }

  /// Returns the command line without the options of a check.
  private static func commandLine(_ arguments: ParsedArguments) -> String {
    var words = [generator]
    for parameter in arguments.path.parameters
    where parameter.name != packs.parameter.name && parameter.name != check.parameter.name
      && parameter.name != diff.parameter.name
    {
      for word in arguments.words(of: parameter) {
        words.append("--\(parameter.name)")
        if parameter.form == .option { words.append(quoted(word)) }
      }
    }
    return (words + arguments[packs].map(quoted)).joined(separator: " ")
  }

  /// Returns a word for a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "+")...UInt8(ascii: ":")).contains(byte) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "=") || byte >= 0x80
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }

  // MARK: The existing file

  private static func isGenerated(_ path: String) -> Bool {
    guard let start = try? FileDescriptor.open(path, for: .reading).readToEnd(atMost: 400) else {
      return false
    }
    return start.isEmpty || PackConstants.isGenerated(start, by: generator)
  }

  /// Returns the bytes of a file; nil if it does not exist.
  private static func contents(_ path: String) throws(PackError) -> [UInt8]? {
    guard (try? FileStatus(ofFileAt: path)) != nil else { return nil }
    return try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .reading).readToEnd(atMost: 1 << 30)
    }
  }
}
