package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The packs of an app.
package struct AppPacks: Sendable {
  /// The archives.
  package var outlines: [PackOutline] = []
  /// The download manifest of a server; nil if none was specified.
  package var manifest: DownloadManifestDocument?

  package init() {}

  /// The IDs and paths of the packs.
  package var paths: PackPaths { PackPaths(outlines.map { ($0.id.text, $0.contents) }) }

  var plan: DownloadPlan { DownloadPlan(ofAll: outlines.map(\.offered)) }
}

/// The checks of a built app, and their findings.
package struct AppCheck: Sendable {
  package let product: AppProduct
  /// The hosting; nil for an app without packs.
  package let hosting: AppHosting?
  /// The downloader extensions.
  package let downloaders: [AppProduct.Extension]
  package private(set) var findings = Ledger()
  /// The checks that were not possible, as sentences.
  package private(set) var omissions: [String] = []
  private let packs: AppPacks?

  private var app: CodeBundle { product.app }
  /// The folder name of the app.
  private var appName: String {
    (app.folder.bytes.isEmpty ? product.tree.path : app.folder).name.shown
  }

  /// Checks an app; without packs, some checks are omitted.
  package init(
    _ product: AppProduct, packs: AppPacks?, hosting declared: Hosting?, _ work: Work
  ) throws(PackError) {
    self.product = product
    self.packs = packs
    downloaders = product.extensions.filter { each in
      KeyCheck.isDownloader(each.bundle.info) || each.bundle.program?.protocols.isEmpty == false
    }
    let protocols = downloaders.reduce(into: Set<DownloaderProtocol>()) {
      $0.formUnion($1.bundle.program?.protocols ?? [])
    }
    hosting = product.app.info.flatMap {
      AppHosting(of: $0, protocols, declared: declared)
    }
    for bundle in [app] + downloaders.map(\.bundle) { reportDamages(of: bundle) }
    checkKeys()
    checkExtensions()
    checkSignatures()
    checkSystems()
    checkLibraries()
    checkOnDemandResources()
    if let packs {
      checkPacks(packs)
      try checkSameBytes(packs, work)
    } else {
      omissions.append("without packs: platforms, languages, sizes, equal files, and paths")
    }
    noteOmissions()
  }

  /// Opens the page of a bundle's property list, or of its program.
  private mutating func turn(to bundle: CodeBundle, program: Bool = false) {
    if !program, let info = bundle.info { return findings.turn(to: info.source) }
    turn(to: program ? bundle.programPath : bundle.folder)
  }

  private mutating func turn(to path: FilePath) {
    findings.turn(to: SourceText([], named: product.tree.path.appending(path).text))
  }

  private mutating func reportDamages(of bundle: CodeBundle) {
    for damage in bundle.damages {
      turn(to: damage.file)
      switch damage.part {
      case .propertyList: findings.add(AppKeyRules.propertyList(damage.reason))
      case .program: findings.add(AppSignatureRules.program(damage.reason))
      case .profile: findings.add(AppSignatureRules.profile(damage.reason))
      }
    }
  }

  // MARK: Keys and extensions

  private var keyCheck: KeyCheck {
    KeyCheck(isMac: app.isDeep, team: app.program?.signature?.team)
  }

  private mutating func checkKeys() {
    guard let info = app.info else { return }
    if let manifest = packs?.manifest, hosting == .selfHosted {
      var check = DownloadManifestCheck(manifest)
      let document = InfoPlistDocument(parsing: info.source.bytes, named: info.source.name)
      check.plist = document
      var own = check.findings()
      own.revise(KeyCheck.addAnswer)
      findings.add(contentsOf: own)
      // A download manifest has no unpacked sizes.
      var sizes = Ledger()
      document.check(against: packs?.plan ?? DownloadPlan(ofAll: []), allowingHTTP: false, &sizes)
      let known = Set(own.map(\.message))
      for finding in sizes
      where finding.id.name == "download.allowance" && !known.contains(finding.message) {
        findings.add(finding, about: info.source)
      }
    } else {
      keyCheck.check(
        app: info, hosting, against: packs?.plan ?? DownloadPlan(ofAll: []), &findings)
      if hosting == .selfHosted { omissions.append("hosts of packs, without a download manifest") }
    }
  }

  private mutating func checkExtensions() {
    guard hosting != nil else { return }
    turn(to: app)
    if downloaders.isEmpty {
      findings.add(AppExtensionRules.noExtension(of: appName))
    }
    if downloaders.count > 1 {
      findings.add(
        AppExtensionRules.severalExtensions(downloaders.map(\.bundle.folder.name.shown)))
    }
    for each in downloaders {
      let bundle = each.bundle
      if each.place != "Extensions" {
        turn(to: bundle.folder)
        findings.add(AppExtensionRules.place(each.place))
      }
      guard let list = bundle.info else { continue }
      keyCheck.check(extension: list, of: app.info, isDeep: bundle.isDeep, &findings)
      checkEntry(bundle, list)
    }
  }

  /// Checks how the system starts an extension.
  private mutating func checkEntry(_ bundle: CodeBundle, _ list: InfoList) {
    guard let program = bundle.program, let hosting else { return }
    let keys = ["EXPrincipalClass", "EXExtensionPrincipalClass"]
    let attributes = list["EXAppExtensionAttributes"]
    let key = keys.first { attributes?[$0] != nil || list[$0] != nil }
    findings.turn(to: list.source)
    if let key, program.hasSwiftEntry {
      let span = list.span(of: key) ?? list.span(of: "EXAppExtensionAttributes")
      findings.add(AppExtensionRules.principalClass(key, at: span))
    }
    turn(to: bundle, program: true)
    if key == nil, !program.hasSwiftEntry {
      findings.add(AppExtensionRules.noEntry(of: bundle.programPath.name.shown))
    }
    let wanted = hosting.downloader
    if !program.isEncrypted, !program.protocols.contains(wanted) {
      let found = DownloaderProtocol.allCases.first { program.protocols.contains($0) }
      findings.add(AppExtensionRules.hosting(wanted, found: found))
    }
  }

  // MARK: Signatures

  private mutating func checkSignatures() {
    guard let program = app.program else { return }
    if program.signature == nil {
      turn(to: app, program: true)
      findings.add(AppSignatureRules.unsigned(isOnlyExtension: false))
    } else {
      checkSignature(of: app)
    }
    for each in downloaders {
      guard let own = each.bundle.program else { continue }
      if own.signature != nil {
        checkSignature(of: each.bundle)
      } else if program.signature != nil {
        turn(to: each.bundle, program: true)
        findings.add(AppSignatureRules.unsigned(isOnlyExtension: true))
      }
    }
  }

  private mutating func checkSignature(of bundle: CodeBundle) {
    guard let program = bundle.program, let signature = program.signature else { return }
    turn(to: bundle, program: true)
    let isApp = bundle.folder == app.folder
    let team = app.program?.signature?.team
    if !program.isForSimulator {
      if signature.team == nil {
        findings.add(AppSignatureRules.team(isAdHoc: signature.isAdHoc))
      } else if let own = signature.team, let team, own != team {
        findings.add(AppSignatureRules.team(own, app: team))
      }
    }
    let entitlements = bundle.entitlements
    let group = app.info?.string(InfoPlist.Key.appGroupID)
    if let group, !bundle.groups.contains(group) {
      findings.add(AppSignatureRules.group(group, has: bundle.groups))
    }
    if signature.team != nil, entitlements?["com.apple.developer.team-identifier"] == nil {
      findings.add(AppSignatureRules.teamEntitlement(of: bundle.programPath.name.shown))
    }
    if hosting == .unmanaged, bundle.isDeep,
      entitlements?["com.apple.security.app-sandbox"]?.kind != .bool(true)
    {
      findings.add(AppSignatureRules.sandbox(of: bundle.programPath.name.shown))
    }
    let key = (bundle.isDeep ? "com.apple." : "") + "application-identifier"
    guard let profile = bundle.profile else {
      if !isApp, app.profile != nil {
        let name = bundle.profilePath.name.shown
        findings.add(AppSignatureRules.applicationID(withoutProfile: name))
      }
      return
    }
    let identifier = profile.entitlements.string(key)
    if identifier != nil, entitlements?[key] == nil {
      findings.add(AppSignatureRules.applicationID(missing: key))
    }
    let groups = profile.entitlements["com.apple.security.application-groups"]?.texts ?? []
    // On macOS, a group with the ID of the team needs no profile.
    if let group, group.hasPrefix("group.") || !bundle.isDeep,
      !groups.contains(where: { $0.text == group })
    {
      turn(to: bundle.profilePath)
      findings.add(
        AppSignatureRules.profileGroup(
          group, profile.name, isWildcard: identifier?.hasSuffix("*") ?? false))
    }
  }

  // MARK: Systems

  private mutating func checkSystems() {
    for bundle in [app] + downloaders.map(\.bundle) {
      // The versions of Catalyst in the list are those of macOS.
      guard let system = bundle.program?.systems.first, system.platform != 6,
        let minimum = bundle.minimumSystem, minimum != system.minimum
      else { continue }
      turn(to: bundle)
      let key = bundle.isDeep ? "LSMinimumSystemVersion" : "MinimumOSVersion"
      findings.add(
        AppSystemRules.minimumSystem(
          minimum, program: system.minimum, at: bundle.info?.span(of: key)))
    }
    if let number = app.program?.systems.first?.platform, [4, 5, 9, 10].contains(number) {
      turn(to: app, program: true)
      findings.add(AppSystemRules.platform(app.platformName ?? "another platform"))
    }
    guard let hosting else { return }
    for bundle in downloaders.map(\.bundle) {
      guard let system = bundle.program?.systems.first else { continue }
      let needed = hosting.firstSystem(on: system.platform)
      guard let needed, system.minimum < needed else { continue }
      turn(to: bundle)
      findings.add(
        AppSystemRules.extensionSystem(
          system.minimum, needs: needed, at: bundle.info?.span(of: "MinimumOSVersion")))
    }
  }

  private mutating func checkLibraries() {
    guard let program = app.program, hosting != nil else { return }
    let all = [(app.programPath, program)] + product.libraries.map { ($0.key, $0.value) }
    let linked = all.flatMap { path, program in
      program.libraries.filter { $0.path.contains("/BackgroundAssets.framework/") }
        .map { (path: path, isWeak: $0.isWeak) }
    }
    turn(to: app, program: true)
    if linked.isEmpty { findings.add(AppSystemRules.noLink(of: app.programPath.name.shown)) }
    guard hosting != .unmanaged, let system = program.systems.first,
      system.minimum < SystemVersion(26), ![6, 4].contains(system.platform)
    else { return }
    let strong = linked.filter { !$0.isWeak }.map(\.path)
    for path in strong.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      findings.add(AppSystemRules.strongLink(path.shown, minimum: system.minimum))
    }
  }

  // MARK: Contents

  private mutating func checkOnDemandResources() {
    let depth = app.folder.components.count
    var found: Set<String> = []
    for file in product.tree.sizes.keys {
      let names = file.components.dropFirst(depth)
      guard let first = names.first,
        file.components.prefix(depth).elementsEqual(
          app.folder.components)
      else { continue }
      let name = FilePath(file.name.bytes).text
      if first == "OnDemandResources" {
        found.insert("OnDemandResources")
      } else if name == "OnDemandResources.plist"
        || name.hasPrefix("AssetPackManifest") && name.hasSuffix(".plist")
      {
        found.insert(FilePath(joining: names).text)
      }
    }
    let usesClass =
      app.program?.usesOnDemandResources == true
      || product.libraries.values.contains(where: \.usesOnDemandResources)
    guard !found.isEmpty || usesClass else { return }
    turn(to: app.folder)
    findings.add(AppContentRules.onDemandResources(found.sorted(), usesClass: usesClass))
  }

  private mutating func checkPacks(_ packs: AppPacks) {
    turn(to: app)
    let offered = packs.outlines.map(\.offered)
    if let platform = app.platform {
      let others = offered.filter { !$0.isOffered(on: platform) }.map(\.id.text)
      if !others.isEmpty {
        findings.add(
          AppSystemRules.packPlatform(
            others, platform.rawValue, isAll: others.count == offered.count))
      }
    }
    let localized = offered.filter { $0.language != nil }.map(\.id.text)
    if let system = app.program?.systems.first, !localized.isEmpty,
      system.minimum < SystemVersion(UInt32(Device.firstSystemWithLocalizedPacks)),
      system.platform != 6
    {
      findings.add(
        AppSystemRules.localizedPacks(
          localized, minimum: system.minimum, at: app.info?.span(of: "MinimumOSVersion")))
    }
  }

  /// Compares the files of the app with those of the packs; only files of equal size are read.
  private mutating func checkSameBytes(_ packs: AppPacks, _ work: Work) throws(PackError) {
    let equal = try EqualFiles(in: product, packs.outlines, work)
    guard !equal.files.isEmpty else { return }
    turn(to: app.folder)
    findings.add(AppContentRules.sameBytes(equal.files, size: equal.size, in: equal.packs))
  }

  // MARK: Omissions

  private mutating func noteOmissions() {
    let bundles = [app] + downloaders.map(\.bundle)
    for bundle in bundles {
      let name = bundle.programPath.name.shown
      if bundle.program?.isEncrypted == true {
        omissions.append("texts of '\(name)', which the App Store encrypted")
      }
      if bundle.program?.isDebugInformation == true {
        omissions.append("code of '\(name)', which has only debug information")
      }
      for path in bundle.unread {
        omissions.append("'\(path.shown)', which is too large or damaged")
      }
      if bundle.isDebugBuild || bundle.entitlements?["get-task-allow"]?.kind == .bool(true) {
        omissions.append("signature for distribution of '\(name)', which is a debug build")
      }
      if bundle.program?.isForSimulator == true {
        omissions.append("team and profile of '\(name)', which is for a simulator")
      }
    }
    if bundles.allSatisfy({ $0.profile == nil }), app.program?.signature != nil {
      omissions.append("profiles: the app has none, as after a download from the App Store")
    }
    for (path, program) in product.libraries.sorted(by: { $0.key.text < $1.key.text })
    where program.isEncrypted {
      omissions.append("texts of '\(path.name.shown)', which the App Store encrypted")
    }
    omissions += product.unsearched
  }
}

extension CodeBundle {
  /// The names of the platforms, by their numbers in programs.
  private static let platforms: [UInt32: String] = [
    1: "macOS", 2: "iOS", 3: "tvOS", 4: "watchOS", 6: "Mac Catalyst", 7: "iOS Simulator",
    8: "tvOS Simulator", 9: "watchOS Simulator", 11: "visionOS", 12: "visionOS Simulator",
  ]

  /// The name of the program's platform; nil if it is unknown.
  package var platformName: String? {
    program?.systems.first.flatMap { Self.platforms[$0.platform] }
  }

  /// The platform of the program; nil if packs cannot name it.
  var platform: Platform? {
    switch program?.systems.first?.platform {
    case 1: .macOS
    case 2, 7: .iOS
    case 3, 8: .tvOS
    case 11, 12: .visionOS
    default: nil
    }
  }
}
