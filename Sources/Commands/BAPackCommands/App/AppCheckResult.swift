import AppSide
import SourceDiagnostics
import SystemIO
import TerminalText

/// The result of `app check`: facts about the app, the findings, and the omitted checks.
struct AppCheckResult: Described {
  /// An app or an extension.
  struct Bundle: Described {
    let path: String
    let bundle: CodeBundle

    static let table = Table<Self>(written: "a bundle") {
      Key("path", written: \.path, .text, "The path in the product.")
      Key("identifier", written: \.bundle.identifier, .text, "The bundle ID.")
      Key("version", written: \.version, .text, "The version, and the build in parentheses.")
      Key("platform", written: \.bundle.platformName, .text, "The platform of the program.")
      Key(
        "minimumSystem", written: \.minimum, .text, "The minimum version of the system.")
      Key("team", written: \.bundle.program?.signature?.team, .text, "The team in the signature.")
      Key("groups", written: \.bundle.groups, .list(of: .text), "The app groups in the signature.")
      Key(
        "protocols", written: \.protocols, .list(of: .text),
        "The protocols of downloader extensions that the program names.")
    }

    var version: String? {
      guard let info = bundle.info, let version = info.string("CFBundleShortVersionString") else {
        return nil
      }
      return version + (info.string("CFBundleVersion").map { " (\($0))" } ?? "")
    }

    var minimum: String? {
      (bundle.program?.systems.first?.minimum ?? bundle.minimumSystem)?.description
    }

    fileprivate var protocols: [String] {
      (bundle.program?.protocols ?? []).map(\.rawValue).sorted()
    }

    /// `com.example.game 1.2 (34), iOS 27.0 or later, team ABCDE12345`.
    fileprivate var line: String {
      var parts = [[bundle.identifier, version].compactMap(\.self).joined(separator: " ")]
      if let platform = bundle.platformName, let minimum {
        parts.append("\(platform) \(minimum) or later")
      }
      if let team = bundle.program?.signature?.team { parts.append("team \(team)") }
      return shown(parts.filter { !$0.isEmpty }.joined(separator: ", "))
    }
  }

  let path: String
  private(set) var app: Bundle?
  private(set) var extensions: [Bundle] = []
  /// The targets of apps in an Xcode project.
  private(set) var targets: [String] = []
  private(set) var hosting: AppHosting?
  private(set) var literals: Int?
  var packCount = 0
  var omissions: [String] = []
  var findings = Ledger()

  init(path: String) { self.path = path }

  static let table = Table<Self>(written: "a check of an app") {
    Key("path", written: \.path, .text, "The path of the app, project or sources.")
    Key("app", written: \.app, .object, "The app.")
    Key("extensions", written: \.extensions, .list(of: .object), "The downloader extensions.")
    Key(
      "targets", written: { $0.targets.isEmpty ? nil : $0.targets }, .list(of: .text),
      "The targets of apps in an Xcode project.")
    Key("hosting", written: \.hosting, .word, "The hosting of the packs: apple, self, unmanaged.")
    Key("packs", written: \.packCount, .count, "The number of packs that were compared.")
    Key(
      "literals", written: \.literals, .count,
      "The number of texts that look like paths in packs, if there are packs.")
    Key(
      "notChecked", written: \.omissions, .list(of: .text), "The checks that were not possible.")
    Key(
      "findings", written: { JSONLinesRenderer.values($0.findings) }, .list(of: .anything),
      "The findings.")
  }

  /// Adds the check of a built app.
  mutating func add(_ check: AppCheck) {
    let root = FilePath(path)
    func place(of bundle: CodeBundle) -> String {
      bundle.folder.bytes.isEmpty ? root.name.shown : bundle.folder.text
    }
    app = Bundle(path: place(of: check.product.app), bundle: check.product.app)
    extensions = check.downloaders.map { Bundle(path: place(of: $0.bundle), bundle: $0.bundle) }
    hosting = check.hosting
    omissions += check.omissions
    findings.add(contentsOf: check.findings)
  }

  /// Adds the check of an Xcode project.
  mutating func add(_ check: ProjectCheck) {
    targets = check.apps
    hosting = check.hosting
    findings.add(contentsOf: check.findings)
  }

  /// Adds the search for paths, if there are packs.
  mutating func add(_ search: LiteralSearch?) {
    guard let search else { return }
    literals = search.count
    findings.add(contentsOf: search.findings)
  }

  /// The facts as lines of text.
  var lines: [String] {
    var lines: [String] = []
    func add(_ title: String, _ text: String) { lines.append(title.padded(to: 12) + text) }
    if let app {
      if !app.line.isEmpty { add("App", app.line) }
      for group in app.bundle.groups { add("Group", shown(group)) }
    }
    for target in targets { add("Target", shown(target)) }
    for each in extensions { add("Extension", "\(shown(each.path)): \(each.line)") }
    if let hosting { add("Hosting", hosting.name) }
    if packCount > 0 { add("Packs", "\(packCount)") }
    if let literals { add("Paths", "\(Quantity.count(literals, "text")) that may be paths") }
    for (index, omission) in omissions.enumerated() {
      add(index == 0 ? "Not checked" : "", shown(omission))
    }
    return lines
  }
}

extension AppHosting {
  fileprivate var name: String {
    switch self {
    case .apple: "Apple"
    case .selfHosted: "own server"
    case .unmanaged: "downloads of the extension, without managed packs"
    }
  }
}
