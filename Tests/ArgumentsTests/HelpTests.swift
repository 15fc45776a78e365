import Arguments
import Testing

@Suite("Help texts")
struct HelpTests {
  private let root = CommandPath(Sample.program)

  @Test
  func `a command's help has its sections in the order of every Swift tool, text from column 26`()
    throws
  {
    #expect(
      root.appending(Sample.work).help(width: 80) == """
        OVERVIEW: Turns inputs into one output.

        Everything is read before anything is written, so that a mistake costs nothing.

        USAGE: sample work [<options>] <input> ... --output-path <path>

        ARGUMENTS:
          <input> ...             What to read.

        OPTIONS:
          -o, --output-path <path>
                                  Where the result goes.
          -f, --force             Replace what is in the way.
          -l, --loud              Say more.
          -t, --threads <count>   How many threads work.
          --method <method>       How the work is done. (values: fast, slow, thorough;
                                  default: slow)
          --kinds <kind> ...      Which kinds to take. (values: fast, slow, thorough)
          --names <name> ...      Names to use.
          -q, --quiet             Say nothing.
          --color <when>          When to use colours. (values: fast, slow, thorough;
                                  default: fast)
          --version               Show the version.
          -h, --help              Show help information.

        EXAMPLES:
          sample work a.in -o a.out
                                  One input, one output.

        EXIT STATUS:
          0                       Done.
          64                      The command line could not be understood.

        """)
  }

  @Test
  func `the program's help lists its subcommands and says where to read on`() throws {
    #expect(
      root.help(width: 60) == """
        OVERVIEW: A program for tests.

        USAGE: sample <subcommand>

        OPTIONS:
          --root-only             Only without a subcommand.
          -q, --quiet             Say nothing.
          --color <when>          When to use colours. (values:
                                  fast, slow, thorough; default:
                                  fast)
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          work (default)          Turns inputs into one output.
          pair                    Takes one or two words.
          group                   Holds more.

        EXIT STATUS:
          0                       Done.
          64                      The command line could not be
                                  understood.

        ENVIRONMENT:
          NO_COLOR                Turns colours off.

          See 'sample help <subcommand>' for detailed information.

        """)
  }

  @Test
  func `optional arguments stand in brackets; a long usage wraps under itself`() throws {
    let help = root.appending(Sample.pair).help(width: 80)
    #expect(help.contains("\nUSAGE: sample pair <first> [<second>]\n"))
    let narrow = root.appending(Sample.work).help(width: 50)
    #expect(
      narrow.contains(
        """
        USAGE: sample work [<options>] <input> ...
               --output-path <path>

        """))
  }

  @Test(arguments: 50...130)
  func `no line is wider than the terminal, if the terminal has room for words`(_ width: Int) {
    for path in root.all {
      for line in path.help(width: width).split(separator: "\n") {
        #expect(line.count <= width)
      }
    }
  }
}
