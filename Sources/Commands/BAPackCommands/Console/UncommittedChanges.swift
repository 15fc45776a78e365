import AssetHistory
import BAPackKit
import SystemIO
import TerminalText

/// The files with changes that Git has no commit of.
enum UncommittedChanges {
  /// Throws if Git tracks one of these files, and the file differs from the last commit.
  ///
  /// A file that Git does not track is not checked.
  static func check(_ paths: [FilePath], _ work: Work) throws(PackError) {
    var changed: [FilePath] = []
    for path in paths {
      let folder = path.folder.bytes.isEmpty ? "." : path.folder
      guard isInRepository(folder) else { continue }
      let repository = GitRepository(folder: folder.text, until: .now + .seconds(60), work)
      do throws(PackError) {
        if try repository.hasChanges(in: [FilePath(path.name.bytes).text]) { changed.append(path) }
      } catch {
        if error.kind == .interrupted { throw error }
        throw PackError(
          .conflict, "Git cannot compare '\(path)' with its last commit: \(error.message)",
          remedy: "use --force to change it")
      }
    }
    guard let first = changed.first else { return }
    throw PackError(
      .conflict,
      "'\(first)' has changes that are not committed"
        + (changed.count > 1
          ? ", and \(Quantity.count(changed.count - 1, "other file")), too" : ""),
      remedy: "commit them, or use --force")
  }

  /// Whether a folder, or one around it, belongs to a repository.
  private static func isInRepository(_ folder: FilePath) -> Bool {
    guard let real = try? realPath(of: folder.text) else { return false }
    var names = FilePath(real).components
    while true {
      let marker = FilePath("/" + FilePath(joining: names + [".git"]).text)
      if (try? FileStatus(ofLinkAt: marker.text)) != nil { return true }
      guard names.popLast() != nil else { return false }
    }
  }
}
