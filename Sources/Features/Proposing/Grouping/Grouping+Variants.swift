import BAPackKit
import SystemIO

/// Variants of the same files for platforms and qualities.
extension Grouping {
  /// Leaves out the variants for other platforms, and groups those of each Apple platform.
  mutating func groupPlatforms() {
    for parent in tree.folders.indices {
      var folders: [(folder: Int, platform: Platform?)] = []
      for folder in tree.subfolders(of: parent) where hasUndecided(in: folder) {
        let name = lowerName(ofFolder: folder)
        let platform = VariantNames.applePlatforms[name]
        if platform != nil || VariantNames.otherPlatforms.contains(name) {
          folders.append((folder, platform))
        }
      }
      let apple = folders.filter { $0.platform != nil }
      guard folders.count >= 2, !apple.isEmpty else { continue }
      for (folder, platform) in folders where !isOffered(on: platform) {
        leaveOut(folder: folder, LeftOutRules.platforms, "variants for other platforms")
      }
      guard apple.count >= 2 else { continue }
      for case (let folder, let platform?) in apple where isOffered(on: platform) {
        var group = Group(
          .platform, named: nameParts(of: parent) + [platform.rawValue],
          Reason(GroupingRules.platform, "files for \(platform.rawValue) only"))
        group.platforms = [platform]
        assign(tree.allFiles(of: folder), to: add(group))
      }
    }
    leaveOutForeignTextures()
  }

  private func isOffered(on platform: Platform?) -> Bool {
    guard let platform else { return false }
    return options.platforms.isEmpty || options.platforms.contains(platform)
  }

  /// Leaves out textures next to the same texture in a format of Apple devices.
  private mutating func leaveOutForeignTextures() {
    for folder in tree.folders.indices {
      let foreign = tree.ownFiles(of: folder).filter {
        isKept($0)
          && VariantNames.foreignTextures.contains(
            lowered(fileExtension(of: tree.name(ofFile: $0))))
      }
      guard !foreign.isEmpty else { continue }
      let usable = Set(
        tree.ownFiles(of: folder).compactMap { file -> ArraySlice<UInt8>? in
          let name = tree.name(ofFile: file)
          return VariantNames.textures.contains(lowered(fileExtension(of: name)))
            ? fileStem(of: name) : nil
        })
      for file in foreign where usable.contains(fileStem(of: tree.name(ofFile: file))) {
        leaveOut(file, LeftOutRules.platforms, "variants for other platforms")
      }
    }
  }
}

// MARK: - Qualities

extension Grouping {
  /// Groups the files of each quality, if several folders have the same files.
  mutating func groupQualities() {
    for parent in tree.folders.indices {
      var folders: [(folder: Int, base: String, quality: String)] = []
      for folder in tree.subfolders(of: parent) where hasUndecided(in: folder) {
        guard let found = quality(ofFolder: folder) else { continue }
        folders.append((folder, found.base, found.quality))
      }
      for (_, family) in Dictionary(grouping: folders, by: \.base).sorted(by: { $0.key < $1.key }) {
        group(family.map { ($0.folder, $0.quality) }, in: parent, base: family[0].base)
      }
    }
    groupScaledImages()
  }

  /// Returns the name of a folder without its quality, and the quality.
  private func quality(ofFolder folder: Int) -> (base: String, quality: String)? {
    let name = lowerName(ofFolder: folder)
    if VariantNames.qualities.contains(name) { return ("", name) }
    guard let separator = name.lastIndex(where: { $0 == "-" || $0 == "_" || $0 == "@" }),
      separator > name.startIndex
    else { return nil }
    let quality = String(name[name.index(after: separator)...])
    guard VariantNames.qualityEndings.contains(quality) else { return nil }
    return (String(name[..<separator]), quality)
  }

  private mutating func group(
    _ folders: [(folder: Int, quality: String)], in parent: Int, base: String
  ) {
    var folders = folders
    // 'textures' next to 'textures-hd' is the base quality.
    if folders.count == 1, !base.isEmpty,
      let plain = tree.subfolders(of: parent).first(where: { lowerName(ofFolder: $0) == base }),
      hasUndecided(in: plain)
    {
      folders.append((plain, "base"))
    }
    guard folders.count >= 2 else { return }
    let paths = folders.map { relativePaths(in: $0.folder) }
    let similar = folders.indices.filter { index in
      paths.indices.contains { other in
        other != index && !paths[index].isDisjoint(with: paths[other])
          && paths[index].intersection(paths[other]).count * 2
            >= min(paths[index].count, paths[other].count)
      }
    }
    let bytes = similar.reduce(0) { $0 + undecidedEstimate(in: folders[$1].folder) }
    guard similar.count >= 2, bytes / UInt64(similar.count) >= smallest else { return }
    let reason = Reason(
      GroupingRules.tiers, "one of \(similar.count) qualities of the same files")
    let level = level(around: parent)
    let lowest = similar.min {
      (undecidedEstimate(in: folders[$0].folder), $0) < (
        undecidedEstimate(in: folders[$1].folder), $1
      )
    }
    for index in similar {
      let (folder, quality) = folders[index]
      let files = tree.allFiles(of: folder)
      guard let level else {
        let name = (base.isEmpty ? nameParts(of: parent) : [base]) + [quality]
        assign(files, to: add(Group(.tier, named: name, reason)))
        continue
      }
      // The user can play the first level in the lowest quality without another download.
      if level.isFirst, index == lowest,
        coreEstimate + undecidedEstimate(in: folder) <= options.essentialLimit
      {
        assignFirst(files, named: shownPath(ofFolder: folder), because: level.reason)
        continue
      }
      let variant = level.inner + (base.isEmpty ? [] : [base]) + [quality]
      let set = setOfVariants("\(level.set)/\(variant.joined(separator: "/"))")
      let name = [level.stem, ([level.part] + variant).joined(separator: "-")]
      assign(files, to: add(Group(.sibling(set: set), named: name, reason)))
    }
  }

  /// Returns the number of the set of levels in one quality; other sets have positive numbers.
  private mutating func setOfVariants(_ name: String) -> Int {
    if let index = setsOfVariants.firstIndex(of: name) { return -1 - index }
    setsOfVariants.append(name)
    return -setsOfVariants.count
  }

  /// Returns the hashes of the paths of undecided files in a folder, without their extensions.
  private func relativePaths(in folder: Int) -> Set<UInt64> {
    let prefix = tree.path(ofFolder: folder).count + 1
    return Set(
      tree.allFiles(of: folder).filter(isUndecided).map {
        stableHash(fileStem(of: tree.path(ofFile: $0)[prefix...]))
      })
  }

  /// Groups images with '@2x' and '@3x' in their names, unless they are small.
  private mutating func groupScaledImages() {
    let marks: [(mark: String, name: String)] = [("@2x", "2x"), ("@3x", "3x")]
    for (mark, name) in marks {
      let files = tree.files.indices.filter { file in
        isUndecided(file)
          && fileStem(of: tree.name(ofFile: file)).suffix(3).elementsEqual(mark.utf8)
      }
      let bytes = files.reduce(0) { $0 + tree.files[$1].size }
      guard files.count >= 2, bytes >= max(total / 20, smallest), bytes > 0 else { continue }
      let group = add(
        Group(
          .tier, named: ["images", name],
          Reason(GroupingRules.tiers, "images for screens with the scale \(mark)")))
      assign(files, to: group)
    }
  }
}
