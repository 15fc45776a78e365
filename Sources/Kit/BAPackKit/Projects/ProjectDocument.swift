package import SourceDiagnostics
package import SystemIO

/// A project file: its text, its settings, and the findings with their positions.
package struct ProjectDocument: Sendable {
  /// The place of the file.
  package let place: ProjectPlace
  package let source: SourceText
  /// The settings, with unresolved paths; nil if `findings` contains an error.
  package let settings: ProjectSettings?
  package private(set) var findings: Ledger
  private let locations: ProjectSettings.Locations

  /// Reads the text of a project file.
  package init(parsing bytes: [UInt8], at place: ProjectPlace) {
    let text = SourceText(bytes, named: place.path)
    self.init(place, text, KeyedReader(text, for: nil))
  }

  /// Reads a project file.
  ///
  /// Without a user, the owner of the file is not checked.
  ///
  /// - Throws: ``PackError`` if the file cannot be read, or if it belongs to another user and was
  ///   not named by the caller.
  package init(
    reading place: ProjectPlace, as user: UInt32? = ProcessState.userID, _ work: Work
  ) throws(PackError) {
    guard let bytes = try place.read(atMost: JSONLimits().size + 1, user: user, work) else {
      let text = SourceText([], named: place.path)
      self.init(place, text, KeyedReader(about: text, reporting: ProjectRules.folder()))
      return
    }
    self.init(parsing: bytes, at: place)
  }

  private init(_ place: ProjectPlace, _ text: SourceText, _ reader: KeyedReader<ProjectSettings>) {
    self.place = place
    source = text
    locations = reader.draft.locations
    findings = reader.findings
    settings = reader.findings.hasErrors ? nil : reader.value
  }

  /// Returns the text with its fixes applied, and the number of fixes.
  package static func fixed(
    _ bytes: [UInt8], unsafe: Bool = false
  ) -> (text: [UInt8], applied: Int) {
    ProjectSettings.fixed(bytes, for: nil, unsafe: unsafe)
  }

  func position(of key: String) -> SourceText.Position? {
    locations[key].map { source.position(of: $0.start) }
  }

  /// Searches for the manifests, and adds a finding for each entry of 'packs' without a match.
  package mutating func findPacks() {
    guard let settings else { return }
    for (index, written) in settings.packs.enumerated() {
      let path = ProjectPlace.pattern(written, in: place.folder)
      let matching = MatchingFiles(path)
      guard matching.map(\.manifests.isEmpty) ?? ((try? FileStatus(ofFileAt: path)) == nil) else {
        continue
      }
      findings.add(
        ProjectRules.absent(
          written, isPattern: matching != nil, near: similar(to: written),
          at: locations[ProjectKeys.place(ofPack: index)]))
    }
  }

  /// Returns an entry of 'packs' with the name of an existing folder or file instead of a similar
  /// name, if it has matches.
  private func similar(to written: String) -> String? {
    var folder = FilePath(place.folder)
    var names = FilePath(written).components
    for index in names.indices {
      let next = folder.appending(names[index])
      if (try? FileStatus(ofFileAt: next.text)) == nil {
        guard let list = try? FileDescriptor.open(folder.text, for: .directory).list(),
          let near = Spelling.nearest(
            to: FilePath(names[index].bytes).text,
            among: list.items.map { FilePath(list.fileName(of: $0).bytes).text })
        else { return nil }
        names[index] = FileName(near.utf8)
        let path = FilePath(joining: names).text
        let place = ProjectPlace.pattern(path, in: place.folder)
        let hasMatch =
          MatchingFiles(place).map { !$0.manifests.isEmpty }
          ?? ((try? FileStatus(ofFileAt: place)) != nil)
        return hasMatch ? path : nil
      }
      folder = next
    }
    return nil
  }
}

extension ProjectDocument {
  /// Searches for the baseline, and adds a finding if it is required and missing.
  package mutating func findBaseline() {
    guard let settings else { return }
    guard let baseline = settings.starting(at: place.folder).baseline else {
      let update = settings.budgets?.first { $0.subject == .update }
      findings.add(update.map { ProjectRules.unchecked($0) })
      return
    }
    if baseline.isOptional || baseline.exists { return }
    findings.add(
      ProjectRules.absentBaseline(
        settings.baseline?.path ?? "", at: locations[ProjectKeys.baseline.name]))
  }

  /// Returns the span of a key's value in the text, by its property; nil if the key is missing.
  package func span(of property: PartialKeyPath<ProjectSettings>) -> SourceSpan? {
    locations[ProjectSettings.name(of: property)]
  }
}

// MARK: - Uses of the table

extension ProjectSettings: Keyed {
  typealias Locations = [String: SourceSpan]

  static let table = Table<Draft<ProjectSettings>>(text: "a project file") { ProjectKeys.all }

  static var blank: ProjectSettings { ProjectSettings() }

  static func refusal(of bytes: [UInt8]) -> Finding? { ProjectRules.notAProject(bytes) }

  static func conclude(
    _ root: JSONNode, _ draft: inout Draft<ProjectSettings>, _ findings: inout Ledger
  ) {
    guard !findings.hasErrors else { return }
    func place(of property: PartialKeyPath<ProjectSettings>) -> SourceSpan? {
      draft.locations[name(of: property)]
    }
    findings.add(ProjectRules.withoutEffect(draft.value, at: place(of: \.level)))
    findings.add(
      ProjectRules.addresses(
        draft.value.selfHosting,
        at: place(of: \.selfHosting.urlTemplate) ?? place(of: \.selfHosting.baseURL)))
  }

  /// The JSON Schema 2020-12 of project files, for editors.
  package static var jsonSchema: JSONValue { table.schema(title: "Project of asset packs") }

  /// The members of a project file.
  package static var jsonShape: JSONRecord { table.record }

  /// Returns the project file as JSON5 with these comments.
  package func text(_ comments: TextComments) -> String { TemplateWriter.text(of: self, comments) }

  /// Returns a project file to start from, with comments that explain every key.
  package static func template(schema: String? = nil, advice: String? = nil) -> String {
    TemplateWriter.text(
      of: placeholders, isTeaching: true, schema: schema,
      introduction: "The asset packs of an app, and the settings for making them.", advice: advice)
  }

  /// Returns the template as strict JSON, without comments.
  package static func strictTemplate(schema: String? = nil) -> String {
    JSONWriter.string(placeholders.authored(schema: schema))
  }

  private static var placeholders: ProjectSettings {
    var settings = ProjectSettings()
    settings.packs = [Placeholder.manifest]
    return settings
  }

  /// Returns the name of the key for a property, for example `cache.folder`.
  package static func key(of property: PartialKeyPath<ProjectSettings>) -> String {
    name(of: property)
  }
}
