import BAPackKit
import Faults
import SourceDiagnostics

/// The findings of a run of a scenario in addition to failed expectations.
///
/// They are packs and files that steps did not get, packs that no release has, and releases that
/// cannot be read. Failures that the scenario expects are not reported.
struct ScenarioAudit {
  private let scenario: ScenarioDocument
  /// The IDs of the packs of all releases.
  private var known: Set<PackID>
  /// Whether there are releases with which IDs can be compared.
  private let hasReleases: Bool
  /// The releases that are on servers, or that cannot be read.
  private let remote: Set<Int>
  /// Those of them that were not read yet.
  private var unread: Set<Int>
  /// The reasons why releases could not be read.
  private var failures: [Int: String] = [:]
  /// The releases that need no further report.
  ///
  /// They were read, or caused a failed installation, which is reported separately.
  private var covered: Set<Int> = []
  /// The findings of steps that failed because a release could not be read.
  private var delayed: [(release: Int, finding: Finding)] = []
  /// The findings of packs and files that steps did not get, with the pack.
  private var absences: [(pack: PackID?, finding: Finding)] = []
  /// The removed packs, with the place of the removal and their contents.
  private var removed: [PackID: (span: SourceSpan, contents: PackContents?)] = [:]

  /// Starts with the device before the first line; `unread` contains the releases that are on
  /// servers, or that cannot be read.
  init(
    _ scenario: ScenarioDocument, from state: DeviceState, releases: [Release], unread: Set<Int>
  ) {
    self.scenario = scenario
    known = Set(releases.flatMap { $0.packs.map(\.id) })
    known.formUnion(state.manifest?.packs.map(\.id) ?? [])
    known.formUnion(state.installedIDs)
    hasReleases = !releases.isEmpty || state.manifest != nil
    remote = unread
    self.unread = unread
  }

  // MARK: Steps

  /// Records the events of the step at a line.
  ///
  /// `failed` is true if the step should install or update the app and did not.
  mutating func note(
    _ index: Int, _ before: DeviceState, _ after: DeviceState, _ events: [Event], failed: Bool
  ) {
    let line = scenario.lines[index]
    for event in events {
      switch event.kind {
      case .manifest: after.server.map { noteManifest($0, after) }
      case .manifestFailed(let reason):
        guard let release = after.server, before.isOnline,
          before.faults.strikes(on: .manifest) == after.faults.strikes(on: .manifest)
        else { break }
        failures[release] = failures[release] ?? reason
        if failed {
          covered.insert(release)
        } else {
          delayed.append(
            (release, ScenarioRules.noEffect(.init(whole: "no manifest: " + reason), at: line.span))
          )
        }
      case .failed(let id, let reason):
        let isFailure =
          switch reason {
          // A check by the system is not a step of the app. Failures that the scenario
          // causes are no errors.
          case .trouble where line.isWaiting:
            before.faults.strikes(on: .pack(id.text)) == after.faults.strikes(on: .pack(id.text))
          case .unknownPack, .notOffered, .notInstalled, .obsolete, .trouble, .offline, .noRoom,
            .cancelled:
            !line.isWaiting
          case .refused, .disallowed: false
          }
        if isFailure, !failed, !scenario.expectsFailure(of: id, after: index) {
          let span = line.packs.first { $0.id == id }?.span ?? line.span
          let message: Finding.Message = "'\(id.text)': " + .init(whole: reason.phrase)
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

  /// Records a file that a search does not find.
  ///
  /// The reason is that its pack was removed, or that no pack has the file.
  private mutating func noteSearch(
    _ path: String, _ answer: Event.ReadResult, _ index: Int, _ state: DeviceState
  ) {
    let asset = AssetPath(unchecked: path.utf8)
    let pack: PackID?
    switch answer {
    case .noPack(let id) where removed[id] != nil: pack = id
    case .missing:
      pack = removed.keys.sorted().first { removed[$0]?.contents?.index(of: asset) != nil }
      let isElsewhere = state.manifest?.packs.contains { offered in
        let contents = state.installed[offered.id]?.pack.contents ?? offered.contents
        return contents.map { $0.index(of: asset) != nil } ?? true
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
          .init(whole: answer.phrase(path)), at: scenario.lines[index].span,
          labels: label.map { [$0] } ?? [])
      ))
  }

  // MARK: The end

  /// Adds the findings, after requesting the unread releases that no step requested.
  mutating func finish(_ state: DeviceState, in source: ReleaseSource, _ findings: inout Ledger) {
    for release in unread.sorted() where failures[release] == nil {
      guard scenario.releases.indices.contains(release),
        scenario.releases[release].span != nil
      else { continue }
      switch source.manifest(release, state.profile.platform) {
      case .success(let manifest):
        unread.remove(release)
        known.formUnion(manifest.packs.map(\.id))
      case .failure(let trouble): failures[release] = trouble.reason
      }
    }
    for (release, reason) in failures.sorted(by: { $0.key < $1.key })
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

  /// Reports and returns the packs that no release has; none if a release could not be read.
  private func unknownPacks(_ findings: inout Ledger) -> Set<PackID> {
    guard hasReleases, unread.isEmpty else { return [] }
    var unknown: Set<PackID> = []
    for line in scenario.lines {
      for pack in line.packs where !known.contains(pack.id) {
        guard unknown.insert(pack.id).inserted else { continue }
        findings.add(ScenarioRules.unknownPack(pack.id, of: known.sorted(), at: pack.span))
      }
      guard case .step(.fault(let fault)) = line.action, !fault.applies(to: .manifest),
        !known.contains(where: { fault.applies(to: .pack($0.text)) })
      else { continue }
      findings.add(ScenarioRules.unknownPack(fitting: fault.subject.description, at: line.span))
    }
    return unknown
  }
}

// MARK: - Expectations of steps

extension ScenarioDocument.Line {
  /// Whether only time passes, during which the system may check for updates.
  fileprivate var isWaiting: Bool {
    if case .step(.wait) = action { true } else { false }
  }
}

extension ScenarioDocument {
  /// Returns whether the scenario expects the installation or update of the app at a line to fail.
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

  /// Returns the expectations between a step and the next step.
  private func expectations(after index: Int) -> some Sequence<Expectation> {
    lines[(index + 1)...].lazy.map { line in
      if case .expect(let expectation) = line.action { expectation } else { nil }
    }.prefix { $0 != nil }.compactMap { $0 }
  }

  /// Returns whether the scenario expects a pack to fail in the step at a line.
  fileprivate func expectsFailure(of id: PackID, after index: Int) -> Bool {
    expectations(after: index).contains {
      switch $0.subject {
      case .failed(let ids): !$0.isNegated && ids.contains(id)
      case .downloaded(let ids), .updated(let ids): $0.isNegated && ids.contains(id)
      case .absent(let text): !$0.isNegated && text == id.text
      case .appInstalled, .appUpdated, .removed, .obsolete, .readable, .missing, .ambiguous,
        .language, .essential, .prefetch, .cost, .disk:
        false
      }
    }
  }

  /// Returns whether the scenario has an expectation of a path after the step at a line.
  fileprivate func expects(_ path: String, after index: Int) -> Bool {
    expectations(after: index).contains {
      $0.subject.search?.path == path
    }
  }
}
