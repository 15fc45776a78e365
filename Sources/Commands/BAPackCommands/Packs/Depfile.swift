import BAPackKit
import SystemIO

/// The dependencies of archives, in the syntax that a build tool reads.
///
/// Each archive has a rule. For Make, each file also has a rule without prerequisites, so that Make
/// continues if a file was removed.
struct Depfile {
  private(set) var text: [UInt8] = []
  private let format: DepfileFormat?
  private var named: Set<FilePath> = []
  /// The archives, each with the folders that were listed for it.
  private var archives: [(id: String?, path: String, folders: [FilePath])] = []

  /// Creates the rules of some packs, each of which also depends on the project file.
  ///
  /// Throws if the tool has no syntax for one of the names, because changes of that file would be
  /// missed.
  init(
    _ packs: [PackDependencies], and project: ProjectPlace?, for format: DepfileFormat?,
    naming archive: (String?) -> String
  ) throws(PackError) {
    self.format = format
    let project = project.map { [PackDependencies.Input(FilePath($0.path))] } ?? []
    for pack in packs {
      let path = archive(pack.assetPackID)
      let folders = pack.inputs.lazy.filter(\.isFolder).map(\.path)
      archives.append((pack.assetPackID, path, Array(folders)))
      try add(pack.inputs + project, of: FilePath(path))
    }
  }

  /// Whether Make may read the file.
  private var isForMake: Bool { format ?? .make == .make }

  private mutating func add(
    _ inputs: [PackDependencies.Input], of archive: FilePath
  ) throws(PackError) {
    text += try name(.init(archive), asTarget: true)
    text.append(UInt8(ascii: ":"))
    var rules: [UInt8] = []
    // Make reads 'a(b' and a later 'c)' of one line as members 'b' and 'c' of the library 'a'.
    let closing = inputs.filter { isForMake && $0.path.bytes.last == UInt8(ascii: ")") }
    let others = inputs.filter { !isForMake || $0.path.bytes.last != UInt8(ascii: ")") }
    for input in closing + others {
      text += Array(" \\\n  ".utf8)
      text += try name(input, asTarget: false)
      guard isForMake, named.insert(input.path).inserted else { continue }
      rules += try name(input, asTarget: true)
      rules += Array(":\n".utf8)
    }
    text.append(UInt8(ascii: "\n"))
    text += rules
  }

  private func name(
    _ input: PackDependencies.Input, asTarget: Bool
  ) throws(PackError) -> [UInt8] {
    if let format {
      if let word = format.word(for: input, asTarget: asTarget) { return word }
      throw PackError(
        .invalidValue,
        "a depfile for \(format.tool) cannot contain the name '\(input.path.shown)'",
        remedy: "rename the file, or use '--update' instead of '--depfile'")
    }
    let word = DepfileFormat.make.word(for: input, asTarget: asTarget)
    let others = [
      DepfileFormat.make.word(for: input, asTarget: true),
      DepfileFormat.ninja.word(for: input, asTarget: true),
    ]
    if let word, others.allSatisfy({ $0 == word }) { return word }
    throw PackError(
      .invalidValue,
      "Make and Ninja have different syntax for the name '\(input.path.shown)' in a depfile",
      remedy: "select the tool with '--depfile-format', or rename the file")
  }

  /// Writes the file, after the archives.
  func write(to path: String) throws(PackError) {
    try mapFailure(.writing) { () throws(Failure) in
      try AtomicFile.write(text, to: path, replacing: true)
    }
  }

  /// Returns the folder of a file, if it was listed for one of the archives.
  func listedFolder(of path: String) -> String? {
    guard let folder = Self.identity(OutputPlace(path).folder) else { return nil }
    return archives.lazy.flatMap(\.folders).first { Self.identity($0.text) == folder }?.text
  }

  private static func identity(_ folder: String) -> FileIdentity? {
    try? FileStatus(ofFileAt: folder).identity
  }

  /// Makes archives newer than the folders listed for them, if archives or the depfile at `path`
  /// are in one of these folders.
  ///
  /// Otherwise a build tool would rebuild such archives.
  func touchArchives(
    besides path: String, where isMade: (String) -> Bool
  ) throws(PackError) {
    let written = Set(
      (archives.map(\.path) + [path]).compactMap { Self.identity(OutputPlace($0).folder) })
    for archive in archives {
      guard let id = archive.id, isMade(id),
        archive.folders.contains(where: { Self.identity($0.text).map(written.contains) ?? false })
      else { continue }
      let place = OutputPlace(archive.path)
      try mapFailure(.writing) { () throws(Failure) in
        try FileDescriptor.open(place.folder, for: .directory).touch(place.name)
      }
    }
  }
}
