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

  /// Goes through all groups from the outermost, without recursion: hostile ones contain themselves.
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

// MARK: - Build settings

extension XcodeProject {
  /// A configuration of a target with the project's behind it, and the files of both.
  struct Settings {
    /// Its name: `Release`.
    var name: String
    /// What says something, from the target's own to the outermost.
    fileprivate var layers: [Layer]

    fileprivate enum Layer {
      case project(PlacedValue)
      case file(SettingsFile)
    }

    /// The files with settings that could not be read.
    var unread: [SettingsFile] {
      layers.compactMap { if case .file(let file) = $0, file.words == nil { file } else { nil } }
    }

    /// The value of a setting, with what it inherits.
    subscript(_ key: String) -> [SettingWord] { words(key, from: layers[...]) }

    private func words(_ key: String, from layers: ArraySlice<Layer>) -> [SettingWord] {
      guard let layer = layers.first else { return [] }
      let given: [SettingWord]? =
        switch layer {
        case .project(let settings): settings[key].map { Self.words($0) }
        case .file(let file): file.words?[key]
        }
      guard let given else { return words(key, from: layers.dropFirst()) }
      return given.flatMap { word in
        word.text == "$(inherited)" || word.text == "${inherited}"
          ? words(key, from: layers.dropFirst()) : [word]
      }
    }

    /// The words of a list, written as a list or as one text.
    private static func words(_ value: PlacedValue) -> [SettingWord] {
      value.texts.flatMap { text, span in
        split(text).map { SettingWord(text: $0, span: span) }
      }
    }

    /// Splits at blanks; quotes and backslashes keep them.
    static func split(_ text: String) -> [String] {
      var words: [String] = []
      var word = ""
      var isOpen = false
      var quote: Character?
      var isEscaped = false
      for character in text {
        if isEscaped {
          word.append(character)
          isEscaped = false
        } else if character == "\\" {
          isEscaped = true
          isOpen = true
        } else if let open = quote {
          if character == open { quote = nil } else { word.append(character) }
        } else if character == "\"" || character == "'" {
          quote = character
          isOpen = true
        } else if character.isWhitespace {
          if isOpen || !word.isEmpty { words.append(word) }
          word = ""
          isOpen = false
        } else {
          word.append(character)
        }
      }
      if isOpen || !word.isEmpty { words.append(word) }
      return words
    }
  }

  /// The configurations of a target, the one that apps are published with first.
  func settings(
    of target: Object, reading file: (PlacedValue) -> SettingsFile
  ) -> [Settings] {
    let list = object(target["buildConfigurationList"])
    let behind = object(root["buildConfigurationList"])
    let all = objects(list?["buildConfigurations"]).map { configuration in
      let name = configuration["name"]?.text ?? ""
      let outer = objects(behind?["buildConfigurations"]).first { $0["name"]?.text == name }
      var layers: [Settings.Layer] = []
      for object in [configuration, outer].compactMap(\.self) {
        if let own = object["buildSettings"] { layers.append(.project(own)) }
        if let base = object["baseConfigurationReference"] { layers.append(.file(file(base))) }
      }
      return Settings(name: name, layers: layers)
    }
    let published = list?["defaultConfigurationName"]?.text ?? "Release"
    return all.filter { $0.name == "Release" }
      + all.filter { $0.name != "Release" && $0.name == published }
      + all.filter { $0.name != "Release" && $0.name != published }
  }
}

/// A file with build settings (`.xcconfig`): `KEY = words`, a line each.
struct SettingsFile {
  /// Its path in the project, and where the project names it.
  var path: String
  var span: SourceSpan
  /// What it says, with the place of the file's name; nil if it cannot be read.
  var words: [String: [SettingWord]]?

  /// Reads the file that a configuration refers to.
  init(_ reference: PlacedValue, of project: XcodeProject, in folder: ResourceFolder) {
    span = reference.span
    let object = project.object(reference)
    path = object?["path"]?.text ?? ""
    guard let place = object.flatMap({ project.place(of: $0) }), let file = folder.path(of: place),
      let text = folder.text(file)
    else { return }
    words = [:]
    read(text.bytes, named: file, in: folder, depth: 0)
  }

  private mutating func read(
    _ bytes: [UInt8], named file: FilePath, in folder: ResourceFolder, depth: Int
  ) {
    for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      var text = String(decoding: line, as: UTF8.self)[...]
      if let comment = text.firstRange(of: "//") { text = text[..<comment.lowerBound] }
      if text.hasPrefix("#include") {
        let name = text.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
        let other = file.folder.appending(FilePath(name)).withoutWaysBack
        guard depth < 8, let included = folder.text(other) else { continue }
        read(included.bytes, named: other, in: folder, depth: depth + 1)
        continue
      }
      guard let sign = text.firstIndex(of: "=") else { continue }
      let key = text[..<sign].split(separator: " ").first.map(String.init) ?? ""
      words?[key] = XcodeProject.Settings.split(String(text[text.index(after: sign)...])).map {
        SettingWord(text: $0, span: span)
      }
    }
  }
}

/// A word of a build setting, with its place.
struct SettingWord: Equatable {
  var text: String
  var span: SourceSpan
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
