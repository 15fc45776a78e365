import Arguments
import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// The manifests that a command is given, how they are to be judged, and where their files are.
struct ManifestInput: Sendable {
  static let paths = ArgumentList(
    "manifest", .file(), "The manifest to read; '-' reads standard input.")
  static let hosting = Option<Hosting>(
    "hosting", .choice, called: "host",
    "Also apply the rules of those who host packs: Apple, or a server of your own.")
  static let sourceRoot = Option(
    "source-root", .file(), called: "path",
    "The folder or archive that selectors start from, instead of the manifest's 'sourceRoot'.")

  static let primaryLanguage = Option<LanguageTag>(
    "primary-language",
    ValueType { word throws(InvalidValue) in
      guard let tag = LanguageTag(word) else {
        throw InvalidValue("a language such as en, es-419 or zh-Hant is needed")
      }
      return tag
    }, called: "tag",
    "Check that localized packs are there in the app's primary language, which all other devices get."
  )

  var hosting: Hosting?
  var primaryLanguage: LanguageTag?
  /// Holds for all manifests, whatever they say.
  var sourceRoot: String?

  init(_ arguments: ParsedArguments) {
    hosting = arguments[Self.hosting]
    primaryLanguage = arguments[Self.primaryLanguage]
    sourceRoot = arguments[Self.sourceRoot]
  }

  /// Reads one manifest: everything that is wrong with its text is a diagnostic of the document.
  func read(_ path: String, _ console: Console) throws(PackError) -> ManifestDocument {
    switch try contents(of: path, console) {
    case .text(let bytes):
      ManifestDocument(parsing: bytes, named: Self.name(of: path), for: hosting)
    case .folder: ManifestDocument(folderNamed: path)
    }
  }

  /// The manifests that paths stand for: a folder for all that are in it, and a file once, however
  /// often it is named.
  func expanded(_ paths: [String], _ console: Console) -> [String] {
    var result: [String] = []
    var seen: [FileIdentity: String] = [:]
    for path in paths.flatMap({ manifests(at: $0, console) }) {
      if path != "-", let identity = try? FileStatus(ofFileAt: path).identity {
        if let first = seen[identity] {
          console.warning("'\(path)' is the same file as '\(first)', and counts once")
          continue
        }
        seen[identity] = path
      }
      result.append(path)
    }
    return result
  }

  private func manifests(at path: String, _ console: Console) -> [String] {
    guard path != "-", (try? FileStatus(ofFileAt: path))?.kind == .directory,
      let folder = try? ManifestFolder(path), !folder.manifests.isEmpty
    else { return [path] }
    let found = Quantity.count(folder.manifests.count, "manifest")
    let others = Quantity.count(folder.others.count, "other JSON file")
    let names = folder.others.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
    let more = folder.others.count > 3 ? ", …" : ""
    console.summary(
      folder.others.isEmpty
        ? "\(path): \(found)" : "\(path): \(found); left out: \(others) (\(names)\(more))")
    return folder.manifests
  }

  /// What messages call a manifest.
  static func name(of path: String) -> String { path == "-" ? "<stdin>" : path }

  /// What is behind the path of a manifest.
  enum Contents {
    case text([UInt8])
    case folder
  }

  /// How much of a text is read: one byte too many is enough to see that it is too large.
  static let limit = JSONLimits().size + 1
  /// What to do when there is no manifest by that name.
  static let remedyForNone = "'ba-package template -o Manifest.json' makes one to start from"

  func contents(of path: String, _ console: Console) throws(PackError) -> Contents {
    do throws(SystemError) {
      if path == "-" { return .text(try console.readInput(atMost: Self.limit)) }
      let file = try FileDescriptor.open(path, for: .waiting)
      if try file.status().kind == .directory { return .folder }
      return .text(try file.readToEnd(atMost: Self.limit))
    } catch {
      guard error.code == ENOENT else { throw PackError(error) }
      throw PackError(error, remedy: Self.remedyForNone)
    }
  }
}

extension Console {
  /// Standard input to its end, or the first `count` bytes of it.
  fileprivate func readInput(atMost count: Int) throws(SystemError) -> [UInt8] {
    if let givenInput { return Array(givenInput.prefix(count)) }
    // A copy of the descriptor: opening /dev/stdin fails when that is a socket, as in some CI.
    return try FileDescriptor.standardInput().readToEnd(atMost: count)
  }
}
