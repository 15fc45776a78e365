package import SourceDiagnostics

/// Where a value comes from.
package enum Origin: Sendable, Equatable {
  /// An option of this name.
  case option(String)
  /// A manifest, at this place.
  case manifest(String, SourceText.Position)
  /// A project file, at this place.
  case project(String, SourceText.Position)
  /// A variable of the environment.
  case environment(String)
  /// Nobody said anything else; the words say what it follows from, if it is not always the same.
  case standard(String? = nil)
}

/// A value that is in force, and where it comes from.
package struct Setting<Value: Sendable>: Sendable {
  package let value: Value
  package let origin: Origin

  package init(_ value: Value, from origin: Origin) {
    self.value = value
    self.origin = origin
  }
}

/// All that is in force for a run: what options say, then the project file, then the environment,
/// then what holds where nobody says anything.
package struct SettingsInForce: Sendable {
  private struct Layer: Sendable {
    var settings: ProjectSettings
    var origin: @Sendable (_ key: () -> String) -> Origin
  }

  /// The strongest first.
  private var layers: [Layer] = []

  package init() {}

  /// Adds what holds where nothing that was added before says anything.
  package mutating func add(
    _ settings: ProjectSettings, from origin: @escaping @Sendable (_ key: () -> String) -> Origin
  ) {
    layers.append(Layer(settings: settings, origin: origin))
  }

  /// Adds one value.
  package mutating func add<Value>(
    _ value: Value?, as property: WritableKeyPath<ProjectSettings, Value?>, from origin: Origin
  ) {
    guard let value else { return }
    var settings = ProjectSettings()
    settings[keyPath: property] = value
    add(settings) { _ in origin }
  }

  /// Adds what a project file says.
  package mutating func add(_ project: ProjectDocument) {
    guard let settings = project.settings?.starting(at: project.place.folder) else { return }
    let start = SourceText.Position(line: 1, column: 1)
    add(settings) { .project(project.place.path, project.position(of: $0()) ?? start) }
  }

  /// The value of a property.
  package subscript<Value: Sendable>(
    _ property: KeyPath<ProjectSettings, Value?>
  ) -> Setting<Value>? {
    for layer in layers {
      guard let value = layer.settings[keyPath: property] else { continue }
      return Setting(value, from: layer.origin { ProjectSettings.key(of: property) })
    }
    return nil
  }

  /// The manifests, and where their list comes from.
  package var packs: Setting<[String]>? {
    let layer = layers.first { !$0.settings.packs.isEmpty }
    return layer.map { Setting($0.settings.packs, from: $0.origin { ProjectKeys.packs.name }) }
  }

  /// The budgets: of those with one name the strongest, each at the place where its name stands
  /// first.
  package var budgets: [Budget] {
    var budgets: [Budget] = []
    for layer in layers.reversed() {
      for budget in layer.settings.budgets ?? [] {
        if let index = budgets.firstIndex(where: { $0.name.utf8.elementsEqual(budget.name.utf8) }) {
          budgets[index] = budget
        } else {
          budgets.append(budget)
        }
      }
    }
    return budgets
  }

  /// Whether blocks are to be kept.
  package var wantsCache: Bool {
    layers.contains { $0.settings.cache.isWanted || $0.settings.cache.folder != nil }
  }

  /// Every key in the order of the table, with its value if it has one.
  package var all: [(key: String, setting: Setting<JSONValue>?)] {
    ProjectSettings.table.keys.filter { $0.json?.presence != .ignored }.flatMap { key in
      guard let part = key.part else { return [(key.name, setting(key.name, key))] }
      return part.keys.map { member in
        let name = "\(key.name).\(member.name)"
        return (name, setting(name, member))
      }
    }
  }

  private func setting(
    _ name: String, _ key: Key<Draft<ProjectSettings>>
  ) -> Setting<JSONValue>? {
    for layer in layers {
      var members: [JSONValue.Member] = []
      key.writing(Draft(value: layer.settings), &members)
      if let member = members.first { return Setting(member.value, from: layer.origin { name }) }
    }
    return nil
  }
}
