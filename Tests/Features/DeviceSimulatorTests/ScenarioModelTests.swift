import BAPackKit
import DeviceSimulator
import Faults
import SourceDiagnostics
import TestSupport
import Testing

/// Random scenarios, compared with a model that has the expected errors and steps without effect.
@Suite struct ScenarioModelTests {
  private static let ids = ["cave", "forest", "island", "tutorial", "late", "en", "es", "fr"]
  private static let languages = ["en": "en", "es": "es-US", "fr": "fr"]
  private static let tags = ["en", "es-MX", "es-US", "fr", "de"]
  /// The packs that contain the path `shared`.
  private static let sharing: Set = ["cave", "forest"]

  private func releases(_ random: inout Seeded) -> ([Release], DeviceModel) {
    var model = DeviceModel()
    var releases: [Release] = []
    for number in 0..<3 {
      var packs: [ReleasedPack] = []
      var known: [String: DeviceModel.Pack] = [:]
      for id in Self.ids {
        // The first release has all packs, so no ID is unknown.
        guard number == 0 || random.next(below: 5) > 0 else { continue }
        let events: [Set<InstallationEvent>] = [
          [.firstInstallation], [.subsequentUpdate], [.firstInstallation, .subsequentUpdate],
        ]
        let set = events[random.next(below: 3)]
        let policy: DownloadPolicy =
          [.essential(set), .prefetch(set), .onDemand][random.next(below: 3)]
        let size = UInt64(10 + random.next(below: 100))
        let version = 1 + random.next(below: number + 2)
        packs.append(
          Lantern.pack(
            PackID(id), policy, version: version, size: size, language: Self.languages[id],
            files: Self.sharing.contains(id) ? [id: size - 1, "shared": 1] : [id: size]))
        known[id] = DeviceModel.Pack(
          version: version, policy: policy, language: Self.languages[id], platforms: [], size: size)
      }
      releases.append(Release("r\(number)", packs))
      model.releases.append(known)
      model.order.append(packs.map(\.id.text))
    }
    return (releases, model)
  }

  /// The lines of a scenario, and the findings that the model expects.
  private struct Play {
    var model: DeviceModel
    var random: Seeded
    var profile = DeviceProfile()
    var lines: [String] = []
    /// The line numbers of the findings, by rule name.
    var findings: [String: Set<Int>] = [:]
    /// The effects of the last step that concerns packs.
    private var last: DeviceModel.StepEffects?
    private var installation: DeviceModel.StepEffects?
    private var isUpdated: Bool?
    /// The line of a failed installation that has no expectation yet.
    private var failedLine: Int?
    /// The packs that the previous step did not get, and its line.
    private var absent: (line: Int, ids: Set<String>)?

    init(_ model: DeviceModel, _ random: Seeded) {
      self.model = model
      self.random = random
    }

    private mutating func note(_ rule: String, _ line: Int? = nil) {
      findings["scenario." + rule, default: []].insert(line ?? lines.count)
    }

    private mutating func id() -> String {
      ScenarioModelTests.ids[random.next(below: ScenarioModelTests.ids.count)]
    }

    private mutating func tag() -> String {
      ScenarioModelTests.tags[random.next(below: ScenarioModelTests.tags.count)]
    }

    // MARK: Steps

    private mutating func settle() {
      if let absent, !absent.ids.isEmpty { note("absent", absent.line) }
      absent = nil
    }

    private mutating func play(_ text: String, _ step: Step) {
      settle()
      lines.append(text)
      let succeeded = model.play(step)
      let effects = model.effects
      switch step {
      case .install, .updateApp:
        if let failedLine { note("installation", failedLine) }
        failedLine = nil
        installation = effects
        if step == .updateApp { isUpdated = succeeded }
        if step == .install, effects.isIgnored {
          note("no-effect")
        } else if !succeeded {
          failedLine = lines.count
        } else {
          absent = (lines.count, effects.errors)
        }
        last = effects
      case .submit: if effects.isIgnored { note("no-effect") }
      case .device, .release, .online, .offline, .allow, .cancel, .fault, .refuse, .status: break
      case .read: if effects.isIgnored { note("no-effect") }
      case .launch, .request, .checkForUpdates, .deviceLanguage, .setLanguage, .reconcile, .remove,
        .uninstall, .wait:
        if effects.isIgnored { note("no-effect") }
        absent = (lines.count, step.isWaiting ? [] : effects.errors)
        last = effects
      }
    }

    mutating func step() throws {
      switch random.next(below: 22) {
      case 0, 1: play("install", .install)
      case 2, 3: play("update-app", .updateApp)
      case 4: play("launch", .launch)
      case 5, 6:
        let id = id()
        let isLatest = random.next(below: 3) == 0
        play("request \(id)\(isLatest ? " latest" : "")", .request([PackID(id)], latest: isLatest))
      case 7, 8: play("check-for-updates", .checkForUpdates)
      case 9, 10:
        let number = random.next(below: 3)
        play("release r\(number)", .release(number))
      case 11:
        let tag = tag()
        play("set-language \(tag)", .setLanguage(LanguageTag(tag)))
      case 12:
        let tag = tag()
        profile.languages = [tag].compactMap { LanguageTag($0) }
        play("device-language \(tag)", .deviceLanguage(profile.languages))
      case 13: play("reconcile", .reconcile)
      case 14:
        let id = id()
        if random.next(below: 4) == 0 { play("refuse \(id)", .refuse([PackID(id)])) }
      case 15:
        let id = id()
        play("remove \(id)", .remove([PackID(id)]))
      case 16: play("offline", .offline)
      case 17: play("online", .online)
      case 18:
        let subject = random.next(below: 4) == 0 ? "manifest" : id()
        let text = "\(subject): status 503" + ["", " once", " twice"][random.next(below: 3)]
        if random.next(below: 2) == 0 {
          play("fault " + text, .fault(try DownloadFault(parsing: text)))
        }
      case 19:
        let (text, hours) = [("12 hours", 12), ("1 day", 24), ("8 days", 192)][
          random.next(below: 3)]
        play("wait " + text, .wait(UInt64(hours) * 3_600_000))
      default: device()
      }
    }

    /// Adds a device line that changes one property.
    private mutating func device() {
      switch random.next(below: 3) {
      case 0:
        profile.free = UInt64(random.next(below: 900))
        play("device free \(profile.free ?? 0)", .device(profile))
      case 1:
        profile.system = DeviceSystem([26, 27, 27][random.next(below: 3)])
        profile.essentialFailure = EssentialFailure.allCases[random.next(below: 2)]
        play(
          "device \(profile.system) essential-failure \(profile.essentialFailure.rawValue)",
          .device(profile))
      default:
        let tag = tag()
        profile.primaryLanguage = LanguageTag(tag)
        play("device primary \(tag)", .device(profile))
      }
    }

    // MARK: Expectations

    /// Adds an expectation with the result `holds` on a device with the app.
    private mutating func expect(
      _ text: String, needsApp: Bool = true, needs effects: DeviceModel.StepEffects?? = .none,
      _ holds: Bool
    ) {
      lines.append("expect " + text)
      var isMet = holds
      if needsApp, !model.hasApp { isMet = false }
      if case .some(nil) = effects { isMet = false }
      if !isMet { note("expectation") }
    }

    mutating func expectation() {
      let isNegated = random.next(below: 3) == 0
      let not = isNegated ? "not " : ""
      let id = id()
      let have = model.have[id] != nil
      let size = UInt64(random.next(below: 200))
      switch random.next(below: 15) {
      case 0:
        if isNegated { failedLine = nil }
        expect("app \(not)installed", needsApp: false, model.hasApp != isNegated)
      case 1:
        if isNegated { failedLine = nil }
        expect(
          "app \(not)updated", needsApp: false, isUpdated.map { $0 != isNegated } ?? false)
      case 2:
        if isNegated { absent?.ids.remove(id) }
        expect("\(not)downloaded \(id)", have != isNegated)
      case 3:
        if isNegated { absent?.ids.remove(id) }
        let isSo = last?.downloads.contains { $0.id == id && $0.isUpdate } ?? false
        expect("\(not)updated \(id)", needs: last, isSo != isNegated)
      case 4:
        let isSo = last?.removed.contains(id) ?? false
        expect("\(not)removed \(id)", needs: last, (isSo && !have) != isNegated)
      case 5:
        let isSo = model.known != nil && have && model.offer(id) == nil
        expect("\(not)obsolete \(id)", isSo != isNegated)
      case 6:
        if !isNegated { absent?.ids.remove(id) }
        let isSo = last?.failed.contains(id) ?? false
        expect("\(not)failed \(id)", needsApp: isNegated, needs: last, isSo != isNegated)
      case 7: expect("\(not)readable \(id)", have != isNegated)
      case 8: expect("\(not)missing \(id)", have == isNegated)
      case 9:
        let owners = ScenarioModelTests.sharing.filter { model.have[$0] != nil }
        expect("\(not)ambiguous shared", (owners.count > 1) != isNegated)
      case 10:
        let wanted = ["en", "es-US", "fr", "none"][random.next(below: 4)]
        expect("\(not)language \(wanted)", ((model.language ?? "none") == wanted) != isNegated)
      case 11:
        expect("\(not)disk <= \(size)", (model.used <= size) != isNegated)
      case 12:
        let cost = last?.downloads.reduce(UInt64(0)) { $0 + $1.size } ?? 0
        expect("\(not)cost >= \(size)", needs: last, (cost >= size) != isNegated)
      case 13: self.size(of: "essential", not, isNegated, size)
      default: self.size(of: "prefetch", not, isNegated, size)
      }
    }

    private mutating func size(
      of what: String, _ not: String, _ isNegated: Bool, _ bound: UInt64
    ) {
      let size = (installation?.downloads ?? []).filter { $0.policy.name == what }
        .reduce(UInt64(0)) { $0 + $1.size }
      expect("\(not)\(what) < \(bound)", needs: installation, (size < bound) != isNegated)
    }

    mutating func finish() {
      settle()
      if let failedLine { note("installation", failedLine) }
    }
  }

  private func play(seed: UInt64) throws {
    var random = Seeded(seed: seed)
    let (releases, model) = releases(&random)
    var play = Play(model, random)
    while play.lines.count < 60 {
      if play.random.next(below: 3) == 0 { play.expectation() } else { try play.step() }
    }
    play.finish()
    let text = play.lines.joined(separator: "\n")
    let document = ScenarioDocument(parsing: Array(text.utf8), named: "s")
    let named = document.releases.compactMap { source in
      releases.first { $0.name == source.paths[0] }
    }
    let run = ScenarioRun(
      document, from: DeviceState(), in: ReleaseSource(named),
      releases: named)
    var found: [String: Set<Int>] = [:]
    for finding in run.findings {
      let line = finding.span.map { document.source.position(of: $0.start).line } ?? 0
      found[finding.id.name, default: []].insert(line)
    }
    // A pack that is in no release of this scenario is not reported at a step.
    let unknown = found.removeValue(forKey: "scenario.unknown-pack") ?? []
    let names = Set(found.keys).union(play.findings.keys)
    for name in names where name != "scenario.absent" || unknown.isEmpty {
      try #require(
        found[name] ?? [] == play.findings[name] ?? [], "seed \(seed), \(name):\n\(numbered(text))")
    }
    // Each error is in both reports.
    let errors = run.findings.count(.error)
    try #require(
      ScenarioRun.junit(of: [run]).text.contains(
        errors == 0 ? "failures=\"0\" errors=\"0\"" : "message="))
  }

  private func numbered(_ text: String) -> String {
    text.split(separator: "\n").enumerated().map { "\($0 + 1) \($1)" }.joined(separator: "\n")
  }

  @Test func `a scenario fails at the same lines as the model`() throws {
    for seed in 0..<UInt64(40) { try play(seed: seed) }
  }

  @Test(.heavy) func `1000 scenarios of 60 lines fail at the same lines as the model`()
    throws
  {
    for seed in 1000..<UInt64(2000) { try play(seed: seed) }
  }
}

extension Step {
  /// Whether only time passes.
  fileprivate var isWaiting: Bool { if case .wait = self { true } else { false } }
}
