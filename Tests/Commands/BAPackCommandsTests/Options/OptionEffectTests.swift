import Arguments
import BAPackCommands
import Testing

/// Each option either has an effect or is an error.
@Suite("Options without effect")
struct OptionEffectTests {
  @Test(arguments: [
    ("verify a.aar --source-root .", "'--source-root' has no effect without '--against'"),
    ("pack a.json -o b --cache-limit 1G", "'--cache-limit' has no effect without '--cache'"),
    ("list a.aar --long --format json", "'--long' has no effect with '--format json'"),
    ("pack a.json --dry-run --sha256", "'--dry-run' and '--sha256' cannot be used together"),
    ("pack a.json --dry-run --cache c", "'--dry-run' and '--cache' cannot be used together"),
    (
      "pack a.json -o b --compression none --level best",
      "'--level' has no effect with '--compression none'"
    ),
    (
      "pack a.json -o b --compression none --block-size 1M",
      "'--block-size' has no effect with '--compression none'"
    ),
    ("template --force", "'--force' has no effect without '--output-path'"),
    ("validate a.json --unsafe", "'--unsafe' has no effect without '--fix' or '--diff'"),
    ("simulate a.aar --junit x.xml", "'--junit' has no effect without '--scenario'"),
    (
      "simulate a.aar --matrix languages --free 1G",
      "'--free' and '--matrix' cannot be used together"
    ),
    ("schema --force", "'--force' has no effect without '--output-path'"),
    (
      "validate a.json --no-files --source-root .",
      "'--source-root' and '--no-files' cannot be used together"
    ),
  ])
  func
    `an option without an effect is an error that names the conflicting option`(
      _ line: String, _ message: String
    )
  {
    let run = Captured(line.split(separator: " ").map(String.init))
    #expect(run.ending == .status(.usage))
    #expect(run.messages.hasPrefix("Error: \(message)\n"), "\(run.messages)")
    #expect(run.output == "")
  }
}
