import Arguments

/// A small program that takes one of everything.
enum Sample {
  enum Method: String, CaseIterable { case fast, slow, thorough }

  static let force = Flag("force", short: "f", "Replace what is in the way.")
  static let loud = Flag("loud", short: "l", "Say more.")
  static let output = Option(
    "output-path", short: "o", .file("out"), called: "path", isRequired: true,
    "Where the result goes.")
  static let threads = Option(
    "threads", short: "t", .number(in: 1...64), called: "count", "How many threads work.")
  static let method = DefaultedOption<Method>(
    "method", called: "method", default: .slow, "How the work is done.")
  static let kinds = OptionList<Method>("kinds", .choice, called: "kind", "Which kinds to take.")
  static let names = OptionList("names", .text, called: "name", "Names to use.")
  static let inputs = ArgumentList("input", .file(), triedAs: ["--only"], "What to read.")

  static let work = Command(
    "work", aliases: ["labor"], overview: "Turns inputs into one output.",
    discussion: ["Everything is read before anything is written, so that a mistake costs nothing."],
    [inputs, output, force, loud, threads, method, kinds, names],
    exclusive: [[force, threads]],
    examples: [Term("sample work a.in -o a.out", "One input, one output.")])

  static let first = Argument("first", .text, "The first word.")
  static let second = Argument("second", .text, isRequired: false, "The second word.")
  static let pair = Command("pair", overview: "Takes one or two words.", [first, second])

  static let depth = Option("depth", .number(in: 1...9), called: "count", "How deep.")
  static let inner = Command(
    "inner", overview: "Sits deeper.", [force, depth], dependent: [(depth, on: force)])
  static let group = Command("group", overview: "Holds more.", subcommands: [inner])

  static let quiet = Flag("quiet", short: "q", "Say nothing.")
  static let color = DefaultedOption<Method>(
    "color", called: "when", default: .fast, "When to use colours.")
  static let root = Flag("root-only", "Only without a subcommand.")

  static let program = Program(
    root: Command(
      "sample", overview: "A program for tests.", [root],
      subcommands: [work, pair, group], defaultSubcommand: "work"),
    version: "1.2.3", date: "2026-01-02", sharedOptions: [quiet, color],
    exitStatuses: [Term("0", "Done."), Term("64", "The command line could not be understood.")],
    environment: [Term("NO_COLOR", "Turns colours off.")])

  /// What a command line that has to be accepted says.
  static func parse(_ words: String...) throws -> ParsedArguments { try parse(words) }

  static func parse(_ words: [String]) throws -> ParsedArguments {
    guard case .run(let parsed) = try program.parse(words) else { throw NotRun() }
    return parsed
  }

  struct NotRun: Error {}
}
