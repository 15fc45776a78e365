import Arguments
import BAPackCommands
import BAPackKit
import Foundation
import SystemIO
import TerminalText
import TestSupport
import Testing

/// Budgets on the command line and in the project file: messages, positions and exit statuses.
@Suite struct BudgetCommandTests {
  /// Creates two packs whose archives have a known size, because they are not compressed.
  private static func make(
    budgets: String = "{}", in folder: borrowing TemporaryFolder
  ) throws {
    try folder.makeFile(
      "game/ba-package.json",
      """
      {"packs": ["Packs/*.json"], "output": "out", "compression": "none",
       "budgets": \(budgets)}
      """)
    for (id, policy, size) in [
      ("cave", #"{"essential": {"installationEventTypes": ["firstInstallation"]}}"#, 30_000),
      ("voices-en", #"{"onDemand": {}}"#, 50_000),
    ] {
      try folder.makeFile(
        "game/Packs/\(id).json",
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": \#(policy),
         "fileSelectors": [{"directory": "\#(id)"}], "platforms": []}
        """#)
      try folder.makeFile(
        "game/\(id)/sound.wav", String(repeating: "s", count: size))
      try folder.makeFile("game/\(id)/map.txt", String(repeating: "m", count: 1000))
    }
  }

  private func run(_ words: String..., in folder: borrowing TemporaryFolder) -> Captured {
    Captured(words + ["--project", folder.path("game")])
  }

  private func size(_ id: String, in folder: borrowing TemporaryFolder) throws -> UInt64 {
    UInt64(try folder.contents("game/out/\(id).aar").count)
  }

  @Test func `validate checks files against the budgets of the project file`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      budgets: #"{"**/*.wav": "70K", "*/map.txt": "2K", "essential": "1", "voice-*": "1G"}"#,
      in: folder)
    let file = folder.path("game/ba-package.json")
    let run = run("validate", in: folder)
    #expect(run.ending == .status(.failed))
    #expect(
      run.messages == """
        \(file):2:14: error: '**/*.wav' 80.0 KB is over the budget of 70 KB [budget.files]
        \(file):2:14: hint: 'voices-en/sound.wav' in 'voices-en': 50.0 KB
        \(file):2:14: hint: 'cave/sound.wav' in 'cave': 30.0 KB
        \(file):2:33: warning: '*/map.txt' 2.00 KB is 100 % of the budget of 2 KB [budget.files]
        \(file):2:33: hint: 'cave/map.txt' in 'cave': 1.00 KB
        \(file):2:33: hint: 'voices-en/map.txt' in 'voices-en': 1.00 KB
        \(file):2:70: warning: the budget 'voice-*' matches no pack [budget.unmatched]
        '\(file)' and 2 manifests: 1 error and 2 warnings

        """)
    let verbose = self.run("validate", "--verbose", in: folder)
    #expect(
      verbose.messages.contains(
        "The budget 'essential' is not checked: the size of an archive is unknown before it "
          + "is written\n"))
    let texts = self.run("validate", "--no-files", "--verbose", in: folder)
    #expect(texts.ending == .status(.done), "\(texts.messages)")
    #expect(texts.messages.contains("The budget '**/*.wav' is not checked: "))
    let github = self.run("validate", "--format", "github", in: folder)
    #expect(github.output.contains("line=2,"))
    #expect(github.output.contains("title=budget.files::'**/*.wav' 80.0 KB is over"))
  }

  @Test func `an option overrides the project's budget of the same name, without position`() throws
  {
    let folder = try TemporaryFolder()
    try Self.make(budgets: #"{"**/*.wav": "70K"}"#, in: folder)
    let wider = run("validate", "--budget", "**/*.wav=1M", in: folder)
    #expect(wider.ending == .status(.done), "\(wider.messages)")
    let narrow = run(
      "validate", "--budget", "**/*.wav=90K", "--budget", "**/*.wav=60K", in: folder)
    #expect(narrow.ending == .status(.failed))
    #expect(
      narrow.messages.hasPrefix(
        "error: '**/*.wav' 80.0 KB is over the budget of 60 KB [budget.files]\n"
          + "hint: 'voices-en/sound.wav' in 'voices-en': 50.0 KB\n"), "\(narrow.messages)")
    let near = run("validate", "--budget", "**/*.wav=85K", in: folder)
    #expect(near.ending == .status(.done))
    #expect(near.messages.hasPrefix("warning: '**/*.wav' 80.0 KB is 94 % of the budget of 85 KB"))
    let strict = run("validate", "--strict", "--budget", "**/*.wav=85K", in: folder)
    #expect(strict.ending == .status(.failed))
    for format in ["json", "sarif", "github"] {
      let run = run("validate", "--budget", "**/*.wav=60K", "--format", format, in: folder)
      #expect(run.ending == .status(.failed))
      #expect(run.output.contains("budget.files"))
      #expect(!run.output.contains("file=,"))
      if format != "github" {
        for line in format == "json"
          ? run.output.split(separator: "\n").map(String.init) : [run.output]
        { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
      }
    }
  }

  @Test(arguments: [
    ("total", "expected a name and a size, such as 'total=2G'"),
    ("=2G", "a budget has no name"),
    (
      "total=lots",
      "the size of the budget 'total' is invalid; specify a size, such as \"200M\" or \"1.5G\""
    ),
    ("totl=2G", "unknown budget 'totl'; if this is the ID of a pack, write '[t]otl'"),
    ("a/[x=2G", "'a/[x' is not a pattern"),
  ])
  func `a malformed option is a usage error with the message of the project file`(
    _ word: String, _ reason: String
  ) throws {
    for command in ["pack", "validate"] {
      let run = Captured(command, "m.json", "--budget", word)
      let reason =
        command == "pack" ? reason : reason.replacing("'total=2G'", with: "'Sounds/**=500M'")
      #expect(run.ending == .status(.usage))
      #expect(
        run.messages.hasPrefix(
          "Error: The value '\(word)' is invalid for '--budget <name=size>': \(reason)\n"),
        "\(run.messages)")
    }
    guard let sign = word.lastIndex(of: "=") else { return }
    let (name, size) = (word[..<sign], word[word.index(after: sign)...])
    let folder = try TemporaryFolder()
    try Self.make(budgets: #"{"\#(name)": "\#(size)"}"#, in: folder)
    let run = run("validate", in: folder)
    #expect(run.ending == .status(.failed))
    for words in reason.split(separator: "; ") {
      #expect(run.messages.contains(words), "\(run.messages)")
    }
  }

  @Test func `a size that is known before packing stops the run`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let run = run("pack", "--budget", "**/*.wav=70K", in: folder)
    #expect(run.ending == .status(.failed))
    #expect(run.messages.hasPrefix("error: '**/*.wav' 80.0 KB is over the budget of 70 KB"))
    #expect(run.messages.hasSuffix("No packs were written: 1 error\n"))
    #expect((try? FileStatus(ofFileAt: folder.path("game/out"))) == nil)
    let dry = self.run("pack", "--dry-run", "--budget", "**/*.wav=70K", in: folder)
    #expect(dry.ending == .status(.failed))
    let fits = self.run(
      "pack", "--dry-run", "--verbose", "--budget", "**/*.wav=1M", "--budget", "total=1", in: folder
    )
    #expect(fits.ending == .status(.done))
    #expect(fits.messages.contains("The budget 'total' is not checked: "))
  }

  @Test func `archives are checked after packing, and are kept`() throws {
    let folder = try TemporaryFolder()
    try Self.make(
      budgets: #"{"hosted": "1M", "essential": "30K", "voices-*": "55K", "total": "80K"}"#,
      in: folder)
    let file = folder.path("game/ba-package.json")
    let packed = run("pack", "--quiet", in: folder)
    #expect(packed.ending == .status(.failed))
    let (cave, voices) = (try size("cave", in: folder), try size("voices-en", in: folder))
    let words = Quantity.bytes
    // A budget that is nearly used up is a warning, which --quiet omits.
    #expect(
      packed.messages == """
        \(file):2:30: error: essential \(words(cave)) is over the budget of 30 KB [budget.essential]
        \(file):2:30: hint: counted for a first installation
        \(file):2:30: hint: 'cave': \(words(cave))
        \(file):2:69: error: total \(words(cave + voices)) is over the budget of 80 KB \
        [budget.total]
        \(file):2:69: hint: 'voices-en': \(words(voices))
        \(file):2:69: hint: 'cave': \(words(cave))
        Archives were written, but a budget is exceeded.

        """)
    #expect(run("verify", in: folder).ending == .status(.done))
    // The command does not check this budget.
    let fits = run(
      "pack", "--force", "--budget", "essential=1M", "--budget", "total=1M", in: folder)
    #expect(fits.ending == .status(.done), "\(fits.messages)")
  }

  @Test func `with --update, unchanged archives count, too`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    #expect(run("pack", "--update", in: folder).ending == .status(.done))
    let sum = try size("cave", in: folder) + size("voices-en", in: folder)
    for (limit, ending) in [(sum, ExitStatus.done), (sum - 1, .failed)] {
      let unchanged = run("pack", "--update", "--budget", "hosted=\(limit)", in: folder)
      #expect(unchanged.ending == .status(ending), "\(unchanged.messages)")
      // All sizes are known in advance, so no file is written.
      #expect(
        unchanged.messages.hasSuffix(
          limit == sum ? "0 packed, 2 unchanged\n" : "No packs were written: 1 error\n"))
      let check = run("pack", "--update", "--check", "--budget", "hosted=\(limit)", in: folder)
      #expect(check.ending == .status(ending), "\(check.messages)")
    }
    try folder.makeFile("game/cave/map.txt", String(repeating: "n", count: 900))
    let changed = run("pack", "--update", "--budget", "hosted=\(sum - 101)", in: folder)
    #expect(changed.messages.contains("1 packed, 1 unchanged\n"), "\(changed.messages)")
    let after = try size("cave", in: folder) + size("voices-en", in: folder)
    #expect(changed.ending == .status(after > sum - 101 ? .failed : .done))
    #expect(
      run("pack", "--update", "--budget", "hosted=\(after)", in: folder).ending == .status(.done))
    #expect(
      run("pack", "--update", "--budget", "hosted=\(after - 1)", in: folder).ending
        == .status(.failed))
  }

  @Test func `files in an archive also count if the pack is unchanged`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("root/a.wav", String(repeating: "s", count: 5000))
    #expect(
      Captured(
        "pack", "-", "--no-project", "--source-root", folder.path("root"), "-o",
        folder.path("first.aar"), input: Self.plain
      ).ending == .status(.done))
    #expect(
      Captured("extract", folder.path("first.aar"), "-o", folder.path("root.zip")).ending
        == .status(.done))
    try folder.makeFile("m.json", Self.plain)
    func pack(_ limit: String) -> Captured {
      Captured(
        "pack", folder.path("m.json"), "--no-project", "--source-root", folder.path("root.zip"),
        "-o", folder.path("x.aar"), "--update", "--budget", "**/*.wav=\(limit)")
    }
    #expect(pack("1M").ending == .status(.done))
    #expect(pack("4K").messages.contains("'**/*.wav' 5.00 KB is over the budget of 4 KB"))
    let kept = pack("1M")
    #expect(kept.ending == .status(.done))
    #expect(kept.messages.contains("0 packed, 1 unchanged"), "\(kept.messages)")
  }

  private static let plain = """
    {"assetPackID": "x", "downloadPolicy": {"onDemand": {}}, "platforms": [],
     "fileSelectors": [{"file": "a.wav"}]}
    """

  @Test func `a shard can exceed a budget, and unchecked budgets are reported`() throws {
    let folder = try TemporaryFolder()
    try Self.make(in: folder)
    let within = run(
      "pack", "--shard", "1/2", "--budget", "hosted=60K", "--budget", "gone-*=1", in: folder)
    #expect(within.ending == .status(.done), "\(within.messages)")
    #expect(
      within.messages.contains(
        "Budgets: not exceeded by this shard; the other shards were not checked.\n"))
    #expect(!within.messages.contains("budget.unmatched"))
    let over = run("pack", "--force", "--shard", "1/2", "--budget", "hosted=20K", in: folder)
    #expect(over.ending == .status(.failed))
    #expect(over.messages.contains("hint: other packs are not counted: the sum may be larger\n"))
    #expect(!over.messages.contains("not exceeded by this shard"))
    let none = run("pack", "--force", "--shard", "1/2", in: folder)
    #expect(!none.messages.contains("Budgets"))
    // All shards together.
    #expect(run("pack", "--force", "--shard", "2/2", in: folder).ending == .status(.done))
    let sum = try size("cave", in: folder) + size("voices-en", in: folder)
    let out = folder.path("game/out")
    for (limit, ending) in [(sum, ExitStatus.done), (sum - 1, .failed)] {
      let all = run("verify", "--all-shards", out, "--budget", "hosted=\(limit)", in: folder)
      #expect(all.ending == .status(ending))
      #expect(all.messages.contains("budget.hosted"), "\(all.messages)")
    }
    let alone = run("verify", out, "--budget", "hosted=1", in: folder)
    #expect(alone.ending == .status(.usage))
  }

  @Test func `given manifests are a part of the project, unless they are all of it`()
    throws
  {
    let folder = try TemporaryFolder()
    try Self.make(budgets: #"{"*/map.txt": "2K", "voices-*": "1M", "**/*.wav": "45K"}"#, in: folder)
    let (cave, voices) = (
      folder.path("game/Packs/cave.json"), folder.path("game/Packs/voices-en.json")
    )
    let small = run("validate", cave, "--verbose", in: folder)
    #expect(small.ending == .status(.done))
    #expect(!small.messages.contains("[budget."), "\(small.messages)")
    #expect(
      small.messages.contains(
        "'voices-*' is not checked: the app has other packs, whose sizes are unknown"))
    let large = run("validate", voices, in: folder)
    #expect(large.ending == .status(.failed))
    #expect(large.messages.contains("hint: other packs are not counted"))
    let all = run("validate", folder.path("game/Packs"), in: folder)
    #expect(all.messages.contains("'*/map.txt' 2.00 KB is 100 % of the budget"), "\(all.messages)")
  }

  @Test(arguments: ["total=1", "hosted=1", "essential=1", "update=1", "voices-*=1"])
  func `validate refuses a budget for archives, whose sizes are unknown`(_ budget: String) {
    let run = Captured("validate", "--no-project", "--budget", budget, "Manifest.json")
    #expect(run.ending == .status(.usage))
    #expect(run.messages.contains("only budgets for files are checked here"), "\(run.messages)")
    #expect(run.messages.contains("use 'pack --budget \(budget)'"))
  }
}
