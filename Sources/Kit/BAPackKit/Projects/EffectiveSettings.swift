package import SourceDiagnostics
import SystemIO

/// The origin of a value.
package enum Origin: Sendable, Equatable {
  /// An option with this name.
  case option(String)
  case manifest(String, SourceText.Position)
  /// A project file, at this position.
  case project(String, SourceText.Position)
  /// An environment variable.
  case environment(String)
  /// The default; the text is its origin if it is not constant.
  case standard(String? = nil)
}

/// An effective value and its origin.
package struct Setting<Value: Sendable>: Sendable {
  package let value: Value
  package let origin: Origin

  package init(_ value: Value, from origin: Origin) {
    self.value = value
    self.origin = origin
  }
}

/// The effective settings of a run: from options, else from the project file, else from the
/// environment, else defaults.
package struct EffectiveSettings: Sendable {
  private struct Layer: Sendable {
    var settings: ProjectSettings
    var origin: @Sendable (_ key: () -> String) -> Origin
  }

  /// The layers, by descending priority.
  private var layers: [Layer] = []

  package init() {}

  /// Adds settings with a lower priority than the settings added before.
  package mutating func add(
    _ settings: ProjectSettings, from origin: @escaping @Sendable (_ key: () -> String) -> Origin
  ) {
    layers.append(Layer(settings: settings, origin: origin))
  }

  package mutating func add<Value>(
    _ value: Value?, as property: WritableKeyPath<ProjectSettings, Value?>, from origin: Origin
  ) {
    guard let value else { return }
    var settings = ProjectSettings()
    settings[keyPath: property] = value
    add(settings) { _ in origin }
  }

  /// Adds the settings of a project file.
  package mutating func add(_ project: ProjectDocument) {
    guard let settings = project.settings?.starting(at: project.place.folder) else { return }
    let start = SourceText.Position(line: 1, column: 1)
    add(settings) { .project(project.place.path, project.position(of: $0()) ?? start) }
  }

  package subscript<Value: Sendable>(
    _ property: KeyPath<ProjectSettings, Value?>
  ) -> Setting<Value>? {
    for layer in layers {
      guard let value = layer.settings[keyPath: property] else { continue }
      return Setting(value, from: layer.origin { ProjectSettings.key(of: property) })
    }
    return nil
  }

  /// The manifests, and the origin of their list.
  package var packs: Setting<[String]>? {
    let layer = layers.first { !$0.settings.packs.isEmpty }
    return layer.map { Setting($0.settings.packs, from: $0.origin { ProjectKeys.packs.name }) }
  }

  /// The budgets.
  ///
  /// Of budgets with the same name, the one with the highest priority is used, in the place of the
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

  /// The budgets, and the limits of the host.
  package var allBudgets: [Budget] {
    budgets + DeliveryLimits.current.budgets(for: self[\.hosting]?.value)
  }

  /// Returns the source root of manifests without their own: the project's, or the folder of the
  /// project file.
  package func defaultSourceRoot(of file: ProjectDocument?) -> String {
    self[\.sourceRoot]?.value ?? file?.place.folder ?? "."
  }

  /// The levels of findings, in ascending order of priority.
  ///
  /// An option has priority over the project file. In each of them, an ID has priority over a
  /// pattern of IDs, and otherwise the last one has priority.
  package var policy: FindingPolicy {
    FindingPolicy(
      layers.reversed().flatMap { layer in
        let settings = layer.settings.findings ?? []
        return settings.filter { !$0.namesOneID } + settings.filter(\.namesOneID)
      })
  }

  /// Whether to use a block cache.
  package var usesCache: Bool {
    layers.contains { $0.settings.cache.isEnabled || $0.settings.cache.folder != nil }
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

extension PackSettings {
  /// Creates settings of archives with the codec, the effort and the threads of a project; the
  /// default is one thread for each processor.
  package init(_ settings: EffectiveSettings) {
    self.init(
      compression: settings[\.compression]?.value ?? .lzfse,
      effort: settings[\.level]?.value ?? .default,
      threads: settings[\.threads]?.value ?? ProcessState.processorCount)
  }
}
