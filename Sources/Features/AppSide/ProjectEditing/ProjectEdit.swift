import BAPackKit
import SourceDiagnostics
import SystemIO

/// A project, and the objects that are inserted into it.
///
/// The properties of existing objects are not changed, except that lists get elements, and
/// dictionaries get keys.
struct ProjectEdit {
  let list: PlacedValue
  let graph: XcodeProject
  let app: XcodeProject.Object
  private var text: ProjectText
  private let ids: ObjectIDs
  /// The inserted objects.
  private(set) var objects: [ProjectText.NewObject] = []
  /// The keys that are inserted into dictionaries, with the paths of these.
  private(set) var keys: [(path: [String], value: PlacedValue)] = []

  /// Begins a change of a project.
  init(
    _ bytes: [UInt8], _ list: PlacedValue, _ graph: XcodeProject, app: XcodeProject.Object
  ) throws(PackError) {
    self.list = list
    self.graph = graph
    self.app = app
    text = try ProjectText(bytes, list)
    ids = ObjectIDs(project: graph.root.id, app: app.id)
    text.setName("Project object", of: graph.root.id)
    text.setName(app["name"]?.text ?? "", of: app.id)
  }

  /// The text with all insertions.
  var result: [UInt8] { text.result }

  /// Whether the project is changed.
  var isEmpty: Bool { objects.isEmpty && keys.isEmpty }

  /// Returns the ID of the object with a role.
  func id(_ role: String) throws(PackError) -> String { try ids.id(role) }

  /// Sets the name of an existing object in comments.
  mutating func setName(_ name: String, of id: String) { text.setName(name, of: id) }

  /// Adds an object, and returns its ID.
  mutating func add(
    _ role: String, named name: String, isOnOneLine: Bool = false,
    _ members: KeyValuePairs<String, PlacedValue>
  ) throws(PackError) -> String {
    try add(role, named: name, isOnOneLine: isOnOneLine, .new(members))
  }

  mutating func add(
    _ role: String, named name: String, isOnOneLine: Bool = false, _ value: PlacedValue
  ) throws(PackError) -> String {
    let id = try id(role)
    guard graph.object(.new(id)) == nil else {
      throw PackError.refusal(
        "it contains a part of an extension: the object '\(id)'",
        remedy: "restore the former project, and run the command again")
    }
    objects.append(.init(id: id, name: name, value: value, isOnOneLine: isOnOneLine))
    text.setName(name, of: id)
    return id
  }

  /// Inserts a reference into a list of an object.
  ///
  /// If the object has no such list, it gets one.
  mutating func insert(
    _ id: String, into key: String, of object: XcodeProject.Object, before other: PlacedValue? = nil
  ) throws(PackError) {
    guard let list = object[key] else {
      return try insert(key, .new([id]), into: object.value, at: [object.id])
    }
    guard case .array = list.kind else {
      throw PackError.refusal("'\(key)' of an object is not a list")
    }
    try text.insert(id, into: list, before: other)
  }

  /// Inserts a key into a dictionary at a path of keys, which starts with the ID of an object.
  mutating func insert(
    _ key: String, _ value: PlacedValue, into dictionary: PlacedValue, at path: [String]
  ) throws(PackError) {
    guard case .dictionary = dictionary.kind else {
      throw PackError.refusal("'\(path.last ?? "")' is not a dictionary")
    }
    try text.insert(key, value, into: dictionary)
    keys.append((path + [key], value))
  }

  /// Inserts the added objects into the text.
  mutating func finish() throws(PackError) { try text.insert(objects) }

  // MARK: Comparison

  /// Returns whether a changed project has exactly the objects of the former one and the new ones.
  func isResult(_ changed: PlacedValue) -> Bool {
    let new = Set(objects.map(\.id))
    guard let table = changed["objects"],
      objects.allSatisfy({ table[$0.id] == $0.value }),
      keys.allSatisfy({ path, value in
        path.reduce(table) { $0?[$1] } == value
      })
    else { return false }
    var former = table
    for (path, _) in keys { former = former.removing(path[...]) }
    former = former.removing(new)
    let others = { (list: PlacedValue) in list.members.filter { $0.key != "objects" } }
    return list["objects"] == former && others(list) == others(changed)
  }
}

extension PlacedValue {
  /// Returns the value without the key at the end of a path.
  fileprivate func removing(_ path: ArraySlice<String>) -> PlacedValue {
    guard case .dictionary(let members) = kind, let key = path.first else { return self }
    let rest = members.compactMap { member -> Member? in
      guard member.key == key else { return member }
      guard path.count > 1 else { return nil }
      return Member(
        key: key, keySpan: member.keySpan, value: member.value.removing(path.dropFirst()))
    }
    return PlacedValue(.dictionary(rest), at: span)
  }

  /// Returns a table of objects without some objects, and without references to them in lists.
  fileprivate func removing(_ ids: Set<String>) -> PlacedValue {
    switch kind {
    case .array(let elements):
      let rest = elements.filter { $0.text.map { !ids.contains($0) } ?? true }
      return PlacedValue(.array(rest.map { $0.removing(ids) }), at: span)
    case .dictionary(let members):
      let rest = members.filter { !ids.contains($0.key) }.map { member in
        Member(key: member.key, keySpan: member.keySpan, value: member.value.removing(ids))
      }
      return PlacedValue(.dictionary(rest), at: span)
    default: return self
    }
  }
}
