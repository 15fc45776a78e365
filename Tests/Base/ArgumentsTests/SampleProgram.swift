import Arguments

/// A small program that takes one of everything.
enum Sample {
  enum Method: String, CaseIterable { case fast, slow, thorough }

  static let force = Flag("force", short: "f", in: OptionGroup("Output"), "Replace the output.")
  static let loud = Flag("loud", short: "l", "Print more.", details: "For tests of details.")
  static let output = Option(
    "output-path", short: "o", .file("out"), called: "path", in: OptionGroup("Output"),
    isRequired: true, "Write to this file.")
  static let threads = Option(
    "threads", short: "t", .number(in: 1...64), called: "count", "Set the number of threads.")
  static let method = DefaultedOption<Method>(
    "method", called: "method", default: .slow, "Set the method.")
  static let kinds = OptionList<Method>("kinds", .choice, called: "kind", "Select kinds.")
  static let names = OptionList("names", .text, called: "name", "Use these names.")
  static let inputs = ArgumentList("input", .file(), triedAs: ["--only"], "The inputs.")

  static let work = Command(
    "work", aliases: ["labor"], overview: "Convert inputs to one output.",
    discussion: ["All inputs are read before the output is written."],
    [inputs, output, loud, threads, force, method, kinds, names],
    exclusive: [[force, threads]],
    examples: [
      Term("sample work a.in -o a.out", "One input, one output."),
      Term("sample a.in -o a.out", "Without the name of the command."),
      Term("sample work a.in -o a.out --loud", "A third example."),
    ],
    topics: ["methods"])

  static let first = Argument("first", .text, "The first word.")
  static let second = Argument("second", .text, isRequired: false, "The second word.")
  static let pair = Command("pair", overview: "Print one or two words.", [first, second])

  static let depth = Option("depth", .number(in: 1...9), called: "count", "Set the depth.")
  static let inner = Command(
    "inner", overview: "Run the inner command.", [force, depth], dependent: [(depth, on: force)])
  static let group = Command("group", overview: "Run a subcommand.", subcommands: [inner])

  static let quiet = Flag("quiet", short: "q", "Print errors only.")
  static let color = DefaultedOption<Method>(
    "color", called: "when", default: .fast, "Use colors.")
  static let root = Flag("root-only", "Only without a command.")

  static let methods = HelpPage(
    "methods", "The steps of the work.",
    [
      .text("A method is a list of steps."), .heading("Names"),
      .terms(Method.allCases.map { Term($0.rawValue, "The \($0.rawValue) method.") }),
      .lines(["sample work --method fast"]),
    ])

  static let program = Program(
    root: Command(
      "sample", overview: "Run a program for tests.", [root],
      subcommands: [work, pair, group], defaultSubcommand: "work",
      groups: [("Work", ["work", "pair"]), ("Other", ["group"])],
      guesses: [Term("toil", "use 'sample work'")]),
    version: "1.2.3", date: "2026-01-02", sharedOptions: [quiet, color],
    exitStatuses: [Term("0", "Success."), Term("64", "The command line is invalid.")],
    environment: [
      Variable(["NO_COLOR"], "Disables colors."),
      Variable(["SAMPLE_A", "SAMPLE_B"], readBy: ["work"], "The variables of a command."),
    ],
    topics: [methods],
    files: [HelpPage("file", "File of the sample.", [.text("A file has one line.")])],
    firstSteps: HelpPage("first-steps", "The first step:", [.lines(["sample work a -o b"])]),
    optionGuesses: [("--dest", "--output-path"), ("--fast", "--method fast"), ("-j", "--threads")])

  /// Parses a command line that must be valid.
  static func parse(_ words: String...) throws -> ParsedArguments { try parse(words) }

  static func parse(_ words: [String]) throws -> ParsedArguments {
    guard case .run(let parsed) = try program.parse(words) else { throw NotRun() }
    return parsed
  }

  struct NotRun: Error {}
}
