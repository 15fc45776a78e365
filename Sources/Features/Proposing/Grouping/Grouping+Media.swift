import BAPackKit
import SystemIO

/// Models, music and videos.
extension Grouping {
  /// Groups each machine-learning model.
  mutating func groupModels() {
    for folder in tree.folders.indices where folder != AssetTree.rootFolder {
      let name = tree.name(ofFolder: folder)
      guard MediaKinds.modelFolders.contains(lowered(fileExtension(of: name))) else { continue }
      groupModel(named: fileStem(of: name), tree.allFiles(of: folder))
    }
    for file in tree.files.indices where isUndecided(file) {
      let name = tree.name(ofFile: file)
      guard MediaKinds.modelFiles.contains(lowered(fileExtension(of: name))) else { continue }
      groupModel(named: fileStem(of: name), file..<file + 1)
    }
  }

  private mutating func groupModel(named name: ArraySlice<UInt8>, _ files: Range<Int>) {
    guard files.contains(where: isUndecided) else { return }
    let group = add(
      Group(
        .model, named: [lowered(name)],
        Reason(GroupingRules.models, "the machine-learning model '\(shownBytes(name))'")))
    assign(files, to: group)
  }

  /// Groups music and videos.
  ///
  /// The sounds of a folder are music if most of their bytes are in large files.
  mutating func groupMedia() {
    for folder in tree.folders.indices {
      let sounds = tree.ownFiles(of: folder).filter { isUndecided($0) && isSound($0) }
      let bytes = sounds.reduce(0) { $0 + estimates[$1] }
      let large = sounds.reduce(0) { sum, file in
        sum + (estimates[file] >= musicBytes ? estimates[file] : 0)
      }
      if large > 0, large * 2 > bytes {
        assign(sounds, to: group(.music, named: "music", "large sounds"))
        assignIndexFiles(in: folder, to: group(.music, named: "music", "large sounds"), bytes)
      }
      let videos = tree.ownFiles(of: folder).filter { isUndecided($0) && isVideo($0) }
      if videos.reduce(0, { $0 + tree.files[$1].size }) >= smallest, !videos.isEmpty {
        assign(videos, to: group(.videos, named: "videos", "videos"))
      }
    }
  }

  /// Adds the small files of a folder that describe its media, such as playlists.
  private mutating func assignIndexFiles(in folder: Int, to group: Int, _ bytes: UInt64) {
    guard folder != AssetTree.rootFolder,
      !SiblingNames.core.contains(lowerName(ofFolder: folder))
    else { return }
    let others = tree.ownFiles(of: folder).filter { isUndecided($0) && !isVideo($0) }
    guard others.reduce(0, { $0 + tree.files[$1].size }) <= bytes / 20 else { return }
    assign(others, to: group)
  }

  /// The size of a sound from which it is music; less in a small project.
  private var musicBytes: UInt64 { min(MediaKinds.musicBytes, max(total / 10, 1)) }

  private mutating func group(_ kind: Group.Kind, named name: String, _ text: String) -> Int {
    if let index = groups.firstIndex(where: { $0.kind == kind }) { return index }
    return add(Group(kind, named: [name], Reason(GroupingRules.media, text)))
  }

  private func isSound(_ file: Int) -> Bool {
    MediaKinds.sounds.contains(lowered(fileExtension(of: tree.name(ofFile: file))))
  }

  private func isVideo(_ file: Int) -> Bool {
    MediaKinds.videos.contains(lowered(fileExtension(of: tree.name(ofFile: file))))
  }
}
