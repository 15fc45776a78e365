import BAPackKit
import SourceDiagnostics
import TestSupport
import Testing

/// The meaning of budgets, their use, and the contributors.
@Suite struct BudgetTests {
  typealias Pack = BudgetHoldings.Pack

  static func pack(
    _ id: PackID, _ size: UInt64?, _ policy: DownloadPolicy = .onDemand,
    on platforms: [Platform] = [], for language: String? = nil,
    files: [(path: String, size: UInt64)]? = nil
  ) -> Pack {
    Pack(
      id: id, policy: policy, platforms: platforms, language: language.flatMap { LanguageTag($0) },
      archiveSize: size,
      files: files.map(list))
  }

  private static func list(_ files: [(path: String, size: UInt64)]) -> BudgetHoldings.Files {
    { body in for file in files { body(AssetPath(unchecked: file.path.utf8), file.size) } }
  }

  static func use(
    _ name: String, _ limit: String, _ packs: [Pack], isWhole: Bool = true,
    update: [PackID: UInt64]? = nil
  ) throws -> BudgetUse {
    BudgetUse(
      of: try Budget(named: name, limit: limit),
      by: BudgetHoldings(packs, isWhole: isWhole, update: update.map { .init($0) }))
  }

  private static func findings(_ uses: [BudgetUse]) -> Ledger {
    var findings = Ledger()
    findings.add(uses)
    return findings
  }

  /// The findings without a budget's place: severity, ID, message, notes.
  private static func lines(_ uses: [BudgetUse]) -> [String] {
    findings(uses).flatMap { finding in
      ["\(finding.severity.rawValue) \(finding.id.name): \(finding.message)"] + finding.notes
    }
  }

  // MARK: Names and sizes

  @Test(
    arguments: [
      ("essential", "200M", 200_000_000), ("total", "1.5 GB", 1_500_000_000), ("hosted", "0", 0),
      ("update", "50", 50), ("voices-*", "80m", 80_000_000), ("**/*.wav", "30 K", 30_000),
      ("voices-fr", "1T", 1_000_000_000_000),
    ] as [(String, String, UInt64)])
  func `sizes have powers of 1000`(_ name: String, _ text: String, _ limit: UInt64) throws {
    let budget = try Budget(named: name, limit: text)
    #expect(budget.limit == limit)
    #expect(budget.name == name)
    #expect(budget.text == text)
    #expect(budget.isOwn)
  }

  @Test(arguments: [
    ("", "1", BudgetFault.noName), ("[x", "1", .noPattern("[x")), ("a/[x", "1", .noPattern("a/[x")),
    ("totl", "1", .unknownSum("totl", near: "total")), ("total", "", .noSize(of: "total")),
    ("total", "lots", .noSize(of: "total")), ("total", "-1", .noSize(of: "total")),
    ("total", "1KiB", .noSize(of: "total")), ("total", "99999999T", .noSize(of: "total")),
  ])
  func `an invalid budget is an error with a reason`(
    _ name: String, _ text: String, _ fault: BudgetFault
  ) {
    #expect(throws: fault) { try Budget(named: name, limit: text) }
  }

  @Test(arguments: [
    ("voices-*", ["voices-en", "voices-.x"], ["music", "other/voices-en"]),
    ("[ab]", ["a", "b"], ["c", "ab"]), ("music", ["music"], ["music-2"]),
    ("*", ["music", ".hidden"], []),
  ])
  func `a pattern without a slash matches IDs of packs`(
    _ pattern: String, _ matching: [String], _ others: [String]
  ) throws {
    let packs = (matching + others).map {
      Self.pack(PackID($0), 10, files: [(pattern, 1)])
    }
    let use = try Self.use(pattern, "1G", packs)
    #expect(use.used == UInt64(10 * matching.count))
    #expect(Set(use.contributors.map(\.pack.text)) == Set(matching))
  }

  @Test(arguments: [
    ("**/*.wav", ["a.wav", "x/b.wav", ".x/.c.wav"], ["x/a.mp3"]),
    ("x/*", ["x/b.wav", "x/a.mp3"], ["a.wav", ".x/.c.wav"]),
    ("**/*", ["a.wav", "x/b.wav", ".x/.c.wav", "x/a.mp3"], []),
    ("./*", ["a.wav"], ["x/b.wav"]), ("x/**", ["x/b.wav", "x/a.mp3"], ["a.wav"]),
  ])
  func `a pattern with a slash matches files, including hidden files`(
    _ pattern: String, _ matching: [String], _ others: [String]
  ) throws {
    let files = (matching + others).map { (path: $0, size: UInt64(7)) }
    let use = try Self.use(pattern, "1G", [Self.pack("a", nil, files: files)])
    #expect(use.used == UInt64(7 * matching.count))
    #expect(use.standing == .known(.within))
    #expect(Set(use.contributors.map { $0.path?.text ?? "" }) == Set(matching))
  }

  // MARK: Use

  @Test(
    arguments: [
      (899, Budget.Level.within), (900, .near), (1000, .near), (1001, .over), (0, .within),
    ] as [(UInt64, Budget.Level)])
  func `90 % of a budget is a warning, and more than the limit is an error`(
    _ used: UInt64, _ level: Budget.Level
  ) throws {
    #expect(try Budget(named: "total", limit: "1000").level(used) == level)
    let use = try Self.use("hosted", "1000", [Self.pack("a", used)])
    #expect(use.standing == .known(level))
    let severities = Self.findings([use]).map(\.severity)
    #expect(severities == (level == .within ? [] : level == .near ? [.warning] : [.error]))
  }

  @Test func `the boundaries are exact for large numbers`() throws {
    for (limit, used, level) in [
      ("18446744073709551615", .max, .near), ("18446744073709551614", .max, .over),
      ("18446744073709551615", 16_602_069_666_338_596_453, .within),
      ("18446744073709551615", 16_602_069_666_338_596_454, .near),
      ("1000000", 899_999, .within), ("1000000", 900_000, .near), ("1000000", 1_000_001, .over),
      ("0", 0, .within), ("0", 1, .over), ("1", 1, .near), ("9", 8, .within),
    ] as [(String, UInt64, Budget.Level)] {
      #expect(
        try Budget(named: "total", limit: limit).level(used) == level, "\(used) of \(limit)")
    }
  }

  @Test func `the ten largest contributors are listed, and the others are counted`() throws {
    let sizes: [UInt64] = [3, 14, 15, 9, 26, 5, 35, 8, 97, 9, 32, 38, 46]
    let packs = sizes.enumerated().map { Self.pack(PackID("p\($0.offset)"), $0.element * 1000) }
    #expect(
      Self.lines([try Self.use("hosted", "300K", packs)]) == [
        "error budget.hosted: hosted 337 KB is over the budget of 300 KB",
        "'p8': 97.0 KB", "'p12': 46.0 KB", "'p11': 38.0 KB", "'p6': 35.0 KB", "'p10': 32.0 KB",
        "'p4': 26.0 KB", "'p2': 15.0 KB", "'p1': 14.0 KB", "'p3': 9.00 KB", "'p9': 9.00 KB",
        "and 3 more: 16.0 KB",
      ])
  }

  @Test func `the size in a message differs from the limit`() throws {
    for (limit, used, message) in [
      ("50M", 52_300_000, "hosted 52.3 MB is over the budget of 50 MB"),
      ("50M", 50_000_001, "hosted 50,000,001 bytes is over the budget of 50 MB"),
      ("1.5G", 1_400_000_000, "hosted 1.40 GB is 93 % of the budget of 1.5 GB"),
      ("50M", 50_000_000, "hosted 50.0 MB is 100 % of the budget of 50 MB"),
      ("1234567", 1_200_000, "hosted 1.20 MB is 97 % of the budget of 1,234,567 bytes"),
      ("0", 1, "hosted 1 byte is over the budget of 0 bytes"),
    ] as [(String, UInt64, String)] {
      let use = try Self.use("hosted", limit, [Self.pack("a", used)])
      #expect(Self.findings([use]).map(\.message) == [message])
    }
  }

  @Test func `the message contains the properties of the device that the sum depends on`() throws {
    let both = Set(InstallationEvent.allCases)
    #expect(
      Self.lines([
        try Self.use(
          "essential", "1K",
          [
            Self.pack("base", 900, .essential(both)),
            Self.pack("fr", 300, .essential([.subsequentUpdate]), for: "fr"),
            Self.pack("en", 200, .essential([.subsequentUpdate]), for: "en"),
            Self.pack("tv", 50, .essential(both), on: [.tvOS]),
            Self.pack("level", 5000),
          ])
      ]) == [
        "error budget.essential: essential 1.25 KB is over the budget of 1 KB",
        "counted for tvOS, fr, an update", "'base': 900 bytes", "'fr': 300 bytes",
        "'tv': 50 bytes",
      ])
    let plain = try Self.use("total", "1K", [Self.pack("a", 600), Self.pack("b", 500)])
    #expect(
      Self.lines([plain]) == [
        "error budget.total: total 1.10 KB is over the budget of 1 KB", "'a': 600 bytes",
        "'b': 500 bytes",
      ])
  }

  // MARK: Unknown sums

  @Test func `an unknown sum has a reason and no finding`() throws {
    let packs = [Self.pack("voices-en", nil), Self.pack("music", 10)]
    for (name, reason) in [
      ("essential", .archives), ("total", .archives), ("hosted", .archives),
      ("voices-*", .archives),
      ("update", .baseline), ("**/*", .files),
    ] as [(String, BudgetUse.Unknown)] {
      let use = try Self.use(name, "100", packs)
      #expect(use.standing == .unknown(reason), "\(name)")
      #expect(use.isOpen)
      #expect(Self.findings([use]).isEmpty)
    }
    #expect(try Self.use("music", "100", packs).standing == .known(.within))
    #expect(try Self.use("essential", "100", [], isWhole: false).standing == .unknown(.others))
  }

  @Test func `the sum of some packs can exceed a budget, but is otherwise unknown`() throws {
    let packs = [Self.pack("a", 95), Self.pack("b", nil)]
    #expect(try Self.use("hosted", "100", packs).standing == .unknown(.archives))
    #expect(
      Self.lines([try Self.use("hosted", "90", packs)]) == [
        "error budget.hosted: hosted 95 bytes is over the budget of 90 bytes",
        "other packs are not counted: the sum may be larger", "'a': 95 bytes",
      ])
    #expect(
      try Self.use("hosted", "100", [packs[0]], isWhole: false).standing == .unknown(.others))
  }

  @Test func `a pattern without matches is a warning`() throws {
    let pack = Self.pack("voices-en", 1, files: [("a/b.wav", 1)])
    #expect(
      Self.lines([
        try Self.use("voice-*", "1M", [pack]), try Self.use("a/", "1M", [pack]),
        try Self.use("**/*.mp3", "1M", [pack]),
      ]) == [
        "warning budget.unmatched: the budget 'voice-*' matches no pack",
        "warning budget.unmatched: the budget 'a/' matches no file",
        "'a/**' matches all files in that folder",
        "warning budget.unmatched: the budget '**/*.mp3' matches no file",
      ])
    #expect(
      try Self.use("voice-*", "1M", [pack], isWhole: false).standing == .unknown(.others))
  }

  // MARK: The host

  @Test func `the limit of Apple is a budget`() throws {
    let limits = DeliveryLimits.current
    #expect(limits.budgets(for: nil) == limits.budgets(for: .apple))
    #expect(limits.budgets(for: .selfHosted) == [])
    func lines(_ size: UInt64, own: String? = nil) throws -> [String] {
      let own = try own.map { [try Budget(named: "hosted", limit: $0)] } ?? []
      let holdings = BudgetHoldings([Self.pack("a", size)])
      return Self.lines((own + limits.budgets(for: .apple)).map { BudgetUse(of: $0, by: holdings) })
    }
    let published = "Apple's limit as of \(limits.date)"
    #expect(try lines(159_999_999_999) == [])
    #expect(
      try lines(160_000_000_000) == [
        "warning budget.hosted: hosted 160 GB is 80 % of Apple's limit of 200 GB for one app",
        published, "'a': 160 GB",
      ])
    let over = [
      "error budget.hosted: hosted 200,000,000,001 bytes is over Apple's limit of 200 GB for one "
        + "app",
      published, "'a': 200 GB",
    ]
    #expect(try lines(200_000_000_001) == over)
    // The limit of the host is not reported in addition to a smaller budget of the user.
    #expect(
      try lines(200_000_000_001, own: "100G") == [
        "error budget.hosted: hosted 200 GB is over the budget of 100 GB", "'a': 200 GB",
      ])
    #expect(try lines(200_000_000_001, own: "300G") == over)
  }

  @Test func `the maximum number of packs is a budget`() {
    let packs = (0...DeliveryLimits.current.packs).map { Self.pack(PackID("p\($0)"), 1) }
    func found(_ count: Int) -> [String] {
      Self.findings(
        DeliveryLimits.current.budgets(for: nil).map {
          BudgetUse(of: $0, by: BudgetHoldings(Array(packs.prefix(count))))
        }
      ).map { "\($0.severity.rawValue) \($0.id.name): \($0.message)" }
    }
    #expect(found(179) == [])
    #expect(
      found(180) == ["warning packs.count: 180 packs are near the limit of 200 packs for one app"])
    #expect(
      found(201) == ["error packs.count: 201 packs exceed the limit of 200 packs for one app"])
  }

  // MARK: Places

  @Test func `the place of a finding is the name of its budget in the project file`() throws {
    let marked = MarkedText(
      #"""
      {"packs": ["a"],
       "budgets": {⟦a:"hosted"⟧: "1K", "total": "1M", ⟦b:"music"⟧: 2000, ⟦c:"nothing"⟧: "1G"}}
      """#)
    let project = ProjectDocument(parsing: marked.bytes, at: ProjectPlace(named: "x.json"))
    var settings = EffectiveSettings()
    settings.add(project)
    let holdings = BudgetHoldings([Self.pack("music", 3000)])
    var found = Ledger(about: project.source)
    found.add(settings.budgets.map { BudgetUse(of: $0, by: holdings) })
    expect(
      found, in: marked,
      are: [
        .error("budget.hosted", at: "a", "hosted 3.00 KB is over the budget of 1 KB"),
        .error("budget.packs", at: "b", "'music' 3.00 KB is over the budget of 2 KB"),
        .warning("budget.unmatched", at: "c"),
      ])
    #expect(found.pages.map(\.source.name) == ["x.json"])
  }

  @Test func `options override the project's budgets with the same names`() throws {
    var settings = EffectiveSettings()
    settings.add(
      [
        try Budget(named: "total", limit: "1"), try Budget(named: "music", limit: "2"),
        try Budget(named: "total", limit: "3"),
      ], as: \.budgets, from: .option("x"))
    settings.add(
      ProjectDocument(
        parsing: Array(#"{"packs": ["a"], "budgets": {"update": 4, "total": 5}}"#.utf8),
        at: ProjectPlace(named: "x.json")))
    #expect(settings.budgets.map(\.name) == ["update", "total", "music"])
    #expect(settings.budgets.map(\.limit) == [4, 3, 2])
    #expect(settings.budgets.map { $0.place?.source.name } == ["x.json", nil, nil])
  }
}
