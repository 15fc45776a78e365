import Arguments
import TestSupport
import Testing

@Suite("Parsing a command line")
struct ParserTests {
  @Test(arguments: [
    ["work", "a", "-o", "x.out"], ["work", "a", "-ox.out"], ["work", "a", "-o=x.out"],
    ["work", "a", "--output-path", "x.out"], ["work", "a", "--output-path=x.out"],
    ["work", "--output-path=x.out", "a"], ["work", "-f", "-ox.out", "a"],
    ["work", "-fo", "x.out", "a"], ["work", "-fqox.out", "a"], ["labor", "a", "-o", "x.out"],
    ["a.in", "-o", "x.out"], ["-o", "x.out", "a"], ["--quiet", "work", "-o", "x.out", "a"],
    ["--color", "fast", "work", "-o", "x.out", "a"], ["-q", "a.in", "-o", "x.out"],
  ])
  func `the value of an option is the next word, follows an equals sign, or follows its letter`(
    _ words: [String]
  ) throws {
    guard case .run(let parsed) = try Sample.program.parse(words) else {
      Issue.record("not run")
      return
    }
    #expect(parsed.path.name == "sample work")
    #expect(parsed[Sample.output] == "x.out")
    #expect(parsed[Sample.inputs] == [words.contains("a.in") ? "a.in" : "a"])
    #expect(parsed[Sample.quiet] == words.contains { $0.contains("q") })
  }

  @Test
  func `a required value is there once the parser has accepted the line`() throws {
    let output: String = try Sample.parse("a.in", "-o", "x").required(Sample.output)
    #expect(output == "x")
  }

  @Test
  func `the last of several values counts, and flags count how often they come`() throws {
    let parsed = try Sample.parse("a.in", "-o", "x", "-o", "y", "-ll", "--loud", "-t4")
    #expect(parsed[Sample.output] == "y")
    #expect(parsed[Sample.loud])
    #expect(parsed[Sample.threads] == 4)
    #expect(parsed.isGiven(Sample.loud))
    #expect(!parsed.isGiven(Sample.force))
  }

  @Test
  func `an option without a value has its default`() throws {
    let parsed = try Sample.parse("a.in", "-o", "x")
    #expect(parsed[Sample.method] == .slow)
    #expect(parsed[Sample.threads] == nil)
    #expect(parsed[Sample.kinds] == [])
    #expect(try Sample.parse("a.in", "-o", "x", "--method=thorough")[Sample.method] == .thorough)
  }

  @Test
  func `a list ends at the next option, and can be repeated`() throws {
    let parsed = try Sample.parse(
      "a.in", "--kinds", "fast", "slow", "-o", "x", "--kinds", "thorough", "--kinds=fast")
    #expect(parsed[Sample.kinds] == [.fast, .slow, .thorough, .fast])
    #expect(parsed[Sample.inputs] == ["a.in"])
  }

  @Test
  func `a list ends at a word that can only be an argument`() throws {
    let parsed = try Sample.parse("-o", "x", "--kinds", "fast", "slow", "a.in", "b.in")
    #expect(parsed[Sample.kinds] == [.fast, .slow])
    #expect(parsed[Sample.inputs] == ["a.in", "b.in"])
  }

  @Test
  func `all words after two dashes are arguments`() throws {
    let parsed = try Sample.parse("-o", "x", "--", "--force", "-", "--", "--help")
    #expect(parsed[Sample.inputs] == ["--force", "-", "--", "--help"])
    #expect(!parsed[Sample.force])
    let listed = try Sample.parse("-o", "x", "--names", "a", "b", "--", "c")
    #expect(listed[Sample.names] == ["a", "b"])
    #expect(listed[Sample.inputs] == ["c"])
  }

  @Test
  func `a single dash is an argument or a value`() throws {
    let parsed = try Sample.parse("-", "-o", "-")
    #expect(parsed[Sample.inputs] == ["-"])
    #expect(parsed[Sample.output] == "-")
  }

  @Test
  func `a value after an equals sign can start with a dash, contain an equals sign, or be empty`()
    throws
  {
    #expect(try Sample.parse("a.in", "--output-path=-x=y")[Sample.output] == "-x=y")
    #expect(try Sample.parse("a.in", "-ox", "--names=")[Sample.names] == [""])
  }

  @Test
  func `arguments are assigned in order`() throws {
    let one = try Sample.parse("pair", "1")
    #expect(one[Sample.first] == "1")
    #expect(one[Sample.second] == nil)
    let two = try Sample.parse("pair", "1", "2")
    #expect(two[Sample.second] == "2")
  }

  @Test(arguments: [
    (["--help"], "sample"), (["-h"], "sample"),
    (["work", "--help"], "sample work"), (["help", "work"], "sample work"),
    (["help", "labor"], "sample work"), (["work", "--nonsense", "-h"], "sample work"),
    (["a.in", "--help"], "sample work"), (["--help", "pair"], "sample pair"),
    (["work", "-qh"], "sample work"), (["group", "--help"], "sample group"),
    (["group", "inner", "-h"], "sample group inner"),
    (["help", "group", "inner"], "sample group inner"), (["-qh", "pair"], "sample pair"),
    (["-q", "help", "pair"], "sample pair"),
    (["--color=slow", "help", "work"], "sample work"),
    (["--color", "slow", "help", "work"], "sample work"),
    (["help", "--color", "slow", "pair", "-q"], "sample pair"),
    (["work", "-fqh", "a.in"], "sample work"),
  ])
  func `help is printed even if another word is wrong`(_ words: [String], _ name: String) throws {
    guard case .help(let path, _) = try Sample.program.parse(words) else {
      Issue.record("no help")
      return
    }
    #expect(path.name == name)
  }

  @Test(arguments: [
    (["work", "-h"], HelpDetail.short), (["work", "--help"], .full), (["-h"], .short),
    (["--help"], .full), (["help", "work"], .full), (["work", "-qh"], .short),
    (["work", "-h", "--help"], .full), (["work", "--help", "-h"], .full),
  ])
  func `-h is short, and --help and help are full`(
    _ words: [String], _ expected: HelpDetail
  ) throws {
    guard case .help(_, let detail) = try Sample.program.parse(words) else {
      Issue.record("no help")
      return
    }
    #expect(detail == expected)
  }

  @Test
  func `help of a topic prints the topic, and help alone the index`() throws {
    guard case .topic(let topic) = try Sample.program.parse(["help", "methods"]) else {
      Issue.record("no topic")
      return
    }
    #expect(topic.name == "methods")
    for words in [["help"], ["-q", "help"], ["help", "help"]] {
      guard case .index = try Sample.program.parse(words) else {
        Issue.record("no index")
        continue
      }
    }
  }

  @Test(arguments: [["--version"], ["work", "--version"]])
  func `every command prints the version`(_ words: [String]) throws {
    guard case .version = try Sample.program.parse(words) else {
      Issue.record("no version")
      return
    }
  }

  @Test
  func `a bare word is a subcommand unless there is such a file`() throws {
    let words = ["wrok", "-o", "x"]
    guard case .run(let parsed) = try Sample.program.parse(words, isFile: { $0 == "wrok" }) else {
      Issue.record("not run")
      return
    }
    #expect(parsed[Sample.inputs] == ["wrok"])
  }

  @Test(arguments: [
    ["-q"], ["-qq"], ["--quiet"], ["--color", "slow"], ["--color=slow"], ["-q", "--color=fast"],
  ])
  func `options that every command takes never change which command runs`(_ shared: [String]) throws
  {
    for (words, name) in [
      (["pair", "1"], "sample pair"), (["group", "inner"], "sample group inner"),
      (["labor", "a.in", "-o", "x"], "sample work"), (["a.in", "-o", "x"], "sample work"),
    ] {
      let parsed = try Sample.parse(shared + words)
      #expect(parsed.path.name == name)
    }
  }

  @Test
  func `an option that has no effect without another one is refused without it`() throws {
    #expect(
      outcome(of: ["group", "inner", "--depth", "2"])
        == "'--depth' has no effect without '--force'")
    let parsed = try Sample.parse("group", "inner", "--depth", "2", "--force")
    #expect(parsed[Sample.depth] == 2)
    let help = CommandPath(Sample.program).appending(Sample.inner).help(.short, width: 100)
    #expect(help.contains("(only with --force)"))
  }

  @Test
  func `an option of the program itself needs no subcommand`() throws {
    let parsed = try Sample.parse("--root-only")
    #expect(parsed.path.name == "sample")
    #expect(parsed[Sample.root])
  }

  @Test
  func `any line is understood or refused with one sentence, and the same way each time`() {
    let vocabulary = [
      "work", "labor", "pair", "group", "inner", "help", "a.in", "-", "--", "-o", "x.out", "-ox",
      "--output-path", "--output-path=", "-f", "-fql", "-t", "4", "--threads=0", "--kinds", "fast",
      "--names", "", "=", "-=", "--=", "--color", "slow", "--version", "-h", "-\u{301}", "🐟",
    ]
    // All lines of two words, and longer ones from a fixed sequence.
    var seeded = Seeded(seed: 1)
    let pairs = vocabulary.flatMap { first in vocabulary.map { [first, $0] } }
    let longer = (0..<2000).map { _ in
      (0..<seeded.next(below: 8)).map { _ in vocabulary[seeded.next(below: vocabulary.count)] }
    }
    for words in pairs + longer {
      let first = outcome(of: words)
      #expect(first == outcome(of: words), "\(words)")
      #expect(!first.isEmpty && !first.contains("\n"), "\(words)")
    }
  }

  private func outcome(of words: [String]) -> String {
    do {
      return switch try Sample.program.parse(words) {
      case .run(let parsed): "run \(parsed.path.name) \(parsed[Sample.inputs])"
      case .help(let path, let detail): "help \(path.name) \(detail)"
      case .topic(let topic): "topic \(topic.name)"
      case .index: "index"
      case .version: "version"
      }
    } catch {
      return error.error.message
    }
  }
}
