import Arguments
import BAPackKit
import Faults
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@testable import BAPackCommands

/// Help of every command, every topic and every manual page.
@Suite("Help of the program")
struct HelpTextTests {
  private static let root = CommandPath(CommandTable.program)
  private static let paths = root.all

  /// Returns the words of a command line for the help of a command.
  private static func words(_ path: CommandPath, _ option: String) -> [String] {
    Array(path.names.dropFirst()) + [option]
  }

  /// Each output of help with its name.
  private static let outputs: [(name: String, text: String)] =
    [("", Captured().messages), ("help", Captured("help").output)]
    + paths.flatMap { path in
      ["-h", "--help"].map { option in
        ("\(path.name) \(option)", Captured(words(path, option)).output)
      }
    } + CommandTable.program.topics.map { ($0.name, Captured("help", $0.name).output) }

  @Test func `every output of help fits 80 columns`() {
    #expect(Self.outputs.count > 100)
    for output in Self.outputs {
      #expect(!output.text.isEmpty, "\(output.name)")
      for line in output.text.split(separator: "\n") {
        #expect(line.count <= 80, "\(output.name): \(line)")
      }
    }
  }

  @Test func `the overview has at most 40 lines, and the short help of a command at most 60`() {
    #expect(Captured().messages.count(where: { $0 == "\n" }) <= 40)
    for path in Self.paths {
      let help = Captured(Self.words(path, "-h")).output
      #expect(help.count(where: { $0 == "\n" }) <= 60, "\(path.name)")
    }
  }

  @Test func `-h has no discussion and two examples, and --help has everything`() {
    for path in Self.paths.dropFirst() {
      let short = Self.joined(Captured(Self.words(path, "-h")).output)
      let full = Self.joined(Captured(Self.words(path, "--help")).output)
      for text in path.command.discussion {
        #expect(full.contains(text), "\(path.name)")
        #expect(!short.contains(text), "\(path.name)")
      }
      for parameter in path.parameters {
        #expect(short.contains(parameter.explanation(.short)), "\(path.name) \(parameter.name)")
        #expect(full.contains(parameter.explanation(.full)), "\(path.name) \(parameter.name)")
      }
      for (index, example) in path.command.examples.enumerated() {
        #expect(full.contains(example.meaning))
        #expect(short.contains(" " + example.meaning) == (index < 2), "\(example.text)")
      }
      #expect(full.contains("exit-status"))
    }
  }

  /// Returns a text with its words on one line, so that a word that was broken is not found.
  private static func joined(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test func `every option fits two lines of 54 columns, and starts with a verb`() {
    for path in Self.paths {
      for parameter in path.parameters {
        let lines = wrap(parameter.explanation(.short), to: 54)
        #expect(lines.count <= 2, "\(path.name) \(parameter.name)")
        let first = parameter.help.split(separator: " ").first ?? ""
        let isNoun = first.hasSuffix("s") && first != "Process" && first != "Compress"
        if parameter.form != .argument { #expect(!isNoun, "\(path.name): \(parameter.help)") }
      }
    }
  }

  @Test func `every command has a group and one line in the overview`() {
    let lines = Captured().messages.split(separator: "\n").map(String.init)
    for command in CommandTable.program.root.subcommands {
      #expect(CommandTable.program.root.group(of: command) != nil)
      let ending = " \(command.overview)"
      #expect(
        lines.count { $0.contains(" \(command.name) ") && $0.hasSuffix(ending) } == 1,
        "\(command.name)")
    }
  }

  @Test func `the topics of commands exist, and every topic has a page`() {
    let names = Set(CommandTable.program.topics.map(\.name))
    #expect(
      names == [
        "budgets", "scenarios", "faults", "environment", "exit-status", "json", "caching",
        "project-file", "selectors",
      ])
    for path in Self.paths { #expect(names.isSuperset(of: path.command.topics), "\(path.name)") }
    let references = Self.outputs.flatMap { output in
      Self.joined(output.text).matches(of: /'ba-package help ([a-z-]+)'/).map { String($0.1) }
    }
    #expect(references.count > 5)
    for name in references { #expect(names.contains(name), "\(name)") }
  }

  @Test func `topics have every name of the tables that they describe`() {
    let budgets = Captured("help", "budgets").output
    for sum in Budget.Subject.sums { #expect(budgets.contains("\n  \(sum.name) ")) }
    let faults = Self.joined(Captured("help", "faults").output)
    for kind in FaultKind.all {
      for example in kind.examples { #expect(faults.contains(example), "\(example)") }
    }
    let environment = Captured("help", "environment").output
    for name in ProgramEnvironment.variables.flatMap(\.names) {
      #expect(environment.contains(name))
    }
    let project = Captured("help", "project-file").output
    for name in DocumentName.project.record.names { #expect(project.contains("\n  \(name)")) }
    let selectors = Captured("help", "selectors").output
    for keys in SelectorKind.shapes { for key in keys { #expect(selectors.contains(key.name)) } }
  }

  @Test func `every variable that the program reads is in the table`() throws {
    let names = Set(ProgramEnvironment.variables.flatMap(\.names))
    let files = try #require(
      FileManager.default.enumerator(at: Checkout.file("Sources"), includingPropertiesForKeys: nil))
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      // Regular expressions are slow for the other lines.
      let text = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        .filter { $0.utf8.contains(UInt8(ascii: "\"")) }.joined(separator: "\n")
      let pattern = /"((?:BA|ASC|XDG|API|APP_STORE_CONNECT)_[A-Z_]+[A-Z])"/
      found.formUnion(text.matches(of: pattern).map { String($0.1) })
      // The names in calls that read the environment, and in lists of such names.
      let reading =
        /(?:environment|variable|value)\((?:"\w+"(?:, )?)+\)|\["\w+"(?:, "\w+")*\]\.lazy/
      for call in text.matches(of: reading) {
        let names = call.0.matches(of: /"([a-z]+_proxy|[A-Z][A-Z_]+)"/).map { String($0.1) }
        // The others are settings of Xcode projects.
        let others = [
          "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "CODE_SIGN_STYLE", "DEVELOPMENT_TEAM",
          "GENERATE_INFOPLIST_FILE", "SDKROOT",
        ]
        found.formUnion(names.filter { !others.contains($0) })
      }
    }
    let others = Set(ProgramEnvironment.ofChildren.flatMap(\.names))
    #expect(found.subtracting(others).subtracting(names) == [])
    #expect(found.count > 25)
    #expect(
      found.isSuperset(of: ["TMPDIR", "TERM", "CI_PROJECT_DIR", "SSL_CERT_FILE", "no_proxy"]))
    let commands = Set(Self.paths.map { $0.names.dropFirst().joined(separator: " ") })
    for variable in ProgramEnvironment.variables {
      for command in variable.commands { #expect(commands.contains(command), "\(command)") }
    }
  }

  @Test(.needs("groff"))
  func `groff formats the manual pages for 80 columns without warnings or broken words`() throws {
    let folder = try TemporaryFolder()
    for page in CommandTable.program.manualPages() {
      try folder.makeFile("page", page.text)
      let command = "groff -man -ww -Tascii -P-c -P-b -P-o -P-u -rLL=80n page >out 2>warnings"
      #expect(try Peer.run(command, in: folder.path) == 0, "\(page.path)")
      #expect(try folder.contents("warnings") == [], "\(page.path)")
      let text = String(decoding: try folder.contents("out"), as: UTF8.self)
      for line in text.split(separator: "\n") {
        #expect(line.count <= 80, "\(page.path): \(line)")
        #expect(line.firstMatch(of: /[a-z]-$/) == nil, "\(page.path): \(line)")
      }
      // The first line is a comment.
      let source = page.text.drop { $0 != "\n" }.replacing("\\-", with: "-")
      for option in source.matches(of: /--[a-z][a-z0-9-]+/) {
        #expect(text.contains(option.0), "\(page.path): \(option.0)")
      }
      for address in source.matches(of: /https:\/\/[a-z.\/]+[a-z]/) {
        #expect(text.contains(address.0), "\(page.path): \(address.0)")
      }
    }
  }

  @Test func `manual pages have the names of their commands and files`() {
    let paths = CommandTable.program.manualPages().map(\.path)
    #expect(paths.first == "man1/ba-package.1")
    for command in CommandTable.program.root.subcommands {
      #expect(paths.contains("man1/ba-package-\(command.name).1"))
    }
    #expect(
      paths.suffix(3) == [
        "man5/ba-package-manifest.5", "man5/ba-package-project.5", "man5/ba-package-scenario.5",
      ])
  }

  @Test func `the first steps run in a folder with assets`() throws {
    let screen = Captured().messages
    let lines = screen.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("  ba-package ")
    }
    #expect(lines.count == 5)
    let folder = try TemporaryFolder()
    try folder.makeFile("Assets/one.json", "{\"level\": 1}")
    let links = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: links.path("ba-package"), withDestinationPath: BuiltProgram.program)
    // The server runs until it is stopped, so that it is only parsed.
    let steps = [lines[0] + " --yes"] + lines[1...3]
    let script = (["set -e", "PATH='\(links.path)':\"$PATH\""] + steps).joined(separator: "\n")
    #expect(try Peer.run(script, in: folder.path) == 0)
    let packs = try FileManager.default.contentsOfDirectory(atPath: folder.path("build/packs"))
    #expect(packs.contains { $0.hasSuffix(".aar") })
    let serve = lines[4].split(separator: " ").dropFirst().map(String.init)
    guard case .run(let parsed) = try CommandTable.program.parse(serve, isElsewhere: { _ in true })
    else {
      Issue.record("not run")
      return
    }
    #expect(parsed.path.name == "ba-package serve")
  }

  @Test func `every guess has a hint with commands that exist`() throws {
    let root = CommandTable.program.root
    for guess in Guesses.commands {
      #expect(root.subcommand(guess.text) == nil, "\(guess.text)")
      let run = Captured(guess.text)
      #expect(run.ending == .status(.usage))
      let message = Self.joined(run.messages)
      #expect(message.hasPrefix("Error: Unknown command '\(guess.text)' hint: \(guess.meaning)"))
      for quoted in guess.meaning.matches(of: /'ba-package ([^']+)'/) {
        var words = quoted.1.split(separator: " ").map(String.init)[...]
        if words.first == "help" { continue }
        var path = CommandPath(CommandTable.program)
        while let next = words.first.flatMap(path.command.subcommand) {
          path = path.appending(next)
          words.removeFirst()
        }
        let spellings = (path.parameters + CommandTable.program.sharedOptions).flatMap(\.spellings)
        let isProgram = path.steps.isEmpty
        #expect(!isProgram || words.first?.hasPrefix("--") == true, "\(quoted.1)")
        for option in words where option.hasPrefix("-") {
          #expect(spellings.contains(option), "\(quoted.1)")
        }
      }
    }
    let publish = Captured("publish")
    #expect(Self.joined(publish.messages).contains("'ba-package download-manifest publish'"))
    let expected = [
      "build", "create", "make", "archive", "add", "inspect", "show", "size", "cat", "unpack", "x",
      "check", "lint", "test", "compare", "server", "run", "publish", "deploy", "push", "version",
      "new",
    ]
    #expect(Set(Guesses.commands.map(\.text)).isSuperset(of: expected))
  }

  @Test func `a guess with the name of a file is a manifest`() throws {
    let parsed = try CommandTable.program.parse(
      ["build", "-o", "x.aar"], isFile: { $0 == "build" })
    guard case .run(let arguments) = parsed else {
      Issue.record("not run")
      return
    }
    #expect(arguments[ManifestOptions.paths] == ["build"])
  }

  @Test(arguments: [
    ("pack a.json --out x", "Unknown option '--out'. Did you mean '--output-path'?"),
    ("pack a.json --dest x", "Unknown option '--dest'. Did you mean '--output-path'?"),
    (
      "pack --input a.json",
      "Unknown option '--input'. Specify '<manifest> ...' without an option name"
    ),
    ("pack a.json --dir x", "Unknown option '--dir'. Did you mean '--source-root'?"),
    ("info a.aar --json", "Unknown option '--json'. Did you mean '--format json'?"),
    ("diff a b --markdown", "Unknown option '--markdown'. Did you mean '--format markdown'?"),
    ("pack a.json --include x", "Unknown option '--include'"),
    ("serve a.aar --cert x", "Unknown option '--cert'"),
    ("pack a.json --forse", "Unknown option '--forse'. Did you mean '--force'?"),
    ("identity show --out x", "Unknown option '--out'"),
    ("pakc a.json", "Unknown command 'pakc'. Did you mean 'pack'?"),
    ("help budget", "Unknown command or topic 'budget'. Did you mean 'budgets'?"),
    ("app-store sumbit", "Unknown subcommand 'sumbit'. Did you mean 'submit'?"),
  ])
  func `a mistyped name proposes the nearest or the usual one`(_ line: String, _ message: String) {
    let run = Captured(line.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
  }

  @Test func `every guessed option proposes an option that some command has`() {
    let known = Set(Self.paths.flatMap { $0.options.map { "--\($0.name)" } })
    for guess in Guesses.options {
      let option = String(guess.option.prefix { $0 != " " })
      #expect(known.contains(option), "\(guess)")
    }
  }
}
