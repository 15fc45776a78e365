import SourceDiagnostics
import SystemIO
import TerminalText

/// The rules for project files.
package enum ProjectRules {
  static let all: [Rule] = [
    notAProject, packs, path, value, withoutEffect, address, secret, budget, baseline, app,
    finding, unusedFinding,
  ]

  static let notAProject = Rule(
    "project.not-a-project",
    what: "The file given as the project file is another kind of file.",
    why: """
      The 'packs' of a project file list the manifests of an app. Manifests, packs and folders are \
      not project files.
      """,
    example: .init(
      wrong: #""assetPackID": "Tutorial", "fileSelectors": [{"directory": "Tutorial"}]"#,
      right: #""packs": ["Tutorial.json"]"#))

  /// Returns a finding if the first bytes are those of another kind of file.
  static func notAProject(_ bytes: [UInt8]) -> Finding? {
    let form = FileFormat(Array(bytes.prefix(FileFormat.startSize)))
    switch form {
    case .pack, .sealed, .archive, .otherArchive, .binary, .manifest, .downloadManifest:
      return notAProject.finding(
        "this is \(form.phrase), not a project file", at: nil,
        fixes: [Fix([Remedy.startProject])])
    case .text, .garbled, .empty: return nil
    }
  }

  static func folder() -> Finding {
    notAProject.finding("this is a folder, not a project file", at: nil)
  }

  static let packs = Rule(
    "project.packs",
    what: "'packs' is empty, or one of its entries matches no file.",
    why: """
      Commands without arguments validate and pack the packs in this list. A pattern without \
      matches would silently omit packs.
      """,
    example: .init(
      wrong: #""packs": []"#, right: #""packs": ["Packs/*.json"]"#))

  static func noPacks(at span: SourceSpan) -> Finding {
    packs.finding("the project has no packs", at: span)
  }

  /// A path or pattern in 'packs' that matches no file.
  static func absent(
    _ path: String, isPattern: Bool, near: String?, at span: SourceSpan?
  ) -> Finding {
    var fixes: [Fix] = []
    if let near, let span {
      fixes = [
        Fix(
          "write '\(path: near)'", .unsafe,
          edits: [.init(span, JSONWriter.string(.string(near), .compact))])
      ]
    }
    return packs.finding(
      isPattern ? "no file matches '\(path: path)'" : "there is no '\(path: path)'", at: span,
      notes: ["the path is relative to the folder of this file"], fixes: fixes)
  }

  static let path = Rule(
    "project.path",
    what: "A path is empty or absolute, or an output path is outside the project.",
    why: """
      Paths are relative to the folder of the project file, so that a checkout works in any \
      location. Output paths must be below that folder: a project file is part of a checkout and \
      must not overwrite other files. To write elsewhere, use an option on the command line.
      """,
    example: .init(
      wrong: #""output": "../packs""#, right: #""output": "build/packs""#))

  /// The pattern for a relative path in the schema.
  static let relative = #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#

  static func path(_ path: String, at span: SourceSpan, isWritten: Bool = false) -> Finding? {
    if path.isEmpty {
      return Self.path.finding(
        "the path is empty", at: span, notes: ["use '.' for the folder of this file"])
    }
    if path.holds(0) { return Self.path.finding("the path contains a NUL character", at: span) }
    if SelectorRules.isAbsolute(path) {
      return Self.path.finding(
        "the path '\(path: path)' is absolute", at: span,
        notes: ["the path is relative to the folder of this file"])
    }
    guard isWritten else { return nil }
    let depths = FilePath(path).components.reduce(into: [0]) { depths, name in
      depths.append((depths.last ?? 0) + (name == ".." ? -1 : 1))
    }
    guard depths.contains(where: { $0 < 0 }) else { return nil }
    return Self.path.finding(
      "the path '\(path: path)' is outside the project, but ba-package would write there", at: span
    )
  }

  static let value = Rule(
    "project.value", fixGrade: .unsafe,
    what: "A key has an unsupported value.",
    why: """
      'name' is one line. 'hosting', 'compression' and 'level' accept the same values as the \
      options with these names. 'threads' is from 1 to 256. A cache limit is from 1M to 1024T.
      """,
    example: .init(
      wrong: #""hosting": "appel""#, right: #""hosting": "apple""#))

  static func unknownValue(
    _ node: JSONNode, _ text: String, of key: String, known: [String]
  ) -> Finding {
    value.finding(unknown: node, "'\(key)' cannot be '\(text)'", known: known)
  }

  static func name(_ name: String, at span: SourceSpan) -> Finding? {
    if name.allSatisfy(\.isWhitespace) { return value.finding("the name is empty", at: span) }
    guard name.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return nil }
    return value.finding("the name has a control character", at: span)
  }

  /// The range of the number of threads.
  static let threads = 1...256
  /// The range of the size limit of a cache, in bytes.
  static let cacheSizes: ClosedRange<UInt64> = 1 << 20...1 << 50

  static func threads(_ node: JSONNode) -> Finding {
    value.finding(
      "the number of threads cannot be '\(node.number ?? node.string ?? "")'", at: node.span,
      notes: ["expected a whole number from \(threads.lowerBound) to \(threads.upperBound)"])
  }

  static func cacheLimit(_ node: JSONNode) -> Finding {
    value.finding(
      "the cache limit cannot be '\(node.string ?? node.number ?? "")'", at: node.span,
      notes: ["expected a number of bytes from 1M to 1024T, for example \"20G\""])
  }

  static let withoutEffect = Rule(
    "project.no-effect",
    what: "A compression level is given, but the compression is 'none'.",
    why: """
      With the compression 'none', packs are as large as their files, regardless of the level. One \
      of the two keys is a mistake.
      """,
    example: .init(
      wrong: #""compression": "none", "level": "best""#, right: #""compression": "none""#))

  static func withoutEffect(_ settings: ProjectSettings, at span: SourceSpan?) -> Finding? {
    guard settings.compression == PackSettings.Compression.none, settings.level != nil else {
      return nil
    }
    return withoutEffect.finding(
      "'level' has no effect because 'compression' is 'none'", at: span,
      fixes: [Fix("remove one of the two", .shownOnly)])
  }

  static let address = Rule(
    "project.address",
    what: "An address is not a valid URL, or is unusable for downloads or the shared cache.",
    why: """
      Devices download over https only, and a shared cache has one base URL. Without this \
      check, the mistake would appear only when packs are published.
      """,
    example: .init(
      wrong: #""selfHosting": {"baseURL": "downloads.example.com"}"#,
      right: #""selfHosting": {"baseURL": "https://downloads.example.com/packs"}"#))

  static func address(_ text: String, of key: String, at span: SourceSpan) -> Finding? {
    guard let address = WebAddress(text) else {
      return self.address.finding(
        "'\(publicAddress(text))' is not a valid URL", at: span,
        notes: ["write it as https://\(key == "remote" ? "cache" : "downloads").example.com"])
    }
    guard address.hasQueryOrFragment else { return nil }
    return self.address.finding("the address has a query or a fragment", at: span)
  }

  /// Returns a finding if the base URL and the template do not form valid addresses.
  static func addresses(_ settings: ProjectSettings.SelfHosting, at span: SourceSpan?) -> Finding? {
    guard settings.baseURL != nil || settings.urlTemplate != nil else { return nil }
    do throws(PackError) {
      _ = try PackURLs(base: settings.baseURL, template: settings.urlTemplate)
      return nil
    } catch {
      return address.finding(error, at: span)
    }
  }

  static let secret = Rule(
    "project.secret",
    what: "An address contains a user name or a password.",
    why: """
      A project file is committed, so every reader of the repository would have the password. \
      Use environment variables for user names and passwords.
      """,
    example: .init(
      wrong: #""cache": {"remote": "https://me:secret@cache.example.com"}"#,
      right: #""cache": {"remote": "https://cache.example.com"}"#))

  static func secret(_ text: String, at span: SourceSpan) -> Finding? {
    guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound else { return nil }
    let authority = text[start...].prefix { !"/?#".contains($0) }
    guard authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
    return secret.finding("the address contains a user name or a password", at: span)
  }

  static let budget = Rule(
    "project.budget", fixGrade: .unsafe,
    what: "A budget has no valid size, or a name that is neither a sum nor a pattern.",
    why: """
      An invalid budget cannot be checked. The name is 'essential', 'total', 'hosted' or 'update', \
      or a pattern for pack IDs, or for files if it contains '/'. The size is a number with K, M, \
      G or T (powers of 1000).
      """,
    example: .init(
      wrong: #""budgets": {"total": "two gigabytes"}"#, right: #""budgets": {"total": "2G"}"#))

  /// Reads a budget, and reports an invalid name and an invalid size.
  static func budget(
    _ member: (key: JSONNode, value: JSONNode), named name: String, in source: SourceText,
    into findings: inout Ledger
  ) -> Budget? {
    let (key, value) = member
    do {
      _ = try Budget.Subject(named: name)
    } catch {
      findings.add(budget(error, at: key))
    }
    let text = value.string ?? value.number ?? ""
    do {
      _ = try Budget.limit(written: text, of: name)
    } catch {
      if value.kind != .invalid { findings.add(budget(error, at: value)) }
    }
    return try? Budget(named: name, limit: text, at: .init(source, key.span))
  }

  private static func budget(_ fault: BudgetFault, at node: JSONNode) -> Finding {
    var fixes: [Fix] = []
    if case .unknownSum(_, let near) = fault { fixes = [.replaceText(of: node, by: near)] }
    return budget.finding(
      fault.message, at: node.span, notes: [fault.advice].compactMap(\.self), fixes: fixes)
  }

  static let baseline = Rule(
    "project.baseline",
    .usually(.error, .warning, when: "a budget for updates has no baseline"),
    what: "No packs exist at 'baseline', or a budget for updates has no baseline.",
    why: """
      'diff' and 'report' compare the packs with the packs at 'baseline'. 'pack' does this if a \
      budget for updates exists. Without a baseline, such a budget is not checked. Before the \
      first release, the baseline has no packs: set 'optional' to true.
      """,
    example: .init(
      wrong: #""baseline": "released""#,
      right: #""baseline": {"path": "released", "optional": true}"#))

  static func absentBaseline(_ path: String, at span: SourceSpan?) -> Finding {
    baseline.finding(
      "there are no packs at '\(path: path)'", at: span,
      notes: [
        "the path is relative to the folder of this file",
        #"before the first release, write {"path": "…", "optional": true}"#,
      ])
  }

  /// A budget for updates without a baseline.
  static func unchecked(_ budget: Budget) -> Finding {
    baseline.exception(
      "the budget '\(budget.name)' is not checked: the project has no 'baseline'",
      at: budget.place?.span,
      notes: ["the size of an update is computed by comparison with old packs"])
  }

  static let app = Rule(
    "project.app",
    what: "'app' is empty.",
    why: "An app is identified by its Apple ID (a number in quotes) or its bundle ID.",
    example: .init(
      wrong: #""appStore": {"app": ""}"#, right: #""appStore": {"app": "com.example.lantern"}"#))

  static func emptyApp(at span: SourceSpan) -> Finding {
    app.finding("'app' is empty", at: span)
  }

  static let finding = Rule(
    "project.finding", fixGrade: .unsafe,
    what: """
      An entry of 'findings' has an unknown ID, an unknown severity or an empty reason, or lowers \
      an error that must remain an error.
      """,
    why: """
      'findings' sets severities for the findings of manifests, files, budgets and project files. \
      Most errors cannot be lowered, because the pack cannot be made, or fails on devices. \
      Exceptions in a list have a reason for later readers.
      """,
    example: .init(
      wrong: #""findings": {"files.junks": "off"}"#, right: #""findings": {"files.junk": "off"}"#))

  static func finding(_ fault: CheckedRules.Fault, at node: JSONNode) -> Finding {
    finding.finding(
      fault.message, at: node.span,
      fixes: fault.near.map { [.replaceText(of: node, by: $0)] } ?? [])
  }

  static func finding(_ message: Finding.Message, at node: JSONNode) -> Finding {
    finding.finding(message, at: node.span)
  }

  static func unknownLevel(_ node: JSONNode, _ word: String, known: [String]) -> Finding {
    finding.finding(unknown: node, "there is no severity '\(word)'", known: known)
  }

  static let unusedFinding = Rule(
    "project.unused-finding", .always(.warning),
    what: """
      An entry of 'findings' has no effect: it matches no finding, or only errors that cannot be \
      lowered.
      """,
    why: """
      An exception is for a finding that exists. If the finding was fixed, or the path or the \
      manifest was renamed, the entry would hide a later finding. A check of the whole project \
      with its files reports such entries.
      """,
    example: .init(
      wrong: """
        "findings": [{"id": "files.junk", "paths": ["Voice/**"], "level": "off", "reason": "…"}]
        """,
      right: """
        "findings": [{"id": "files.junk", "paths": ["Voices/**"], "level": "off", "reason": "…"}]
        """))

  static func unused(_ setting: FindingSetting, isRefused: Bool) -> Finding {
    unusedFinding.finding(
      isRefused
        ? "the severity '\(setting.level.rawValue)' of '\(setting.id)' has no effect: these errors "
          + "cannot be lowered" : "no finding matches this entry for '\(setting.id)'",
      at: setting.place?.span)
  }
}
