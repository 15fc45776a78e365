import BAPackKit
import Glibc
import SystemIO

/// Removes what a project made, and nothing else.
struct ProjectSweep {
  let isDryRun: Bool
  /// The paths of what went, or would go.
  private(set) var removed: [String] = []
  /// What has the name of a pack and is none, and why it stays.
  private(set) var kept: [(path: String, reason: String)] = []

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// Removes a pack, if one is there.
  mutating func removePack(_ path: String) throws(PackError) {
    let place = OutputPlace(path)
    do throws(Failure) {
      let folder = try FileDescriptor.open(place.folder, for: .directory)
      // The record that goes with it is ours by its name.
      if !isDryRun { folder.removeQuietly(RecordName.of(place.name)) }
      // A link is not followed: what it leads to is somewhere else.
      guard try folder.status(of: place.name).kind == .file else {
        return kept.append((path, "it is no file"))
      }
      let start = try folder.open(place.name, for: .reading).readToEnd(atMost: 8)
      guard PackReader.isPack(start) else { return kept.append((path, "it is no pack")) }
      if !isDryRun { try folder.remove(place.name) }
      removed.append(path)
    } catch {
      if error.code != ENOENT { throw PackError(error) }
    }
  }

  /// Removes packs that no manifest makes any more, and records of packs that are gone.
  mutating func remove(_ stale: StaleArchives) throws(PackError) {
    for path in stale.archives { try removePack(path) }
    for path in stale.others { kept.append((path, "it is not the pack that a record tells of")) }
    guard !isDryRun else { return }
    for path in stale.missing {
      let place = OutputPlace(path)
      if let folder = try? FileDescriptor.open(place.folder, for: .directory) {
        folder.removeQuietly(RecordName.of(place.name))
      }
    }
  }

  /// Removes what killed runs left in a folder, and the folder if nothing else is in it.
  func tidy(_ path: String) {
    guard !isDryRun else { return }
    if let folder = try? FileDescriptor.open(path, for: .directory) {
      _ = try? folder.removeLeftovers()
    }
    let place = OutputPlace(path)
    if let parent = try? FileDescriptor.open(place.folder, for: .directory) {
      parent.removeEmptyFolderQuietly(place.name)
    }
  }
}
