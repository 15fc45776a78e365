import BAPackKit
import DeviceSimulator
import Reporting
import SystemIO
import TestSupport
import Testing

/// Compares `diff` with a simulated released app that sees the same releases.
@Suite struct BreakPropertyTests {
  /// A pack in the form that both parts use.
  struct Model: Equatable {
    var policy: DownloadPolicy
    var platforms: [Platform] = []
    var language: String?
    /// The contents of each path.
    var files: [String: UInt8] = [:]

    static let always: Set<InstallationEvent> = [.firstInstallation, .subsequentUpdate]

    init(
      _ policy: DownloadPolicy = .essential(Self.always), platforms: [Platform] = [],
      language: String? = nil, _ files: [String: UInt8] = [:]
    ) {
      self.policy = policy
      self.platforms = platforms
      self.language = language
      self.files = files
    }

    init(_ files: [String: UInt8]) { self.init(.essential(Self.always), files) }

    var tag: LanguageTag? { language.flatMap { LanguageTag($0) } }

    var contents: PackContents {
      var contents = PackContents()
      for (path, byte) in files {
        contents.append(
          AssetPath(unchecked: path.utf8), size: 5, digest: [UInt8](repeating: byte, count: 32))
      }
      contents.sort()
      return contents
    }
  }

  typealias Packs = [String: Model]

  // MARK: Results of diff

  private static func comparison(_ old: Packs, _ new: Packs) throws -> Comparison {
    func inventory(_ name: String, _ packs: Packs) -> Inventory {
      Inventory(
        name,
        packs.map { id, model in
          var pack = InventoryPack(PackID(id), policy: model.policy, place: id)
          pack.platforms = model.platforms
          pack.language = model.tag
          pack.contents = model.contents
          // Different packs have different archives.
          pack.sha256 = Array("\(model.files.sorted { $0.key < $1.key })\(model)".utf8)
          if let other = old[id], other == model { pack.sha256 = [] }
          return pack
        })
    }
    return try Comparison(
      from: inventory("old", old), to: inventory("new", new), threads: 1, .unstoppable)
  }

  private static func breaks(_ old: Packs, _ new: Packs) throws -> [String] {
    try comparison(old, new).breaks.map { found in
      let path = found.path.map { " " + $0.text } ?? ""
      return "\(found.pack) \(found.breakage.rawValue)\(path)"
        + (found.what.map { " (\($0))" } ?? "")
    }.sorted()
  }

  // MARK: Losses of a simulated app

  /// The behavior of an app on one device.
  private struct App {
    let source: ReleaseSource
    let profile: DeviceProfile
    let old: Packs
    let new: Packs

    init(_ old: Packs, _ new: Packs, on profile: DeviceProfile) {
      (self.old, self.new, self.profile) = (old, new, profile)
      func release(_ name: String, _ packs: Packs, _ number: Int) -> Release {
        Release(
          name,
          packs.sorted { $0.key < $1.key }.map { id, model in
            ReleasedPack(
              OfferedPack(
                id: PackID(id), policy: model.policy, platforms: model.platforms,
                language: model.tag, size: PackSize(download: 10, unpacked: 10)),
              version: old[id] == model ? 1 : number, contents: model.contents)
          })
      }
      source = ReleaseSource([
        release("none", [:], 0), release("old", old, 1), release("new", new, 2),
      ]) {
        pack, paths in
        let model = pack.version == 1 ? old[pack.id.text] : new[pack.id.text]
        return paths.map { [model?.files[$0.text] ?? 0] }
      }
    }

    /// Returns the device after steps; the first release has no packs.
    func device(_ steps: [Step], requesting ids: [PackID]) -> (DeviceState, failed: Set<PackID>) {
      var state = DeviceState()
      state.profile = profile
      var failed: Set<PackID> = []
      for step in steps + (ids.isEmpty ? [] : [.request(ids, latest: false)]) {
        let (next, events) = state.after(step, in: source)
        state = next
        failed = []
        for case .failed(let id, _) in events.map(\.kind) { failed.insert(id) }
      }
      return (state, failed)
    }

    /// The packs that the app requests before the release: those of all languages.
    var known: [PackID] {
      let state = device([.release(1), .install], requesting: []).0
      return (state.manifest?.offered(to: profile).packs ?? []).map(\.id)
    }

    private func reads(_ path: String, _ state: DeviceState) -> Bool {
      if case .readable = state.find(path, source).answer { true } else { false }
    }

    /// Returns the paths that the app could read before the release, with or without a request, and
    /// not after it.
    func losses() -> Set<String> {
      let paths = Set(old.values.flatMap(\.files.keys))
      let known = known
      var lost: Set<String> = []
      for number in 0..<(1 << known.count) {
        let ids = known.indices.filter { number >> $0 & 1 == 1 }.map { known[$0] }
        let histories: [(before: [Step], after: [Step])] = [
          ([.release(1), .install], [.release(2), .install]),
          (
            [.release(0), .install, .release(1), .updateApp],
            [.release(0), .install, .release(2), .updateApp]
          ),
          (
            [.release(1), .install, .request(ids, latest: false), .updateApp, .checkForUpdates],
            [.release(1), .install, .request(ids, latest: false), .release(2), .updateApp]
              + [.checkForUpdates]
          ),
          (
            [.release(1), .install, .request(ids, latest: false)],
            [.release(1), .install, .request(ids, latest: false), .release(2), .checkForUpdates]
          ),
        ]
        for (before, after) in histories {
          let (first, refused) = device(before, requesting: ids)
          let (second, failed) = device(after, requesting: ids)
          #expect(refused.isEmpty)
          lost.formUnion(failed.map(\.text))
          for path in paths where reads(path, first) && !reads(path, second) { lost.insert(path) }
        }
      }
      return lost
    }
  }

  private static func losses(_ old: Packs, _ new: Packs) -> Set<String> {
    let languages = (Array(old.values) + new.values).compactMap(\.tag).inOrder
    var lost: Set<String> = []
    for platform in Platform.allCases {
      for system in DeviceSystem.supported {
        for language in [nil] + languages.map(Optional.some) {
          var profile = DeviceProfile()
          profile.platform = platform
          profile.system = DeviceSystem(system)
          profile.languages = language.map { [$0] } ?? []
          lost.formUnion(App(old, new, on: profile).losses())
        }
      }
    }
    return lost
  }

  // MARK: Seeded pairs

  private static func pick<Value>(_ values: [Value], _ random: inout Seeded) -> Value {
    values[random.next(below: values.count)]
  }

  private static func model(_ random: inout Seeded) -> Model {
    let policies: [DownloadPolicy] = [
      .essential(Model.always), .essential([.firstInstallation]), .onDemand, .onDemand,
      .prefetch([.subsequentUpdate]), .prefetch(Model.always),
    ]
    var model = Model(
      pick(policies, &random), platforms: pick([[], [], [.iOS], [.macOS]], &random),
      language: pick([nil, nil, nil, "fr", "fr-CA", "zh-TW", "zh-Hant"], &random))
    for path in ["a", "b", "A", "d/a"] where random.next(below: 3) == 0 {
      model.files[path] = pick([1, 1, 2], &random)
    }
    return model
  }

  private static func packs(_ random: inout Seeded) -> Packs {
    var packs: Packs = [:]
    for id in ["p", "q", "r"] where random.next(below: 5) > 0 { packs[id] = model(&random) }
    return packs
  }

  /// Returns a release with few differences, so that breaks are neither certain nor rare.
  private static func changed(_ packs: Packs, _ random: inout Seeded) -> Packs {
    var packs = packs
    for _ in 0...random.next(below: 2) {
      let other = model(&random)
      let id = pick(["p", "q", "r", "s"], &random)
      let source = pick(["p", "q", "r"], &random)
      switch random.next(below: 9) {
      case 0: packs[id] = other
      case 1: packs[id] = nil
      case 2: packs[id]?.policy = other.policy
      case 3: packs[id]?.platforms = other.platforms
      case 4: packs[id]?.language = other.language
      case 5: packs[id]?.files.merge(other.files) { $1 }
      case 6: packs[id]?.files = other.files
      default:
        // A file moves, with or without an edit, and a copy may remain.
        guard let path = packs[source]?.files.keys.sorted().first else { continue }
        let byte = packs[source]?.files[path] ?? 1
        if packs[id] == nil { packs[id] = Model(other.policy) }
        if random.next(below: 3) > 0 { packs[source]?.files[path] = nil }
        packs[id]?.files[path] = random.next(below: 2) == 0 ? byte : 3
      }
    }
    return packs
  }

  @Test(.heavy, arguments: 1...10 as ClosedRange<UInt64>)
  func `diff reports a break exactly when a simulated app loses a path or pack`(seed: UInt64) throws
  {
    var random = Seeded(seed: seed)
    var counts = [false: 0, true: 0]
    for _ in 0..<10 {
      let old = Self.packs(&random)
      let new = Self.changed(old, &random)
      let lost = Self.losses(old, new)
      let breaks = try Self.breaks(old, new)
      counts[lost.isEmpty, default: 0] += 1
      #expect(
        lost.isEmpty == breaks.isEmpty, "\(old)\n-> \(new)\nlost \(lost.sorted()), says \(breaks)")
      // A reported path is lost, or may be the same file as a lost one.
      let forms = PathForms(on: .macOS)
      for found in try Self.comparison(old, new).breaks {
        guard let path = found.path else { continue }
        #expect(
          lost.contains { forms.areAlike(AssetPath(unchecked: $0.utf8), path) },
          "\(old)\n-> \(new)\n\(found)")
      }
    }
    #expect(counts.values.allSatisfy { $0 > 0 })
  }

  // MARK: Cases

  @Test func `an edited file that moves to an on-demand pack is missing at the launch`()
    throws
  {
    let old: Packs = ["tutorial": Model(["map": 1, "x": 1]), "extra": Model(.onDemand, ["y": 1])]
    var new = old
    new["tutorial"]?.files["map"] = nil
    new["extra"]?.files["map"] = 2
    #expect(try Self.breaks(old, new) == ["tutorial policy-weakened map"])
    #expect(Self.losses(old, new) == ["map"])
  }

  @Test func `a file removed from an essential pack is a break even if an on-demand pack has it`()
    throws
  {
    let old: Packs = [
      "base": Model(["map": 1, "x": 1]), "extra": Model(.onDemand, ["map": 1]),
    ]
    var new = old
    new["base"]?.files["map"] = nil
    #expect(try Self.breaks(old, new) == ["base policy-weakened map"])
    // A pack that becomes essential is downloaded when the app is updated.
    new["extra"]?.policy = .essential(Model.always)
    #expect(try Self.breaks(old, new) == ["base policy-weakened map"])
    // In another essential pack, the file exists as before.
    var both = old
    both["extra"]?.policy = .essential(Model.always)
    #expect(try Self.breaks(both, new) == [])
  }

  @Test(arguments: [
    DownloadPolicy.essential(BreakPropertyTests.Model.always),
    .prefetch(BreakPropertyTests.Model.always),
    .essential([.subsequentUpdate]),
  ])
  func `a file that moves to a new pack is missing until the app is updated`(
    policy: DownloadPolicy
  ) throws {
    let old: Packs = ["tutorial": Model(["map": 1, "x": 1])]
    let new: Packs = ["tutorial": Model(["x": 1]), "extra": Model(policy, ["map": 1])]
    let breaks = try Self.breaks(old, new)
    #expect(breaks.count == 1)
    #expect(
      breaks.first?.hasPrefix("tutorial policy-weakened map (now in extra, which ") == true,
      "\(breaks)")
    #expect(Self.losses(old, new) == ["map"])
    // An installed pack is updated with the others.
    let beside: Packs = old.merging(["extra": Model(["y": 1])]) { $1 }
    let moved: Packs = ["tutorial": Model(["x": 1]), "extra": Model(["y": 1, "map": 1])]
    #expect(try Self.breaks(beside, moved) == [])
    #expect(Self.losses(beside, moved) == [])
  }

  @Test func `a path that becomes ambiguous by manifests alone is reported`() throws {
    let platforms: (Packs, Packs) = (
      ["a": Model(platforms: [.iOS], ["x": 1]), "b": Model(platforms: [.macOS], ["x": 2])],
      ["a": Model(platforms: [.iOS], ["x": 1]), "b": Model(["x": 2])]
    )
    #expect(
      try Self.breaks(platforms.0, platforms.1) == ["b path-ambiguous x (also in a)"])
    let languages: (Packs, Packs) = (
      ["a": Model(language: "fr", ["x": 1]), "b": Model(language: "de", ["x": 2])],
      ["a": Model(language: "fr", ["x": 1]), "b": Model(["x": 2])]
    )
    #expect(
      try Self.breaks(languages.0, languages.1) == ["b path-ambiguous x (also in a)"])
    #expect(Self.losses(languages.0, languages.1) == ["x"])
  }

  @Test func `a pack of a new language makes a path ambiguous for an app that requested another`()
    throws
  {
    let old: Packs = ["voices-fr": Model(.onDemand, language: "fr", ["Voices/a.wav": 1])]
    var new = old
    new["voices-pt"] = Model(
      .prefetch(Model.always), language: "pt-BR", ["Voices/a.wav": 2])
    #expect(try Self.breaks(old, new) == ["voices-pt path-ambiguous Voices/a.wav"])
    #expect(Self.losses(old, new) == ["Voices/a.wav"])
    // The same file at the same path is not ambiguous.
    new["voices-pt"]?.files = ["Voices/a.wav": 1]
    #expect(try Self.breaks(old, new) == [])
    #expect(Self.losses(old, new) == [])
    // An app cannot request a pack before it exists: the request failed in the old release.
    new["voices-pt"] = Model(.onDemand, language: "pt-BR", ["Voices/a.wav": 2])
    #expect(try Self.breaks(old, new) == [])
    #expect(Self.losses(old, new) == [])
  }

  @Test func `another spelling of a language is not a break, and another language is`() throws {
    func packs(_ language: String?) -> Packs { ["v": Model(language: language, ["x": 1])] }
    #expect(try Self.breaks(packs("zh-TW"), packs("zh-Hant")) == [])
    // Devices in es-US get the pack for another region.
    #expect(try Self.breaks(packs("es-US"), packs("es-MX")) == [])
    #expect(try Self.breaks(packs("fr"), packs("de")) == ["v language-dropped (fr)"])
    #expect(try Self.breaks(packs(nil), packs("fr")) == ["v language-dropped (all but fr)"])
  }

  @Test func `paths that differ in case are ambiguous only on a Mac`() throws {
    func packs(_ platforms: [Platform], _ other: [String: UInt8]) -> Packs {
      [
        "a": Model(["Icon.png": 1]),
        "b": Model(platforms: platforms, ["y": 1].merging(other) { $1 }),
      ]
    }
    #expect(
      try Self.breaks(packs([], [:]), packs([], ["icon.png": 2])) == [
        "b path-ambiguous icon.png"
      ])
    #expect(try Self.breaks(packs([.iOS], [:]), packs([.iOS], ["icon.png": 2])) == [])
  }
}
