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

  var hosting: Hosting?
  /// Holds for all manifests, whatever they say.
  var sourceRoot: String?

  init(_ arguments: ParsedArguments) {
    hosting = arguments[Self.hosting]
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
