package import SourceDiagnostics
package import SystemIO

/// A project file as a person wrote it: its text, its meaning, and the findings with their places.
package struct ProjectDocument: Sendable {
  /// Where it is.
  package let place: ProjectPlace
  /// The text.
  package let source: SourceText
  /// What the text means, paths as they are written; nil if `findings` has an error.
  package let settings: ProjectSettings?
  /// What was found.
  package private(set) var findings: Ledger
  private let locations: KeyPlaces<ProjectSettings>

  /// Reads the text of a project file.
  package init(parsing bytes: [UInt8], at place: ProjectPlace) {
    let text = SourceText(bytes, named: place.path)
    if let finding = ProjectSettings.refusal(of: bytes) {
      self.init(place, text, KeyedReader(about: text, reporting: finding))
    } else {
      var reader = KeyedReader<ProjectSettings>(about: text, hosting: nil)
      _ = reader.read(text)
      self.init(place, text, reader)
    }
  }

  /// Reads a project file; throws if the machine refuses, or if it is another user's and nobody named it.
  ///
  /// Without a user, it may be anybody's.
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
    locations = reader.locations
    findings = reader.findings
    settings = reader.findings.hasErrors ? nil : reader.value
  }

  /// The text with its fixes applied, and the number of fixes.
  package static func fixed(
    _ bytes: [UInt8], unsafe: Bool = false
  ) -> (text: [UInt8], applied: Int) {
    ProjectSettings.fixed(bytes, for: nil, unsafe: unsafe)
  }

  func position(of key: String) -> SourceText.Position? {
    locations[key].map { source.position(of: $0.start) }
  }

  /// Looks for the manifests, and adds a finding for each part of the list that leads to none.
  package mutating func lookForPacks() {
    guard let settings else { return }
    for (index, written) in settings.packs.enumerated() {
      let path = ProjectPlace.pattern(written, in: place.folder)
      let matching = MatchingFiles(path)
      guard matching.map(\.manifests.isEmpty) ?? ((try? FileStatus(ofFileAt: path)) == nil) else {
        continue
      }
      findings.add(
        ProjectRules.absent(
          written, isPattern: matching != nil, at: locations[ProjectKeys.place(ofPack: index)]))
    }
  }
}

extension ProjectDocument {
  /// Looks for what packs are compared with, and adds a finding if it is needed and missing.
  package mutating func lookForBaseline() {
    guard let settings else { return }
    guard let baseline = settings.starting(at: place.folder).baseline else {
      let update = settings.budgets?.first { $0.subject == .update }
      findings.add(update.map { ProjectRules.unchecked($0) })
      return
    }
    if baseline.isOptional || baseline.isThere { return }
    findings.add(
      ProjectRules.absentBaseline(
        settings.baseline?.path ?? "", at: locations[ProjectKeys.baseline.name]))
  }

  /// The value of a key in the text, by the name of its property; nil if it is not there.
  package func span(of property: PartialKeyPath<ProjectSettings>) -> SourceSpan? {
    ProjectSettings.name(of: property).flatMap { locations[$0] }
  }
}

/// The places of values by the names of their keys.
struct KeyPlaces<Subject>: KeyLocations {
  private var spans: [String: SourceSpan] = [:]

  subscript(key: String) -> SourceSpan? {
    get { spans[key] }
    set { spans[key] = newValue }
  }
}

// MARK: - The table at work

extension ProjectSettings: Keyed {
  typealias Locations = KeyPlaces<ProjectSettings>

  static var keys: [TextKey<ProjectSettings>] { ProjectKeys.all }
  static var noun: String { "a project file" }
  static var blank: ProjectSettings { ProjectSettings() }

  static func refusal(of bytes: [UInt8]) -> Finding? { ProjectRules.notAProject(bytes) }

  static func conclude(_ root: JSONNode, in reader: inout KeyedReader<ProjectSettings>) {
    let places = [ProjectKeys.urlTemplate, ProjectKeys.baseURL].map {
      reader.locations["\(ProjectKeys.selfHosting.name).\($0.name)"]
    }
    guard !reader.findings.hasErrors else { return }
    reader.findings.add(
      ProjectRules.withoutEffect(reader.draft, at: reader.locations[ProjectKeys.level.name]))
    reader.findings.add(
      ProjectRules.addresses(reader.draft.selfHosting, at: places.compactMap(\.self).first))
  }

  /// The JSON Schema 2020-12 of project files, for editors.
  package static var jsonSchema: JSONValue {
    JSONSchema.document(title: "Project of asset packs", keys: shapes)
  }

  /// The members of a project file.
  package static var record: JSONRecord { JSONRecord(keys: shapes, isOpen: false) }

  /// A project file to start from, with comments that teach every key.
  package static func template(schema: String? = nil, advice: String? = nil) -> String {
    TemplateWriter.text(
      of: placeholders, isTeaching: true, schema: schema,
      introduction: "The asset packs of an app, and how they are made.", advice: advice)
  }

  /// The same as strict JSON, without comments.
  package static func strictTemplate(schema: String? = nil) -> String {
    JSONWriter.string(placeholders.authored(schema: schema))
  }

  private static var placeholders: ProjectSettings {
    var settings = ProjectSettings()
    settings.packs = [Placeholder.manifest]
    return settings
  }

  /// The name of the key that a property stands under: `cache.folder`.
  package static func key(of property: PartialKeyPath<ProjectSettings>) -> String {
    name(of: property) ?? ""
  }
}
