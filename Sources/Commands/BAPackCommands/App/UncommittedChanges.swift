import BAPackKit
import Glibc
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
      let git = [
        "git", "-C", folder.text, "--literal-pathspecs", "-c", "core.fsmonitor=false",
      ]
      // If Git rejects the repository, this prints the reason; 'diff' would print all its options.
      var commands = [["rev-parse"]]
      // The files against the index, then the index against the last commit.
      for option in [[], ["--cached"]] {
        commands.append(
          ["diff", "--quiet", "--no-ext-diff", "--no-textconv"] + option + ["--", path.name.shown])
      }
      for command in commands where !changed.contains(path) {
        switch try run(git + command, work) {
        case 0: break
        case 1: changed.append(path)
        default:
          throw PackError(
            .conflict, "Git cannot compare '\(path)' with its last commit",
            remedy: "use --force to change it")
        }
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

  /// Returns the exit status of a program; nil if it did not end by itself.
  private static func run(_ words: [String], _ work: Work) throws(PackError) -> Int32? {
    let child: ChildProcess
    do throws(Failure) {
      child = try ChildProcess(words, changing: ["GIT_OPTIONAL_LOCKS": "0"])
    } catch {
      return nil
    }
    try mapFailure(.reading) { () throws(Failure) in
      _ = try waitUntil(.readable, child.alarm.number, "", work)
    }
    if case .status(let status) = child.end { return status }
    return nil
  }
}
