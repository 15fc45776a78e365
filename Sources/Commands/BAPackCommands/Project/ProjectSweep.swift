import BAPackKit
import Glibc
import SystemIO

/// Removes the outputs of a project, and no other files.
struct ProjectSweep {
  let isDryRun: Bool
  /// The paths of the removed files, or of those to remove.
  private(set) var removed: [String] = []
  /// The files that have the name of a pack and are kept, and the reason.
  private(set) var kept: [(path: String, reason: String)] = []

  init(isDryRun: Bool) { self.isDryRun = isDryRun }

  /// Removes a pack, if it exists.
  mutating func removePack(_ path: String) throws(PackError) {
    let place = OutputPlace(path)
    do throws(Failure) {
      let folder = try FileDescriptor.open(place.folder, for: .directory)
      // The name of the record determines that it belongs to the pack.
      if !isDryRun { folder.removeQuietly(RecordName.of(place.name)) }
      // Symbolic links are not followed.
      guard try folder.status(of: place.name).kind == .file else {
        return kept.append((path, "it is not a file"))
      }
      let start = try folder.open(place.name, for: .reading).readToEnd(atMost: 8)
      guard PackReader.isPack(start) else { return kept.append((path, "it is not a pack")) }
      if !isDryRun { try folder.remove(place.name) }
      removed.append(path)
    } catch {
      if error.code != ENOENT { throw PackError(error) }
    }
  }

  /// Removes packs without a manifest, and records without a pack.
  mutating func remove(_ stale: StaleArchives) throws(PackError) {
    for path in stale.archives { try removePack(path) }
    guard !isDryRun else { return }
    for path in stale.missing {
      let place = OutputPlace(path)
      if let folder = try? FileDescriptor.open(place.folder, for: .directory) {
        folder.removeQuietly(RecordName.of(place.name))
      }
    }
  }

  /// Removes temporary files of killed runs from a folder, and the folder if it is empty.
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
