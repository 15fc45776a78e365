import Arguments
import Testing

@Suite("Help texts")
struct HelpTests {
  private let root = CommandPath(Sample.program)

  @Test
  func `the short help has usage, arguments, options by group and two examples`() {
    #expect(
      root.appending(Sample.work).help(.short, width: 80) == """
        OVERVIEW: Convert inputs to one output.

        USAGE: sample work [<options>] <input> ... --output-path <path>

        ARGUMENTS:
          <input> ...             The inputs.

        OUTPUT OPTIONS:
          -o, --output-path <path>
                                  Write to this file.
          -f, --force             Replace the output.

        OPTIONS:
          -l, --loud              Print more.
          -t, --threads <count>   Set the number of threads.
          --method <method>       Set the method (fast, slow, thorough; default: slow).
          --kinds <kind> ...      Select kinds (fast, slow, thorough).
          --names <name> ...      Use these names.

        EXAMPLES:
          sample work a.in -o a.out
                                  One input, one output.
          sample a.in -o a.out    Without the name of the command.

        Common options: --quiet, --color, --version, --help (full help)
        Topics ('sample help <topic>'): methods

        """)
  }

  @Test
  func `the full help adds the discussion, details, all examples and variables`() {
    let help = root.appending(Sample.work).help(.full, width: 80)
    #expect(
      help.hasPrefix(
        """
        OVERVIEW: Convert inputs to one output.

        All inputs are read before the output is written.

        USAGE: sample work
        """))
    #expect(help.contains("\n  -l, --loud              Print more. For tests of details.\n"))
    #expect(help.contains("\n  sample work a.in -o a.out --loud\n"))
    #expect(
      help.hasSuffix(
        """

        Common options: --quiet, --color, --version, --help
        Environment: SAMPLE_A, SAMPLE_B
        Topics ('sample help <topic>'): methods

        """))
    let short = root.appending(Sample.work).help(.short, width: 80)
    for text in ["All inputs are read", "For tests of details", "A third", "SAMPLE_A"] {
      #expect(!short.contains(text) && help.contains(text))
    }
  }

  @Test
  func `the overview has the first steps and the commands by group`() {
    #expect(
      root.help(.short, width: 60) == """
        Run a program for tests.

        The first step:
          sample work a -o b

        COMMANDS:
          Work   work   Convert inputs to one output.
                 pair   Print one or two words.
          Other  group  Run a subcommand.
                 help   Show help of a command or a topic.
        Options: 'sample <command> -h'. Topics: 'sample help'.

        """)
  }

  @Test
  func `the full help of the program adds its options and the common ones`() {
    let help = root.help(.full, width: 80)
    #expect(help.hasPrefix(root.help(.short, width: 80)))
    #expect(
      help.hasSuffix(
        """

        OPTIONS:
          --root-only             Only without a command.

        COMMON OPTIONS:
          -q, --quiet             Print errors only.
          --color <when>          Use colors (fast, slow, thorough; default: fast).
          -V, --version           Print the version; if verbose, also the build.
          -h, --help              Print help; '-h' is shorter than '--help'.

        """))
  }

  @Test
  func `the index lists commands and topics`() {
    let index = Sample.program.index(width: 80)
    #expect(index.hasPrefix("COMMANDS:\n  Work   work   Convert inputs to one output.\n"))
    #expect(
      index.contains("\nTOPICS:\n  methods                 The steps of the work.\n"))
  }

  @Test
  func `a topic has its summary, texts, terms and lines`() {
    #expect(
      Sample.methods.help(width: 80) == """
        METHODS: The steps of the work.

        A method is a list of steps.

        NAMES:
          fast                    The fast method.
          slow                    The slow method.
          thorough                The thorough method.

          sample work --method fast

        """)
  }

  @Test
  func `optional arguments are in brackets, and a long usage wraps under itself`() throws {
    let help = root.appending(Sample.pair).help(.short, width: 80)
    #expect(help.contains("\nUSAGE: sample pair <first> [<second>]\n"))
    let narrow = root.appending(Sample.work).help(.short, width: 50)
    #expect(
      narrow.contains(
        """
        USAGE: sample work [<options>] <input> ...
               --output-path <path>

        """))
  }

  @Test
  func `a long example continues after a backslash`() {
    let program = Program(
      root: Command(
        "sample", overview: "Run.",
        examples: [
          Term("sample --first 'one two three' --second value --third value file", "Run it.")
        ]), version: "1", date: "2026-01-02", sharedOptions: [], exitStatuses: [], environment: [])
    #expect(
      CommandPath(program).help(.short, width: 50).contains(
        """
        EXAMPLES:
          sample --first 'one two three' \\
            --second value --third value file

        """))
  }

  @Test(arguments: 50...130)
  func `no line is wider than the terminal`(_ width: Int) {
    for path in root.all {
      for detail in [HelpDetail.short, .full] {
        for line in path.help(detail, width: width).split(separator: "\n") {
          #expect(line.count <= width)
        }
      }
    }
  }
}
