import AssetServer
import BAPackKit
import SourceDiagnostics

/// What a played scenario shows besides its expectations: packs and files that steps did not get, packs
/// that no release has, releases that cannot be read.
///
/// A failure that the scenario arranges (a fault, a full disk, no network) is not reported, and neither is
/// one that it expects.
struct ScenarioAudit {
  private let scenario: ScenarioDocument
  /// The IDs of all packs that some release has.
  private var known: Set<PackID>
  /// Whether there is anything that IDs can be compared with.
  private let knowsReleases: Bool
  /// The releases on servers.
  private let remote: Set<Int>
  /// Those of them that were not read so far.
  private var unread: Set<Int>
  /// Why a release on a server could not be read.
  private var troubles: [Int: String] = [:]
  /// The releases that were read, or whose trouble is a failed installation, which has its own report.
  private var covered: Set<Int> = []
  /// What could not be done because a release could not be read.
  private var delayed: [(release: Int, finding: Finding)] = []
  /// What steps did not get, and the pack that it is about.
  private var absences: [(pack: PackID?, finding: Finding)] = []
  /// The packs that were removed, where that happened, and what was in them.
  private var removed: [PackID: (span: SourceSpan, contents: PackContents?)] = [:]

  /// Begins with the device as it is before the first line; `remote` has the releases on servers.
  init(
    _ scenario: ScenarioDocument, from state: DeviceState, releases: [Release], remote: Set<Int>
  ) {
    self.scenario = scenario
    known = Set(releases.flatMap { $0.packs.map(\.id) })
    known.formUnion(state.manifest?.packs.map(\.id) ?? [])
    known.formUnion(state.installedIDs)
    knowsReleases = !releases.isEmpty || state.manifest != nil
    self.remote = remote
    unread = remote
  }

  // MARK: Steps

  /// Notes what the step at a line did; `failed` says that it installed or updated no app.
  mutating func note(
    _ index: Int, _ before: DeviceState, _ after: DeviceState, _ events: [Event], failed: Bool
  ) {
    let line = scenario.lines[index]
    for event in events {
      switch event.kind {
      case .manifest: after.server.map { noteManifest($0, after) }
      case .manifestFailed(let reason):
        guard let release = after.server, before.isOnline,
          before.strikes(of: "") == after.strikes(of: "")
        else { break }
        troubles[release] = troubles[release] ?? reason
        if failed {
          covered.insert(release)
        } else {
          delayed.append(
            (release, ScenarioRules.noEffect(.init(whole: "no manifest: " + reason), at: line.span))
          )
        }
      case .failed(let id, let reason):
        let isReal =
          switch reason {
          case .unknownPack, .notInstalled, .obsolete: true
          case .trouble: before.strikes(of: id) == after.strikes(of: id)
          case .offline, .noRoom, .refused: false
          }
        if isReal, !failed, !scenario.expectsFailure(of: id, after: index) {
          let span = line.packs.first { $0.id == id }?.span ?? line.span
          let message: Finding.Message = "'\(id.text)': " + .init(whole: reason.words)
          absences.append((id, ScenarioRules.absent(message, at: span)))
        }
      case .found(let path, let answer): noteSearch(path, answer, index, after)
      case .removed(let id, _, _):
        removed[id] = (line.span, before.installed[id]?.pack.contents)
      case .downloaded(let download): removed[download.id] = nil
      case .language, .present, .olderOnServer, .obsolete, .waiting, .appReady, .appFailed,
        .launched, .status, .polled, .pollingEnded, .localLanguages, .disk, .ignored, .noted:
        break
      }
    }
  }

  private mutating func noteManifest(_ release: Int, _ state: DeviceState) {
    guard remote.contains(release) else { return }
    unread.remove(release)
    covered.insert(release)
    known.formUnion(state.manifest?.packs.map(\.id) ?? [])
  }

  /// Notes a file that a search does not find because its pack was removed, or because no pack has it.
  private mutating func noteSearch(
    _ path: String, _ answer: Event.Answer, _ index: Int, _ state: DeviceState
  ) {
    let bytes = Array(path.utf8)
    let pack: PackID?
    switch answer {
    case .noPack(let id) where removed[id] != nil: pack = id
    case .missing:
      pack = removed.keys.sorted().first { removed[$0]?.contents?.index(of: bytes) != nil }
      let isElsewhere = state.manifest?.packs.contains { offered in
        let contents = state.installed[offered.id]?.pack.contents ?? offered.contents
        return contents.map { $0.index(of: bytes) != nil } ?? true
      }
      if pack == nil, isElsewhere ?? true { return }
    case .readable, .ambiguous, .folder, .noPack, .notKnown: return
    }
    guard !scenario.expects(path, after: index) else { return }
    let label = pack.flatMap { id in
      removed[id].map { Finding.Label($0.span, "'\(id.text)' is removed here") }
    }
    absences.append(
      (
        pack,
        ScenarioRules.absent(
          .init(whole: answer.words(path)), at: scenario.lines[index].span,
          labels: label.map { [$0] } ?? [])
      ))
  }

  // MARK: The end

  /// Adds what was found; a release on a server that no step requested is requested now.
  mutating func finish(_ state: DeviceState, in world: World, _ findings: inout Ledger) {
    for release in unread.sorted() where troubles[release] == nil {
      guard scenario.releases.indices.contains(release),
        scenario.releases[release].span != nil
      else { continue }
      switch world.manifest(release, state.profile.platform) {
      case .success(let manifest):
        unread.remove(release)
        known.formUnion(manifest.packs.map(\.id))
      case .failure(let trouble): troubles[release] = trouble.reason
      }
    }
    for (release, reason) in troubles.sorted(by: { $0.key < $1.key })
    where !covered.contains(release) {
      let span = scenario.releases.indices.contains(release) ? scenario.releases[release].span : nil
      findings.add(ScenarioRules.release(.init(whole: reason), at: span))
    }
    for (release, finding) in delayed where covered.contains(release) { findings.add(finding) }
    let unknown = unknownPacks(&findings)
    for (pack, finding) in absences where pack.map({ !unknown.contains($0) }) ?? true {
      findings.add(finding)
    }
  }

  /// Reports the packs that no release has; none where a release could not be read.
  private func unknownPacks(_ findings: inout Ledger) -> Set<PackID> {
    guard knowsReleases, unread.isEmpty else { return [] }
    var unknown: Set<PackID> = []
    for line in scenario.lines {
      for pack in line.packs where !known.contains(pack.id) {
        guard unknown.insert(pack.id).inserted else { continue }
        findings.add(ScenarioRules.unknownPack(pack.id, of: known.sorted(), at: pack.span))
      }
      guard case .step(.fault(let fault)) = line.action, !fault.concerns(.manifest),
        !known.contains(where: { fault.concerns(.pack($0.text)) })
      else { continue }
      findings.add(ScenarioRules.unknownPack(fitting: fault.subject, at: line.span))
    }
    return unknown
  }
}

extension DeviceState {
  /// How often faults have happened to a pack so far; to the manifest, where the ID is empty.
  fileprivate func strikes(of id: PackID) -> Int {
    faults.reduce(0) { $0 + ($1.strikes[id] ?? 0) }
  }
}

// MARK: - What a scenario expects of its steps

extension ScenarioDocument {
  /// Whether it expects that an installation or update of the app at a line fails.
  func expectsNoApp(after index: Int) -> Bool {
    for line in lines[(index + 1)...] {
      switch line.action {
      case .step(.install), .step(.updateApp): return false
      case .step: break
      case .expect(let expectation):
        if expectation.isNegated, expectation.subject.isOfApp { return true }
      }
    }
    return false
  }

  /// The expectations between a step and the next one.
  private func expectations(after index: Int) -> some Sequence<Expectation> {
    lines[(index + 1)...].lazy.map { line in
      if case .expect(let expectation) = line.action { expectation } else { nil }
    }.prefix { $0 != nil }.compactMap { $0 }
  }

  /// Whether it expects that a pack fails in the step at a line.
  fileprivate func expectsFailure(of id: PackID, after index: Int) -> Bool {
    expectations(after: index).contains {
      if case .failed(let ids) = $0.subject { !$0.isNegated && ids.contains(id) } else { false }
    }
  }

  /// Whether it expects something of a path after the step at a line.
  fileprivate func expects(_ path: String, after index: Int) -> Bool {
    expectations(after: index).contains {
      $0.subject.search?.path == path
    }
  }
}
