package import BAPackKit
import SystemIO

/// The scenario of a device that installs the app for the first time.
package struct FirstLaunch {
  /// The text of the scenario.
  package private(set) var bytes: [UInt8] = []
  private let packs: [Pack]
  private let platform: Platform

  private static let width = 100
  /// The smallest free space of the device in bytes.
  private static let leastSpace: UInt64 = 4_000_000_000

  /// A pack, and the path of one of its files.
  package struct Pack: Sendable {
    package var offered: OfferedPack
    package var path: String?

    package init(_ offered: OfferedPack, path: String?) {
      self.offered = offered
      self.path = path
    }

    fileprivate var id: String { offered.id.text }
  }

  init(
    of proposal: Proposal, in tree: AssetTree, _ limits: DownloadLimits,
    onOldestSystem: Bool = false
  ) {
    self.init(
      of: proposal.packs.map { Pack($0.offered, path: $0.pathOfFirstFile(in: tree)) },
      primaryLanguage: proposal.primaryLanguage, essential: limits.essential ?? "0",
      onOldestSystem: onOldestSystem)
  }

  /// Creates the scenario of some packs.
  ///
  /// - Parameters:
  ///   - essential: The limit of the download before the first launch; nil for none.
  ///   - onOldestSystem: Whether the system is the oldest with asset packs, which receives no
  ///     localized packs.
  package init(
    of packs: [Pack], primaryLanguage: LanguageTag?, essential: String?,
    onOldestSystem: Bool = false
  ) {
    self.packs = packs
    let offered = packs.map(\.offered)
    platform =
      Platform.allCases.first { platform in offered.contains { $0.isOffered(on: platform) } }
      ?? .iOS
    let onPlatform = offered.filter { [platform] in $0.isOffered(on: platform) }
    let languages = onPlatform.compactMap(\.language).inOrder
    let primary = primaryLanguage ?? languages.first
    let language =
      LanguageChoice(among: languages, preferring: primary.map { [$0] } ?? [], primary: primary)
      .language
    let plan = DownloadPlan(
      of: offered,
      on: Device(
        platform: platform, language: onOldestSystem ? nil : language,
        knowsLocalizedPacks: !onOldestSystem))
    let downloaded = (plan.beforeLaunch.packs + plan.inBackground.packs).map(\.id.text)

    write(
      onOldestSystem
        ? "# The oldest system receives no localized packs."
        : "# The downloads of a device that installs the app for the first time.")
    write(device(primary, sizes: offered.map(\.size).sum, onOldestSystem))
    write("install")
    list("expect downloaded", downloaded)
    list("expect not downloaded", offered.map(\.id.text).filter { !downloaded.contains($0) })
    if let essential { write("expect essential " + (essential == "0" ? "= 0" : "<= " + essential)) }
    write("launch")
    // Of the packs of other languages, the device downloads none.
    let usable = packs.filter { pack in
      if onOldestSystem, pack.offered.language != nil { return false }
      return plan.offered.packs.contains { $0.id.text == pack.id }
    }
    let requested = usable.first { $0.offered.policy == .onDemand }
    if let requested { list("request", [requested.id]) }
    if let pack = requested ?? usable.first { expectReadable(pack, for: pack.offered.language) }
    if !onOldestSystem,
      let other = packs.first(where: { [platform] in
        $0.offered.language.map { $0 != language } ?? false && $0.offered.isOffered(on: platform)
      })
    {
      switchLanguage(to: other)
    }
    if let pack = plan.beforeLaunch.packs.lazy.map(\.id.text).first(where: Self.isPlain) {
      open(without: pack)
    }
  }

  /// Writes what the app sees if the download of an essential pack fails.
  private mutating func open(without id: String) {
    write("# The app can be opened without an essential pack whose download failed.")
    write("uninstall")
    write("fault \(id): cut 50% once")
    write("install")
    write("expect failed \(id)")
    write("launch")
    write("expect absent \(id)")
    write("request \(id)")
    write("expect downloaded \(id)")
  }

  /// Returns whether the pattern of a fault can be the ID.
  private static func isPlain(_ id: String) -> Bool {
    id.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
  }

  private mutating func write(_ line: String) { bytes += Array((line + "\n").utf8) }

  private func device(
    _ primary: LanguageTag?, sizes: PackSize, _ onOldestSystem: Bool
  ) -> String {
    let needed = sizes.download.addingSaturated(sizes.unpacked).addingSaturated(sizes.unpacked)
    let space = DownloadLimits.raised(max(Self.leastSpace / 5 * 4 - 4, needed))
    let version = Device.firstSystemWithLocalizedPacks - (onOldestSystem ? 1 : 0)
    let system = "\(platform.rawValue) \(version)"
    let languages = primary.map { "languages \($0), primary \($0), " } ?? ""
    return "device \(system), \(languages)free \(space)"
  }

  /// Writes a step or an expectation about packs, on several lines if it is long.
  private mutating func list(_ start: String, _ ids: [String]) {
    var line = start
    for id in ids.compactMap(Self.word) {
      if line.utf8.count + 1 + id.utf8.count > Self.width, line != start {
        write(line)
        line = start
      }
      line += " " + id
    }
    if line != start { write(line) }
  }

  /// Writes the expectation that the app can read the first file of a pack.
  private mutating func expectReadable(_ pack: Pack, for language: LanguageTag?) {
    guard let word = pack.path.flatMap(Self.word) else { return }
    write("expect readable " + word + (language.map { " for \($0)" } ?? ""))
  }

  private mutating func switchLanguage(to pack: Pack) {
    guard let language = pack.offered.language else { return }
    write("# Another language: the paths are the same.")
    write("set-language \(language)")
    if pack.offered.policy == .onDemand {
      list("request", [pack.id])
    } else {
      write("reconcile")
    }
    write("expect language \(language)")
    expectReadable(pack, for: language)
  }

  /// Returns a text as a word of a scenario; nil if no word can contain it.
  private static func word(_ text: String) -> String? {
    let bytes = text.utf8
    guard !bytes.isEmpty, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    let needsQuotes =
      bytes.contains(UInt8(ascii: " ")) || bytes.last == UInt8(ascii: ",")
      || [UInt8(ascii: "#"), UInt8(ascii: "\"")].contains(bytes.first)
    guard needsQuotes else { return text }
    return bytes.contains(UInt8(ascii: "\"")) ? nil : "\"\(text)\""
  }
}

extension ProposedPack {
  /// Returns the path in the pack of its first file whose path is UTF-8 text.
  fileprivate func pathOfFirstFile(in tree: AssetTree) -> String? {
    files.lazy.joined().filter { tree.files[$0].kind == .file }.prefix(8).lazy
      .compactMap { file in
        String(validating: tree.path(ofFile: file), as: UTF8.self).flatMap(destination)
      }.first
  }

  /// Returns the path in the pack of a file of the source root.
  private func destination(of path: String) -> String? {
    func rest(_ folder: String) -> String? {
      if folder == "." { return path }
      return path.utf8.starts(with: (folder + "/").utf8)
        ? String(decoding: path.utf8.dropFirst(folder.utf8.count + 1), as: UTF8.self) : nil
    }
    for selector in manifest.fileSelectors {
      switch selector {
      case .renamedFile(let source, let destination) where source == path: return destination
      case .renamedDirectory(let source, let destination):
        guard let rest = rest(source) else { continue }
        return destination == "." ? rest : destination + "/" + rest
      case .file, .directory, .filePattern, .renamedFile, .exclusion: continue
      }
    }
    return path
  }
}
