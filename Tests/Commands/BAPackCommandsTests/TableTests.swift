import Arguments
import Testing

@testable import BAPackCommands

@Suite("The table of commands")
struct TableTests {
  private let paths = CommandPath(CommandTable.program).all

  @Test
  func `every command of the table has its type with its name`() throws {
    var seen: Set<ObjectIdentifier> = []
    for path in paths.dropFirst() {
      let type = try #require(CommandTable.type(of: path), "\(path.name)")
      #expect(type.definition.name == path.command.name)
      #expect(seen.insert(ObjectIdentifier(type)).inserted, "\(path.name)")
    }
  }

  @Test
  func `each name is unique in a command, and a letter has the same meaning in all commands`() {
    var meanings: [Character: Set<String>] = [:]
    for path in paths {
      let spellings = path.options.flatMap(\.spellings)
      #expect(Set(spellings).count == spellings.count, "\(path.name)")
      let names = path.command.subcommands.flatMap { [$0.name] + $0.aliases }
      #expect(Set(names).count == names.count)
      for option in path.options {
        if let short = option.short { meanings[short, default: []].insert(option.name) }
      }
    }
    // As in 'ls -l', and in Apple's tool.
    #expect(meanings.removeValue(forKey: "l") == ["long", "language"])
    for (letter, names) in meanings { #expect(names.count == 1, "-\(letter): \(names)") }
  }

  @Test
  func `every text is a sentence, and every example is a valid command line`() throws {
    for path in paths {
      #expect(path.command.overview.hasSuffix("."))
      for text in path.command.discussion { #expect(text.hasSuffix("."), "\(path.name)") }
      for parameter in path.parameters {
        #expect(parameter.help.hasSuffix("."), "\(path.name) \(parameter.name)")
        #expect(parameter.details.isEmpty || parameter.details.hasSuffix("."))
        #expect(parameter.help.first?.isUppercase == true || parameter.help.hasPrefix("'"))
      }
      for example in path.command.examples {
        #expect(example.meaning.hasSuffix("."))
        let words = Self.words(of: example.text)
        #expect(words.first == "ba-package")
        let request = try CommandTable.program.parse(
          Array(words.dropFirst()), isElsewhere: { _ in true })
        guard case .run = request else {
          Issue.record("\(example.text)")
          continue
        }
      }
    }
  }

  /// Returns the arguments of a line as a shell splits them: with quotes, and variables for one
  /// command.
  private static func words(of line: String) -> [String] {
    var words: [String] = []
    for (index, part) in line.split(separator: "'", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(separator: " ").map(String.init)
      }
    }
    return Array(words.drop { $0.contains("=") })
  }

  @Test
  func `a list accepts all following words, so it never precedes a required argument`() {
    for path in paths {
      // The arguments after '--' belong to the command.
      let arguments = path.arguments.filter { !$0.isTrailing }
      #expect(arguments.dropLast().allSatisfy { $0.arity != .several })
    }
  }

  @Test
  func `existing scripts keep working: package is pack, and pack is optional`() throws {
    for line in ["package M.json -o x.aar -q", "M.json --output-path x.aar --verbose"] {
      let request = try CommandTable.program.parse(line.split(separator: " ").map(String.init))
      guard case .run(let arguments) = request else {
        Issue.record("not run")
        continue
      }
      #expect(arguments.path.name == "ba-package pack")
      #expect(arguments[ManifestOptions.paths] == ["M.json"])
    }
  }
}
