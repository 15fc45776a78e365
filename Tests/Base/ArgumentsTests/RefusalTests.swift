import Arguments
import Testing

@Suite("Refusing a command line")
struct RefusalTests {
  @Test(arguments: [
    ("work a -o x --forse", "Unknown option '--forse'. Did you mean '--force'?"),
    ("work a -o x --output y", "Unknown option '--output'. Did you mean '--output-path'?"),
    ("work a -o x --zebra", "Unknown option '--zebra'"),
    (
      "work --only a -o x", "Unknown option '--only'. Specify '<input> ...' without an option name"
    ),
    ("work --only=a", "Unknown option '--only'. Specify '<input> ...' without an option name"),
    ("work a -o x -method", "Unknown option '-method'. Did you mean '--method'?"),
    ("work a -O x", "Unknown option '-O'. Did you mean '-o'?"),
    ("work a -o x -z", "Unknown option '-z'"),
    ("work a -o x -lz", "Unknown option '-z'"),
    ("work a --root-only -o x", "Unknown option '--root-only'"),
    ("work a -o", "Missing value for '-o <path>'"),
    (
      "work a --output-path -f",
      "Missing value for '--output-path <path>' (a value that starts with a dash is written "
        + "'--output-path=-f')"
    ),
    (
      "work a -o x --force=yes",
      "The option '--force' does not take any value, but 'yes' was specified"
    ),
    (
      "work a -o x --method fats",
      "The value 'fats' is invalid for '--method <method>'. Did you mean 'fast'?"
    ),
    (
      "work a -o x --method warp",
      "The value 'warp' is invalid for '--method <method>'"
    ),
    (
      "work a -o x --kinds Fast",
      "The value 'Fast' is invalid for '--kinds <kind> ...'. Did you mean 'fast'?"
    ),
    (
      "work a -o x --threads 0",
      "The value '0' is invalid for '--threads <count>': expected a whole number from 1 to 64"
    ),
    (
      "work a -o x -t many",
      "The value 'many' is invalid for '--threads <count>': expected a whole number from 1 to 64"
    ),
    (
      "work a --output-path=",
      "The value '' is invalid for '--output-path <path>': a path cannot be empty"
    ),
    ("work -o x", "Missing expected argument '<input> ...'"),
    (
      "work a b.out",
      "Missing expected argument '--output-path <path>'. Did you mean '-o b.out'?"
    ),
    ("work a", "Missing expected argument '--output-path <path>'"),
    ("work", "Missing expected arguments '<input> ...', '--output-path <path>'"),
    ("pair", "Missing expected argument '<first>'"),
    ("pair 1 2 3", "Unexpected argument '3'"),
    ("pair 1 2 3 4", "2 unexpected arguments: '3' and '4'"),
    ("pair 1 2 3 4 5", "3 unexpected arguments: '3' and 2 more"),
    ("work a -o x -f -t 2", "'--threads' and '--force' cannot be used together"),
    ("wrok -o x", "Unknown command 'wrok'. Did you mean 'work'?"),
    ("help wrk", "Unknown command or topic 'wrk'. Did you mean 'work'?"),
    ("help method", "Unknown command or topic 'method'. Did you mean 'methods'?"),
    ("hlep", "Unknown command 'hlep'. Did you mean 'help'?"),
    ("toil", "Unknown command 'toil'"),
    ("work a --dest x", "Unknown option '--dest'. Did you mean '--output-path'?"),
    ("work a --dets x", "Unknown option '--dets'. Did you mean '--output-path'?"),
    ("work a --fast", "Unknown option '--fast'. Did you mean '--method fast'?"),
    ("work a -o x -j 4", "Unknown option '-j'. Did you mean '--threads'?"),
    ("pair 1 --fast", "Unknown option '--fast'"),
    ("group innre", "Unknown subcommand 'innre'. Did you mean 'inner'?"),
    ("help convert", "Unknown command or topic 'convert'"),
    ("group convert", "Unknown subcommand 'convert'"),
    ("convert x", "Unknown command 'convert', and no such file"),
  ])
  func `every mistake has its message`(_ line: String, _ message: String) throws {
    do {
      _ = try Sample.program.parse(line.split(separator: " ").map(String.init))
      Issue.record("accepted")
    } catch {
      #expect(error.error.message == message)
    }
  }

  @Test
  func `a hint, the usage and the help command follow the error`() throws {
    let refusal = #expect(throws: CommandLineError.self) {
      try Sample.program.parse(["work", "-o", "x"])
    }
    let text = refusal.map { $0.path.usageHint(for: $0.error, width: 80) }
    #expect(
      text == """
        Usage: sample work [<options>] <input> ... --output-path <path>
          See 'sample work -h' for all options.

        """)
    let guess = #expect(throws: CommandLineError.self) { try Sample.program.parse(["toil"]) }
    #expect(
      guess.map { $0.path.usageHint(for: $0.error, width: 80) } == """
        hint: use 'sample work'
        Usage: sample <command>
          See 'sample help' for the list of commands.

        """)
  }
}
