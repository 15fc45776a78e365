// Long because it is one list: the facts of the pages, each with its value in the sources.
import Arguments
import AssetHistory
import BAPackKit
import Foundation
import TestSupport
import Testing

@testable import AppSide
@testable import AppStoreConnect
@testable import AppStoreMock
@testable import BAPackCommands
@testable import BlockSharing
@testable import DeviceSimulator
@testable import Proposing

/// The facts in pages and help texts that are written by hand: options, defaults, numbers,
/// variables and keys, compared with the tables and constants of the program.
///
/// To add a number to a page, add its sentence to `numbers`, with the constant in it.
struct PageFactsTests {
  private static let paths = CommandPath(CommandTable.program).all
  private static let pages = Result { try Page.written() }

  private func page(_ path: String) throws -> Page {
    let page = try Self.pages.get().first { $0.path == path }
    return try #require(page)
  }

  // MARK: Options

  /// Options of other programs that pages name.
  private static let others: Set = ["--disk_cache", "--remote_cache"]
  /// The names of the options of all commands.
  private static let allOptions = Set(paths.flatMap(names))

  private static func names(of path: CommandPath) -> [String] {
    path.options.map { "--" + $0.name }
  }

  /// Returns the command that the words select, beginning with its name; nil for other programs.
  private static func command(_ words: some Collection<Substring>) -> CommandPath? {
    guard let first = words.first else { return nil }
    let isProgram = first == "ba-package"
    var path: CommandPath?
    for word in isProgram ? words.dropFirst() : words.dropFirst(0) {
      guard
        let next = (path?.command ?? CommandTable.program.root).subcommand(String(word))
      else { break }
      path = (path ?? paths[0]).appending(next)
    }
    let pack = CommandTable.program.root.subcommand("pack").map { paths[0].appending($0) }
    return path ?? (isProgram ? pack : nil)
  }

  /// Returns the options of a command line that its command does not have.
  ///
  /// The lines of a shell are separated before; words after `--` belong to another command.
  private static func unknownOptions(in line: Substring) -> [String] {
    var unknown: [String] = []
    for part in line.split(separator: #/[|;`)]|&&/#) {
      let words = part.split(whereSeparator: \.isWhitespace)
      guard let start = words.firstIndex(where: { $0 == "ba-package" }) ?? words.indices.first,
        let path = command(words[start...])
      else { continue }
      let known = Set(names(of: path) + names(of: paths[0]))
      unknown += words[start...].prefix { $0 != "--" }
        .map { $0.prefix { $0 != "=" && $0 != "," && $0 != ":" && $0 != "'" } }
        .filter { $0.hasPrefix("--") && !known.contains(String($0)) }
        .map { "\($0) of \(path.name)" }
    }
    return unknown
  }

  @Test func `every option that a page names together with a command is an option of it`() throws {
    var unknown: [String] = []
    var count = 0
    for page in try Self.pages.get() {
      for line in page.commandLines where line.contains("--") {
        count += 1
        unknown += Self.unknownOptions(in: line).map { "\(page.path): \($0)" }
      }
      for sentence in page.sentences {
        let spans = sentence.codeSpans
        let commands = spans.compactMap { Self.command($0.split(separator: " ")) }
        let known = commands.isEmpty ? Self.allOptions : Set(commands.flatMap(Self.names))
        for span in spans where span.hasPrefix("--") {
          let name = span.prefix { !" =[:".contains($0) }
          count += 1
          if !known.contains(String(name)), !Self.others.contains(String(name)) {
            unknown.append("\(page.path): \(name) of \(commands.map(\.name))")
          }
        }
        for span in spans where !span.hasPrefix("--") {
          unknown += Self.unknownOptions(in: span[...]).map { "\(page.path): \($0)" }
        }
      }
    }
    #expect(unknown == [])
    #expect(count > 200)
  }

  @Test func `every option in a help text is one of its command, or of a command named with it`() {
    var unknown: [String] = []
    var count = 0
    for path in Self.paths {
      let own = Set(Self.names(of: path))
      let texts =
        [path.command.overview] + path.command.discussion + path.command.notes
        + path.parameters.flatMap { [$0.help, $0.details] }
      let shared = CommandTable.program.sharedOptions.flatMap { [$0.help, $0.details] }
      for sentence in (texts + shared).flatMap(\.sentences) {
        let named = sentence.matches(of: #/[a-z][a-z-]+(?: [a-z][a-z-]+)?/#).compactMap {
          Self.command($0.0.split(separator: " "))
        }
        let known = own.union(named.flatMap(Self.names))
        for option in sentence.matches(of: #/--[a-z][a-z0-9-]+/#) {
          count += 1
          if known.contains(String(option.0)) { continue }
          unknown.append("\(path.name): \(option.0) in '\(sentence)'")
        }
      }
    }
    #expect(unknown == [])
    #expect(count > 100)
  }

  @Test func `every option in a topic and in a finding's text exists`() {
    let texts =
      Rulebook.all.flatMap { [$0.what, $0.whyText] + $0.weightText }
      + CommandTable.program.topics.map { $0.help(width: 10_000) }
      + ProgramEnvironment.variables.map(\.meaning)
    let options = texts.flatMap { $0.matches(of: #/--[a-z][a-z0-9-]+/#).map { String($0.0) } }
    #expect(options.count > 20)
    #expect(Set(options).subtracting(Self.allOptions) == [])
  }

  @Test func `a command that requires a project file has no option to ignore it`() throws {
    var count = 0
    for path in Self.paths where Self.names(of: path).contains("--no-project") {
      let line = path.names.dropFirst() + ["--no-project"]
      guard let type = CommandTable.type(of: path),
        let request = try? CommandTable.program.parse(Array(line), isElsewhere: { _ in true }),
        case .run(let arguments) = request
      else { continue }
      count += 1
      do throws(UsageError) {
        _ = try type.init(arguments)
      } catch {
        #expect(error.message != ProjectOptions.missing.message, "\(path.name)")
      }
    }
    #expect(count > 5)
  }

  @Test func `the default of an option in a page is that of its command`() throws {
    var wrong: [String] = []
    var count = 0
    for page in try Self.pages.get() {
      for (option, value) in page.defaults {
        let options = Self.paths.flatMap(\.options).filter { "--" + $0.name == option }
        guard !options.isEmpty else { continue }
        count += 1
        let isDefault = options.contains {
          $0.defaultText == value || $0.help.contains("default: \(value)")
        }
        if !isDefault { wrong.append("\(page.path): \(option): \(value)") }
      }
    }
    #expect(wrong == [])
    #expect(count >= 4)
  }

  // MARK: Numbers

  /// Sentences, or parts of them, whose numbers are constants of the program.
  private static let numbers: [(page: String, text: String)] = {
    let apple = DeliveryLimits.current
    let (gigabytes, packs) = (apple.hostedBytes / 1_000_000_000, apple.packs)
    let simulation = RemoteServer.Options()
    let days =
      UploadJournal.Attempt(
        archive: .init(sha256: "", size: 0), began: Moment(seconds: 0), phase: .making(above: 0)
      ).usualEnd.seconds / 86_400
    return [
      ("docs/guides/budgets-and-diff.md", "\(gigabytes) GB and \(packs) packs, are always budgets"),
      ("docs/guides/budgets-and-diff.md", "Reaching \(Budget.warningPercent) % of a budget"),
      (
        "docs/guides/budgets-and-diff.md",
        "the \(word(BudgetUse.mostContributors)) largest contributors"
      ),
      ("docs/guides/init.md", "at most \(packs) packs, so more packs are joined"),
      ("docs/guides/init.md", "at most \(grouped(AssetTree.mostEntries)) files and folders"),
      ("docs/guides/plan.md", "the newest \(GitReleases.mostOfNewest) tags"),
      ("docs/guides/plan.md", "With fewer than \(GitReleases.fewestTags) tags"),
      (
        "docs/guides/caching.md",
        "a run by at most \(word(seconds(SharedCache.Options.standardPatience))) seconds"
      ),
      ("docs/guides/app-store-connect.md", "resumes, up to \(word(days)) days later"),
      (
        "docs/guides/simulation.md",
        "less than \(simulation.slowest) bytes a second for "
          + "\(seconds(simulation.stallTime)) seconds"
      ),
      (
        "docs/guides/simulation.md",
        "a manifest to \(word(seconds(simulation.manifestTime) / 60)) minute"
      ),
      (
        "docs/app/code.md",
        "With more than \(grouped(CodeLanguage.swift.pathLimit)) files in Swift, or "
          + "\(grouped(CodeLanguage.cpp.pathLimit)) in another language,"
      ),
      ("docs/glossary.md", "Default size: \(PackSettings().blockSize >> 20) MiB."),
      (
        "docs/getting-started.md",
        "before version \(DeviceSystem.supported[1]) receive no localized packs"
      ),
      ("README.md", "work from iOS \(DeviceSystem.supported[0]),"),
      ("README.md", "localized packs from \(DeviceSystem.supported[1])."),
    ]
  }()

  private static func grouped(_ number: some BinaryInteger) -> String {
    String(
      String(number).reversed().enumerated().flatMap { offset, digit in
        offset > 0 && offset % 3 == 0 ? [",", digit] : [digit]
      }.reversed())
  }

  private static func seconds(_ duration: Duration) -> Int64 { duration.components.seconds }

  private static func word(_ number: some BinaryInteger) -> String {
    let words = [
      "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ]
    return Int(number) < words.count ? words[Int(number)] : "\(number)"
  }

  @Test(arguments: numbers.indices)
  func `a number in a page is the constant of the program`(_ index: Int) throws {
    let (path, text) = Self.numbers[index]
    let page = try page(path)
    #expect(page.prose.contains(text))
  }

  // MARK: Measurements

  @Test func `the measurements in pages are those of the results`() throws {
    let results = try String(
      contentsOf: Checkout.file("Benchmarks/RESULTS.md"), encoding: .utf8)
    let start = try #require(results.firstRange(of: "## supertuxkart-data:")?.lowerBound)
    let section = results[start...].dropFirst(2).prefix(while: { _ in true })
    let end = section.firstRange(of: "\n## ")?.lowerBound ?? section.endIndex
    var rows: [Substring: [String]] = [:]
    for line in section[..<end].split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      rows[Substring(cells[0])] = cells
    }
    let incremental = try #require(section.firstMatch(of: #/with its cache: ([0-9.]+) s/#)?.1)
    let caching = try page("docs/guides/caching.md")
    for (name, row) in [
      ("`pack`", "default"), ("`pack --level fast`", "fast"), ("`pack --level better`", "better"),
      ("`pack --level best`, first run", "best"), ("`tar`, no compression", "tar"),
      (#"`tar \| zstd -T0 -3`"#, "tar-zstd-3"),
      ("reference LZFSE codec, two processes", "reference-lzfse"),
    ] {
      let cells = try #require(rows[Substring(row)])
      let bytes = try #require(UInt64(cells[6]))
      let size = Self.grouped(bytes)
      #expect(caching.text.contains("| \(name) | \(cells[2]) | \(size) |"), "\(row)")
    }
    #expect(
      caching.text.contains("| `pack --level best --cache`, 1 MB changed | \(incremental) | |"))
    let cells = try #require(rows["default"])
    #expect(caching.prose.contains("default level needs \(cells[5]) MiB of memory"))
    let readme = try page("README.md")
    let times = try ["default", "tar-zstd-3"].map { row in
      let cells = try #require(rows[Substring(row)])
      return String(format: "%.1f s", try #require(Double(cells[2])))
    }
    #expect(readme.prose.contains("\(times[0]) and \(times[1]) on two cores"))
  }

  // MARK: Variables and keys

  @Test func `every environment variable in a page is in the table`() throws {
    let known = Set(
      (ProgramEnvironment.variables + ProgramEnvironment.ofChildren).flatMap(\.names)
        // Variables of the CI systems in the guides, not of the program.
        + ["BA_PACKAGE", "BA_PACKAGE_TOKEN"])
    var unknown: Set<String> = []
    for page in try Self.pages.get() {
      for span in page.sentences.flatMap(\.codeSpans) {
        for match in span.matches(of: #/\b(?:BA|ASC|XDG|SSL|GITHUB|CI|API)_[A-Z_]+[A-Z]\b/#)
        where !known.contains(String(match.0)) { unknown.insert(String(match.0)) }
      }
    }
    #expect(unknown == [])
  }

  @Test func `every key of the project file in a page exists`() throws {
    let names = Set(JSONReference.rows(DocumentName.project.record).map(\.path))
    let tops = Set(names.filter { !$0.contains(".") })
    var unknown: [String] = []
    var count = 0
    for page in try Self.pages.get() {
      for span in page.sentences.flatMap(\.codeSpans) {
        guard let match = span.wholeMatch(of: #/([a-zA-Z]+)((?:\.[a-zA-Z]+)+)/#),
          tops.contains(String(match.1)), names.contains(where: { $0.hasPrefix(match.1 + ".") }),
          !["json", "md"].contains(match.2.dropFirst())
        else { continue }
        count += 1
        if !names.contains(String(match.0)) { unknown.append("\(page.path): \(match.0)") }
      }
    }
    #expect(unknown == [])
    #expect(count > 0)
  }
}

/// A page that is written by hand.
private struct Page: Sendable {
  let path: String
  let text: String
  /// The text without blocks of code, with one space between words.
  let prose: String
  /// The lines of blocks of code that run the program, with continued lines in one.
  let commandLines: [Substring]

  /// Reads README.md and the pages in docs, except generated ones.
  static func written() throws -> [Page] {
    let docs = Checkout.file("docs")
    let names =
      FileManager.default.enumerator(atPath: docs.path(percentEncoded: false))?
      .compactMap { $0 as? String } ?? []
    let written = names.filter { $0.hasSuffix(".md") && !$0.hasPrefix("reference/") }.sorted()
    return try (["README.md", "Examples/README.md"] + written.map { "docs/" + $0 }).map { path in
      Page(
        path, try String(contentsOf: Checkout.file(path), encoding: .utf8))
    }
  }

  private init(_ path: String, _ text: String) {
    self.path = path
    self.text = text
    var prose = ""
    var code = ""
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        isCode.toggle()
        continue
      }
      if isCode {
        let isOutput = code.hasSuffix("\\") == false && line.hasPrefix("…")
        if !isOutput { code += line + "\n" }
      } else {
        // A row of a table, a heading and a paragraph are sentences.
        prose += line.isEmpty || line.hasPrefix("|") ? line + ". " : line + " "
      }
    }
    self.prose = prose.split(separator: #/\s+/#).joined(separator: " ")
    commandLines = code.replacing(#/\\\n\s*/#, with: " ").split(separator: "\n")
      .filter { $0.contains(#/(^|[\s"'(])ba-package\s/#) }
  }

  var sentences: [String] { prose.sentences }

  /// The defaults of options: `--cache-limit` (default: 10G), and rows of tables with a column for
  /// defaults.
  var defaults: [(option: String, value: String)] {
    var found = prose.matches(of: #/`(--[a-z-]+)[^`]*`\s?\(default: ([^);,]+)[);,]/#).map {
      (String($0.1), String($0.2))
    }
    var isTable = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("| option | default |") { isTable = true }
      guard line.hasPrefix("|") else {
        isTable = false
        continue
      }
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if isTable, let option = cells[0].firstMatch(of: #/`(--[a-z-]+)/#)?.1,
        let value = cells[1].wholeMatch(of: #/`([^`]+)`/#)?.1
      {
        found.append((String(option), String(value)))
      }
    }
    return found
  }
}

extension String {
  /// The sentences of a paragraph.
  fileprivate var sentences: [String] {
    split(separator: #/[.:;] (?=[A-Z`'|*-])/#).map(String.init)
  }

  /// The texts in backquotes.
  fileprivate var codeSpans: [String] {
    matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }
}
