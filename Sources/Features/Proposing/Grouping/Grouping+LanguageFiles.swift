import BAPackKit
import SystemIO

/// A file with a language in its name, such as `intro_de.mp4`.
private struct LanguageFile {
  var file: Int
  var name: LanguageName
  /// The number of subtags after the language.
  var subtags: Int { [name.tag.script, name.tag.region].count { $0 != nil } }
  /// The name without the language: `intro.mp4`; the extension alone if the whole stem is one.
  var plainName: [UInt8]
}

/// The languages of files: `Movies/intro_de.mp4`, `Text/pt_BR.txt`.
extension Grouping {
  /// Groups the files with a language in their names.
  mutating func groupLanguageFiles() {
    var found: [Family] = []
    for folder in tree.folders.indices where isPlain(tree.path(ofFolder: folder)[...]) {
      var families: [[UInt8]: [LanguageFile]] = [:]
      for file in tree.ownFiles(of: folder)
      where isUndecided(file) && isPlain(tree.name(ofFile: file)) {
        guard let found = language(of: file) else { continue }
        families[found.plainName, default: []].append(found)
      }
      families = families.mapValues { files in
        let tags = files.map(\.name.tag)
        return files.map { file in
          var file = file
          file.name = file.name.next(to: tags)
          return file
        }
      }
      let isFramed = LanguageFrames.folders.contains(lowerName(ofFolder: folder))
      for (plainName, files) in families.sorted(by: { $0.value[0].file < $1.value[0].file }) {
        let accepted = translations(among: files, isFramed: isFramed)
        guard accepted.count >= 2 else { continue }
        let suffix = lowered(fileExtension(of: plainName[...]))
        if !separatesTexts,
          LanguageFrames.texts.contains(suffix.isEmpty ? lowered(plainName.dropFirst()) : suffix)
        {
          // Texts next to other files, such as those of a level, belong to their folder.
          let kept = tree.ownFiles(of: folder).filter(isKept)
          if kept.allSatisfy(isText) {
            texts += files.map(\.file)
            assign(kept, to: textGroup())
          }
        } else {
          let others = files.filter { file in
            accepted.contains {
              $0.file != file.file && $0.name.tag.isEquivalent(to: file.name.tag)
            }
          }
          found.append(
            Family(
              folder: folder, plainName: plainName, files: accepted, others: others.map(\.file)))
        }
      }
    }
    // A pack for each language is not worth a few small files.
    let bytes = found.flatMap(\.files).reduce(0) { $0 + estimates[$1.file] }
    let languages = Set(found.flatMap(\.files).map(\.name.tag.meaning)).count
    let isLarge = languages > 0 && bytes / UInt64(languages) >= smallest
    for family in found
    where isLarge || separatesTexts && family.files.allSatisfy({ isText($0.file) }) {
      group(family)
    }
  }

  func isText(_ file: Int) -> Bool {
    LanguageFrames.texts.contains(lowered(fileExtension(of: tree.name(ofFile: file))))
  }

  /// The files of a folder that are translations of each other.
  private struct Family {
    var folder: Int
    var plainName: [UInt8]
    var files: [LanguageFile]
    /// The files with further spellings of the languages.
    var others: [Int]
  }

  private func plainFiles(named name: [UInt8], in folder: Int) -> [Int] {
    tree.ownFiles(of: folder).filter { tree.name(ofFile: $0).elementsEqual(name) }
  }

  /// Returns the files that are translations of each other: of each language that of its region, or
  /// else the largest one.
  private func translations(among files: [LanguageFile], isFramed: Bool) -> [LanguageFile] {
    var largest: [LanguageMeaning: LanguageFile] = [:]
    for file in files {
      func rank(_ file: LanguageFile) -> (Int, UInt64) {
        (file.subtags, tree.files[file.file].size)
      }
      if largest[file.name.tag.meaning].map({ rank($0) < rank(file) }) ?? true {
        largest[file.name.tag.meaning] = file
      }
    }
    let distinct = largest.values.sorted { $0.file < $1.file }
    let certain = distinct.count(where: \.name.isCertain)
    return distinct.count >= 2 && (certain >= 2 || certain >= 1 && isFramed) ? distinct : []
  }

  private mutating func group(_ family: Family) {
    let folder = family.folder
    // The file without a language is that of the primary language.
    var place = TranslationSet(folder: folder)
    let plain = plainFiles(named: family.plainName, in: folder).first
    if let plain {
      let primary = primaryLanguage ?? LanguageTag(language: "en")
      guard isUndecided(plain),
        !family.files.contains(where: { $0.name.tag.isEquivalent(to: primary) })
      else { return }
      let group = group(of: primary)
      assign(plain, to: group)
      place.groups.insert(group)
      place.defaults.append(plain)
    }
    let path = tree.path(ofFolder: folder)
    for language in family.files {
      // 'Voices/de.ogg' is 'Voices/Voices.ogg' in every language.
      let name =
        language.plainName.first == dot
        ? Array(tree.name(ofFolder: folder)) + language.plainName : language.plainName
      renamedFiles[language.file] = path.isEmpty ? name : path + [slash] + name
      let group = group(of: language.name.tag)
      assign(language.file, to: group)
      place.groups.insert(group)
      place.files.append(language.file)
    }
    for other in family.others where isUndecided(other) {
      leaveOut(other, LeftOutRules.secondSpelling, Self.replacedPhrase)
    }
    languagePlaces.append(place)
  }

  /// Returns the language in the name of a file: its end, its start, or the whole stem.
  private func language(of file: Int) -> LanguageFile? {
    let name = tree.name(ofFile: file)
    let stem = fileStem(of: name)
    let suffix = name[stem.endIndex...]
    guard stem.count >= 2 else { return nil }
    if let language = LanguageName(stem) {
      // A file in the root has no folder to name it after. Images with the names of languages are
      // mostly flags, which a menu shows together.
      guard Int(tree.files[file].folder) != AssetTree.rootFolder, !suffix.isEmpty,
        !VariantNames.textures.contains(lowered(suffix.dropFirst()))
      else { return nil }
      return LanguageFile(file: file, name: language, plainName: Array(suffix))
    }
    let separators = stem.indices.filter { Self.isSeparator(stem[$0]) }
    // 'intro_zh_TW' has a language of two parts.
    for separator in separators.suffix(2) where separator > stem.startIndex {
      if let language = LanguageName(stem[(separator + 1)...]) {
        return LanguageFile(
          file: file, name: language, plainName: Array(stem[..<separator] + suffix))
      }
    }
    for separator in separators.prefix(2).reversed() where separator > stem.startIndex {
      if let language = LanguageName(stem[..<separator]), separator + 1 < stem.endIndex {
        return LanguageFile(
          file: file, name: language, plainName: Array(stem[(separator + 1)...] + suffix))
      }
    }
    return nil
  }

  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || byte == dot
      || byte == UInt8(ascii: " ")
  }
}
