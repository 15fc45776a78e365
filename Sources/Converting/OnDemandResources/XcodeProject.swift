import SourceDiagnostics
import SystemIO

/// A project of Xcode as a graph of objects, and the folders that its files are in.
struct XcodeProject {
  /// An object: its ID, what it is, and its properties.
  struct Object {
    var id: String
    var value: PlacedValue

    var kind: String { value["isa"]?.text ?? "" }
    var span: SourceSpan { value.span }

    subscript(_ key: String) -> PlacedValue? { value[key] }
  }

  private let objects: [String: PlacedValue]
  /// The project itself.
  let root: Object
  /// Where the project says its files are, below the folder that it is in: usually nowhere else.
  let folder: FilePath
  /// Where each file and group is.
  private var places: [String: Place] = [:]

  /// Where a file is.
  enum Place: Equatable {
    /// Below the folder of the project, or beside it: then it begins with `..`.
    case project(FilePath)
    case absolute(FilePath)
    /// In a folder that only Xcode knows.
    case elsewhere(String)

    func appending(_ path: FilePath) -> Place {
      switch self {
      case .project(let folder): .project(folder.appending(path).withoutWaysBack)
      case .absolute(let folder): .absolute(folder.appending(path))
      case .elsewhere: self
      }
    }
  }

  /// Reads the objects of a project; throws where it is none.
  init(_ list: PlacedValue) throws(Unreadable) {
    let remedy: Finding.Message = "name a project.pbxproj, or the .xcodeproj around it"
    let start = SourceSpan(list.span.start, min(list.span.start + 1, list.span.end))
    guard let table = list["objects"], case .dictionary(let members) = table.kind else {
      throw Unreadable(start, "this is no project of Xcode: it has no 'objects'", remedy: remedy)
    }
    var objects: [String: PlacedValue] = [:]
    objects.reserveCapacity(members.count)
    for member in members { objects[member.key] = member.value }
    let id = list["rootObject"]?.text
    let named = id.flatMap { objects[$0] }
    guard let id, let value = named else {
      throw Unreadable(
        list["rootObject"]?.span ?? start, "the object of the project itself is missing",
        remedy: remedy)
    }
    self.objects = objects
    root = Object(id: id, value: value)
    let given = FilePath(value["projectDirPath"]?.text ?? "")
    folder = given.isAbsolute ? given : given.withoutWaysBack
    places = findPlaces()
  }

  /// The object that a property refers to.
  func object(_ reference: PlacedValue?) -> Object? {
    guard let id = reference?.text, let value = objects[id] else { return nil }
    return Object(id: id, value: value)
  }

  /// The objects that a list refers to, with the places of the references.
  func objects(_ list: PlacedValue?) -> [Object] { list?.elements.compactMap { object($0) } ?? [] }

  /// All objects of a kind, in the order of the text.
  func objects(ofKind kind: String) -> [Object] {
    objects.lazy.filter { $0.value["isa"]?.text == kind }
      .map { Object(id: $0.key, value: $0.value) }
      .sorted { ($0.span, $0.id) < ($1.span, $1.id) }
  }

  /// The targets that make products of Xcode's own, in the order of the project.
  var targets: [Object] { objects(root["targets"]).filter { $0.kind == "PBXNativeTarget" } }

  /// Where a file or group is; nil for one that is in no group.
  func place(of object: Object) -> Place? { places[object.id] }

  // MARK: Groups

  /// Goes through all groups from the outermost, without recursion: hostile ones contain
  /// themselves.
  private func findPlaces() -> [String: Place] {
    var places: [String: Place] = [:]
    guard let main = object(root["mainGroup"]) else { return places }
    var open: [(object: Object, around: Place)] = [(main, .project(FilePath("")))]
    while let (object, around) = open.popLast() {
      guard places[object.id] == nil else { continue }
      let place = Self.place(of: object, in: around)
      places[object.id] = place
      for child in objects(object["children"]).reversed() { open.append((child, place)) }
    }
    return places
  }

  private static func place(of object: Object, in group: Place) -> Place {
    let path = FilePath(object["path"]?.text ?? "")
    return switch object["sourceTree"]?.text ?? "<group>" {
    case "<group>", "":
      path.isAbsolute ? .absolute(path) : group.appending(path)
    case "<absolute>": .absolute(path)
    case "SOURCE_ROOT": Place.project(FilePath("")).appending(path)
    case let tree: .elsewhere(tree)
    }
  }
}

extension FilePath {
  /// The path without `.` and without `..` after a name; what is left of these is at the beginning.
  var withoutWaysBack: FilePath {
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

  /// Whether it leads out of the folder that it starts from.
  var leavesFolder: Bool { components.first == ".." }
}
