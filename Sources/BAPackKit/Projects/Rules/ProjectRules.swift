import SourceDiagnostics
import SystemIO

/// What can be wrong with a project file.
package enum ProjectRules {
  static let all: [Rule] = [
    notAProject, packs, path, value, withoutEffect, address, secret, budget, baseline, app,
  ]

  /// A project file is a text of its own.
  static let notAProject = Rule(
    "project.not-a-project",
    what: "Another file was given as the project file.",
    why: """
      A project file says with 'packs' which manifests an app has; a manifest, a pack or a folder \
      of another kind says something else.
      """,
    example: .init(
      wrong: #""assetPackID": "Tutorial", "fileSelectors": [{"directory": "Tutorial"}]"#,
      right: #""packs": ["Tutorial.json"]"#))

  /// Recognises other files by their first bytes.
  static func notAProject(_ bytes: [UInt8]) -> Finding? {
    let form = FileForm(Array(bytes.prefix(FileForm.startSize)))
    switch form {
    case .pack, .sealed, .archive, .binary, .manifest, .downloadManifest:
      return notAProject.finding(
        "this is \(form.phrase), not a project file", at: nil,
        fixes: [Fix([Remedy.startProject])])
    case .text, .garbled, .empty: return nil
    }
  }

  static func folder() -> Finding {
    notAProject.finding("this is a folder, not a project file", at: nil)
  }

  /// A project has packs.
  static let packs = Rule(
    "project.packs",
    what: "'packs' is empty, or something in it leads to no file.",
    why: """
      What is checked and packed without naming anything are the packs of this list. A pattern \
      that nothing matches any more would leave packs out without a word.
      """,
    example: .init(
      wrong: #""packs": []"#, right: #""packs": ["Packs/*.json"]"#))

  static func noPacks(at span: SourceSpan) -> Finding {
    packs.finding("the project has no packs", at: span)
  }

  /// Something that was to be a manifest and is not there.
  static func absent(_ path: String, isPattern: Bool, at span: SourceSpan?) -> Finding {
    packs.finding(
      isPattern ? "no file matches '\(path: path)'" : "there is no '\(path: path)'", at: span,
      notes: ["it starts at the folder of this file"])
  }

  /// Paths start at the project file.
  static let path = Rule(
    "project.path",
    what: "A path is empty or absolute, or something would be written outside the project.",
    why: """
      Paths start at the folder of the project file, so that a checkout works wherever it lies. \
      What is written stays below that folder, because a project file comes with a checkout and \
      must not reach other files of the person who runs it; who wants that says it when the \
      program is called.
      """,
    example: .init(
      wrong: #""output": "../packs""#, right: #""output": "build/packs""#))

  /// What a schema can say of such a path.
  static let relative = #"^(?!/)(?![A-Za-z]:[/\\])[^\u0000]+$"#

  static func path(_ path: String, at span: SourceSpan, isWritten: Bool = false) -> Finding? {
    if path.isEmpty {
      return Self.path.finding(
        "the path is empty", at: span, notes: ["the folder of this file is '.'"])
    }
    if path.holds(0) { return Self.path.finding("the path has a NUL character in it", at: span) }
    if SelectorRules.isAbsolute(path) {
      return Self.path.finding(
        "the path '\(path: path)' is absolute", at: span,
        notes: ["it starts at the folder of this file"])
    }
    guard isWritten else { return nil }
    let depths = FilePath(path).components.reduce(into: [0]) { depths, name in
      depths.append((depths.last ?? 0) + (name == ".." ? -1 : 1))
    }
    guard depths.contains(where: { $0 < 0 }) else { return nil }
    return Self.path.finding(
      "the path '\(path: path)' leads out of the project, and something is written there", at: span
    )
  }

  /// Values are of their kind.
  static let value = Rule(
    "project.value", fixGrade: .unsafe,
    what: "A key has a word, a number or a size that it does not take.",
    why: """
      'name' is one line; 'hosting', 'compression' and 'level' take the words that the options of \
      the same names take; 'threads' is from 1 to 256, and a cache has at least 1M.
      """,
    example: .init(
      wrong: #""hosting": "appel""#, right: #""hosting": "apple""#))

  static func unknownWord(
    _ node: JSONNode, _ text: String, of key: String, known: [String]
  ) -> Finding {
    value.finding(unknown: node, "'\(key)' cannot be '\(text)'", known: known)
  }

  /// A name is one line.
  static func name(_ name: String, at span: SourceSpan) -> Finding? {
    if name.allSatisfy(\.isWhitespace) { return value.finding("the name is empty", at: span) }
    guard name.unicodeScalars.contains(where: { $0.value < 0x20 }) else { return nil }
    return value.finding("the name has a control character", at: span)
  }

  /// How many threads there may be.
  static let threads = 1...256
  /// How large a cache may be allowed to become.
  static let cacheSizes: ClosedRange<UInt64> = 1 << 20...1 << 50

  static func threads(_ node: JSONNode) -> Finding {
    value.finding(
      "there cannot be \(node.number ?? "so many") threads", at: node.span,
      notes: ["a whole number from \(threads.lowerBound) to \(threads.upperBound) is needed"])
  }

  static func cacheLimit(_ node: JSONNode) -> Finding {
    value.finding(
      "a cache cannot have the size '\(node.string ?? node.number ?? "")'", at: node.span,
      notes: ["a number of bytes from 1M to 1024T is needed, such as \"20G\""])
  }

  /// Without compression there is no level.
  static let withoutEffect = Rule(
    "project.no-effect",
    what: "A level of compression is given where nothing is compressed.",
    why: """
      One of the two is a mistake: with 'compression' of 'none' the packs are as large as their \
      files, whatever the level is.
      """,
    example: .init(
      wrong: #""compression": "none", "level": "best""#, right: #""compression": "none""#))

  static func withoutEffect(_ settings: ProjectSettings, at span: SourceSpan?) -> Finding? {
    guard settings.compression == PackSettings.Compression.none, settings.level != nil else {
      return nil
    }
    return withoutEffect.finding(
      "'level' has no effect with 'compression' of 'none'", at: span,
      fixes: [Fix("remove one of the two", .shownOnly)])
  }

  /// Addresses are whole.
  static let address = Rule(
    "project.address",
    what: "An address is none, or one that devices or machines cannot use.",
    why: """
      Devices download over https alone, and a shared cache is asked below one address. What is \
      wrong here would be found only when packs are published.
      """,
    example: .init(
      wrong: #""selfHosting": {"baseURL": "downloads.example.com"}"#,
      right: #""selfHosting": {"baseURL": "https://downloads.example.com/packs"}"#))

  static func address(_ text: String, of key: String, at span: SourceSpan) -> Finding? {
    guard let address = WebAddress(text) else {
      return self.address.finding(
        "'\(text)' is not an address", at: span,
        notes: ["write it as https://\(key == "remote" ? "cache" : "downloads").example.com"])
    }
    guard address.hasQueryOrFragment else { return nil }
    return self.address.finding("the address has a query or a fragment", at: span)
  }

  /// What addresses of packs are made from, taken together.
  static func addresses(_ settings: ProjectSettings.SelfHosting, at span: SourceSpan?) -> Finding? {
    guard settings.baseURL != nil || settings.urlTemplate != nil else { return nil }
    do throws(PackError) {
      _ = try PackURLs(base: settings.baseURL, template: settings.urlTemplate)
      return nil
    } catch {
      return address.finding(error, at: span)
    }
  }

  /// Secrets do not stand in files that everybody reads.
  static let secret = Rule(
    "project.secret",
    what: "An address has a name or a password in it.",
    why: """
      A project file is committed, and whoever reads it would have the password. Names and \
      passwords are taken from the environment of the run.
      """,
    example: .init(
      wrong: #""cache": {"remote": "https://me:secret@cache.example.com"}"#,
      right: #""cache": {"remote": "https://cache.example.com"}"#))

  static func secret(_ text: String, at span: SourceSpan) -> Finding? {
    guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound else { return nil }
    let authority = text[start...].prefix { !"/?#".contains($0) }
    guard authority.utf8.contains(UInt8(ascii: "@")) else { return nil }
    return secret.finding("the address has a name or a password in it", at: span)
  }

  /// Budgets can be kept.
  static let budget = Rule(
    "project.budget", fixGrade: .unsafe,
    what: "A budget has no size, or a name that is neither a sum nor a pattern.",
    why: """
      A budget that means nothing is never exceeded. Its name is 'essential', 'total', 'hosted' or \
      'update', or a pattern for the IDs of packs, or for files if it has a '/'; its size is a \
      number with K, M, G or T, which are powers of 1000.
      """,
    example: .init(
      wrong: #""budgets": {"total": "two gigabytes"}"#, right: #""budgets": {"total": "2G"}"#))

  /// Reads a budget, or says what is wrong with its name and with its size.
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

  /// Former packs are there.
  static let baseline = Rule(
    "project.baseline",
    .usually(.error, .warning, when: "a budget for updates has no baseline"),
    what: "There are no packs at 'baseline', or a budget for updates has nothing to compare with.",
    why: """
      'diff' and 'report' compare with these packs, and 'pack' compares with them if there is a \
      budget for updates. Without them such a budget is not checked. Before the first release \
      nothing is there: 'optional' says that this is meant.
      """,
    example: .init(
      wrong: #""baseline": "released""#,
      right: #""baseline": {"path": "released", "optional": true}"#))

  static func absentBaseline(_ path: String, at span: SourceSpan?) -> Finding {
    baseline.finding(
      "there are no packs at '\(path: path)'", at: span,
      notes: [
        "it starts at the folder of this file",
        #"before the first release, write {"path": "…", "optional": true}"#,
      ])
  }

  /// A budget for updates that nothing can be held against.
  static func unchecked(_ budget: Budget) -> Finding {
    baseline.exception(
      "the budget '\(budget.name)' is not checked: the project has no 'baseline'",
      at: budget.place?.span,
      notes: ["what an update costs is known only in comparison with former packs"])
  }

  /// An app is named.
  static let app = Rule(
    "project.app",
    what: "'app' is empty.",
    why: "The app is named by its Apple ID, a number in quotes, or by its bundle ID.",
    example: .init(
      wrong: #""appStore": {"app": ""}"#, right: #""appStore": {"app": "com.example.lantern"}"#))

  static func emptyApp(at span: SourceSpan) -> Finding {
    app.finding("the app has no name", at: span)
  }
}
