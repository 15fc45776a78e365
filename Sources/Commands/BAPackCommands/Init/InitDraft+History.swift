import AssetHistory
import BAPackKit
import Proposing
import SystemIO

// MARK: - The history of the assets

extension InitDraft {
  /// The time that the reading of a history may take.
  private static let historyLimit = Duration.seconds(2)

  /// Reads the changes of the files of a tree from its Git repository; nil if there is none.
  static func changes(of tree: AssetTree, _ console: Console) throws(PackError) -> ChangeTable? {
    try console.showing("Reading the history") { work throws(PackError) in
      let paths = Set(tree.files.indices.map { tree.path(ofFile: $0) })
      do throws(PackError) {
        let now = ContinuousClock.now
        let recent = try AssetHistory.recent(
          of: tree.root.text, pausing: now + Self.historyLimit / 4 * 3,
          until: now + Self.historyLimit, work, where: paths.contains)
        return recent.map { ChangeTable($0.history, areTags: $0.areTags, of: tree) }
      } catch {
        switch error.kind {
        case .interrupted: throw error
        // Git is not installed.
        case .missing: return nil
        case .timedOut:
          return ChangeTable(without: "the Git history was not read within 2 seconds")
        default: return ChangeTable(without: error.message)
        }
      }
    }
  }
}
