import BAPackKit

// Languages of the device and of the app.
extension Simulation {
  mutating func reportLanguage(_ rules: SemanticRule...) {
    guard state.profile.knowsLocalizedPacks else {
      let isMissingPacks = state.manifest?.packs.contains { [platform] pack in
        pack.offered.language != nil && pack.offered.isOffered(on: platform)
      }
      if isMissingPacks == true {
        emit(.noted(state.profile.noLocalizedPacks), .oldSystem)
      }
      return
    }
    guard let offered, !offered.languages.isEmpty || !rules.isEmpty else { return }
    let resolution = state.language
    emit(.language(resolution), [.oneLanguage] + resolution.rules + rules)
  }

  mutating func reconcile() {
    guard checkApp() else { return }
    _ = fetchManifest()
    guard state.profile.knowsLocalizedPacks, let offered else { return }
    reportLanguage(.reconcile)
    let resolved = language
    // The system downloads the same packs as a first installation.
    let plan = DownloadPlan(
      of: offered.packs.map(\.offered).filter { $0.language != nil }, on: device(.firstInstallation)
    )
    for group in [plan.beforeLaunch, plan.inBackground] {
      for pack in missing(group, in: offered) {
        _ = download(
          pack, .language, isRequested: false, [.reconcile, .reconcileOnDemand, .order])
      }
    }
    if !state.profile.follows(.reconcileOnDemand) {
      for pack in missing(plan.onRequest, in: offered) {
        _ = download(pack, .language, isRequested: false, [.reconcile, .reconcileOnDemand])
      }
    }
    for id in state.installedIDs {
      guard let own = state.installed[id], !own.pack.offered.language.serves(resolved) else {
        continue
      }
      if own.isRequested {
        emit(.present(id, version: own.pack.version), .reconcile)
      } else {
        state.remove(id)
        emit(.removed(id, version: own.pack.version, .language), .reconcile)
      }
    }
  }
}
