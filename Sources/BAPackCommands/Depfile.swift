import BAPackKit
import SystemIO

/// What archives depend on, in the form that Make includes and Ninja reads.
///
/// Each archive has a rule. Each file has one as well, without anything behind it: so Make goes on when
/// a file is gone.
struct Depfile {
  private(set) var text: [UInt8] = []
  /// What cannot be written: neither Make nor Ninja has a way to name a path with a line end.
  private(set) var unnamed: [FilePath] = []
  private var named: Set<FilePath> = []

  /// Adds the rule of an archive.
  mutating func add(_ dependencies: [FilePath], of archive: String) {
    guard let target = name(FilePath(archive)) else { return }
    text += target
    text.append(UInt8(ascii: ":"))
    var rules: [UInt8] = []
    for path in dependencies {
      guard let word = name(path) else { continue }
      text += Array(" \\\n  ".utf8) + word
      if named.insert(path).inserted { rules += word + Array(":\n".utf8) }
    }
    text.append(UInt8(ascii: "\n"))
    text += rules
  }

  /// A path with what Make and Ninja would take for something else escaped.
  private mutating func name(_ path: FilePath) -> [UInt8]? {
    var word: [UInt8] = []
    var backslashes = 0
    for byte in path.bytes {
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        unnamed.append(path)
        return nil
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "#"), UInt8(ascii: ":"):
        // Backslashes before these have to be doubled, and nowhere else.
        word += [UInt8](repeating: UInt8(ascii: "\\"), count: backslashes + 1)
      case UInt8(ascii: "$"): word.append(byte)
      default: break
      }
      backslashes = byte == UInt8(ascii: "\\") ? backslashes + 1 : 0
      word.append(byte)
    }
    return word
  }

  /// Writes the rules of some packs; what the project file says decides as well.
  static func write(
    _ packs: [PackDependencies], and project: ProjectPlace?, to path: String,
    naming archive: (String?) -> String, _ console: Console
  ) throws(PackError) {
    var depfile = Depfile()
    let project = project.map { [FilePath($0.path)] } ?? []
    for pack in packs { depfile.add(pack.paths + project, of: archive(pack.assetPackID)) }
    for path in depfile.unnamed {
      console.warning("a depfile cannot name '\(path.shown)': its changes will not be noticed")
    }
    try during(.writing) { () throws(Failure) in
      try AtomicFile.write(depfile.text, to: path, replacing: true)
    }
  }
}
