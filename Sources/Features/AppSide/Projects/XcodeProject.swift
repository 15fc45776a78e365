package import SourceDiagnostics
package import SystemIO

/// The graph of objects in an Xcode project, and the folders of its files.
package struct XcodeProject {
  /// An object: its ID, kind and properties.
  package struct Object {
    package var id: String
    package var value: PlacedValue

    package var kind: String { value["isa"]?.text ?? "" }
    package var span: SourceSpan { value.span }

    package subscript(_ key: String) -> PlacedValue? { value[key] }
  }

  private let objects: [String: PlacedValue]
  /// The root object of the project.
  package let root: Object
  /// The folder of the project's files, relative to the folder of the project; usually empty.
  package let folder: FilePath
  /// The location of each file and group.
  private var places: [String: FileLocation] = [:]

  /// The location of a file.
  package enum FileLocation: Equatable {
    /// Relative to the folder of the project; begins with `..` if it is outside.
    case project(FilePath)
    case absolute(FilePath)
    /// In a folder that only Xcode can resolve.
    case elsewhere(String)

    package func appending(_ path: FilePath) -> FileLocation {
      switch self {
      case .project(let folder): .project(folder.appending(path).withoutWaysBack)
      case .absolute(let folder): .absolute(folder.appending(path))
      case .elsewhere: self
      }
    }
  }

  /// Reads the objects of a project; throws if the value is not a project.
  package init(_ list: PlacedValue) throws(Unreadable) {
    let remedy: Finding.Message = "specify a project.pbxproj, or the .xcodeproj that contains it"
    let start = SourceSpan(list.span.start, min(list.span.start + 1, list.span.end))
    guard let table = list["objects"], case .dictionary(let members) = table.kind else {
      throw Unreadable(start, "this is not an Xcode project: it has no 'objects'", remedy: remedy)
    }
    var objects: [String: PlacedValue] = [:]
    objects.reserveCapacity(members.count)
    for member in members { objects[member.key] = member.value }
    let id = list["rootObject"]?.text
    let named = id.flatMap { objects[$0] }
    guard let id, let value = named else {
      throw Unreadable(
        list["rootObject"]?.span ?? start, "the root object of the project is missing",
        remedy: remedy)
    }
    self.objects = objects
    root = Object(id: id, value: value)
    let given = FilePath(value["projectDirPath"]?.text ?? "")
    folder = given.isAbsolute ? given : given.withoutWaysBack
    places = findPlaces()
  }

  /// Returns the object to which a property refers.
  package func object(_ reference: PlacedValue?) -> Object? {
    guard let id = reference?.text, let value = objects[id] else { return nil }
    return Object(id: id, value: value)
  }

  /// Returns the objects to which a list refers, with the places of the references.
  package func objects(_ list: PlacedValue?) -> [Object] {
    list?.elements.compactMap { object($0) } ?? []
  }

  /// Returns all objects of a kind, in the order of the text.
  package func objects(ofKind kind: String) -> [Object] {
    objects.lazy.filter { $0.value["isa"]?.text == kind }
      .map { Object(id: $0.key, value: $0.value) }
      .sorted { ($0.span, $0.id) < ($1.span, $1.id) }
  }

  /// The native targets, in the order of the project.
  package var targets: [Object] { objects(root["targets"]).filter { $0.kind == "PBXNativeTarget" } }

  /// Returns the location of a file or group; nil for one that is in no group.
  package func place(of object: Object) -> FileLocation? { places[object.id] }

  // MARK: Groups

  /// Returns the locations of all files, starting at the outermost group.
  ///
  /// It avoids recursion, because a malicious group can contain itself.
  private func findPlaces() -> [String: FileLocation] {
    var places: [String: FileLocation] = [:]
    guard let main = object(root["mainGroup"]) else { return places }
    var open: [(object: Object, around: FileLocation)] = [(main, .project(FilePath("")))]
    while let (object, around) = open.popLast() {
      guard places[object.id] == nil else { continue }
      let place = Self.place(of: object, in: around)
      places[object.id] = place
      for child in objects(object["children"]).reversed() { open.append((child, place)) }
    }
    return places
  }

  private static func place(of object: Object, in group: FileLocation) -> FileLocation {
    let path = FilePath(object["path"]?.text ?? "")
    return switch object["sourceTree"]?.text ?? "<group>" {
    case "<group>", "":
      path.isAbsolute ? .absolute(path) : group.appending(path)
    case "<absolute>": .absolute(path)
    case "SOURCE_ROOT": FileLocation.project(FilePath("")).appending(path)
    case let tree: .elsewhere(tree)
    }
  }
}

extension FilePath {
  /// The path without `.`, and without `..` after a name; the remaining `..` are at the start.
  package var withoutWaysBack: FilePath {
    var names: [FileName] = []
    for name in components {
      if name == "..", let last = names.last, last != ".." {
        names.removeLast()
      } else {
        names.append(name)
      }
    }
    return FilePath(joining: names)
  }

  /// Whether the path leads out of its starting folder.
  package var leavesFolder: Bool { components.first == ".." }
}
