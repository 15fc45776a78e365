import AssetArchive
import SystemIO

/// The record of a walk: the selected, excluded and missing files.
struct SelectedFiles {
  var selection = Selection()
  /// The exclusions that matched a name.
  var exclusionMarks = PatternSet.Marks()
  /// The excluded files, for display.
  private(set) var excluded: [Selection.Excluded] = []
  /// The paths of the listed folders below the source root.
  private(set) var folders: [[UInt8]] = []
  /// The paths and patterns without a match.
  private(set) var absent: [Absent] = []
  /// Whether to keep excluded files for display.
  let listsExcluded: Bool
  /// Whether to keep the listed folders, for callers that wait for new files in them.
  let notesFolders: Bool

  init(listingExcluded: Bool = false, notingFolders: Bool = false) {
    listsExcluded = listingExcluded
    notesFolders = notingFolders
  }

  /// Adds a file or folder with the stored path in the pack; without `source`, it keeps its path.
  mutating func add(
    _ status: FileStatus, at place: PackPathBuffer.Place, source: [UInt8]?,
    selectedBy selector: Int
  ) {
    let start = Int(place.start)
    let path =
      source.map { selection.paths.append(source: $0) } ?? start..<start + Int(place.count)
    selection.records.append(SelectionRecord(status, at: place, source: path, selector: selector))
  }

  /// Adds a file or folder that exclusions exclude, once for each selector that selects it.
  mutating func add(
    excluded path: FilePath, isFolder: Bool, selectedBy selectors: [Int],
    excludedBy exclusions: [Int]
  ) {
    excluded += selectors.map {
      Selection.Excluded(
        source: path, isFolder: isFolder, selector: $0, exclusions: exclusions)
    }
  }

  /// Adds a listed folder, if requested.
  mutating func add(listed path: [UInt8]) {
    if notesFolders { folders.append(path) }
  }

  /// Adds a path or pattern without a match.
  mutating func add(_ missing: Absent) { absent.append(missing) }
}
