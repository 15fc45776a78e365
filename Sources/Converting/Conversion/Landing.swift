package import BAPackKit
package import SourceDiagnostics
package import SystemIO

extension ConvertedManifest {
  /// The manifest as it stands in a folder.
  ///
  /// Its source root starts at the folder. What is written there in the same run is never a part of
  /// the pack: if the selectors would choose one of these names, it is excluded.
  package func landed(
    in folder: FilePath, beside names: [FileName] = []
  ) throws(PackError) -> Manifest {
    var manifest = manifest
    guard let sourceRoot else { return manifest }
    let root = sourceRoot.withLinksFollowed.components
    let here = folder.withLinksFollowed.components
    let common = zip(root, here).prefix { $0 == $1 }.count
    let ups = Array(repeating: FileName(".."), count: here.count - common)
    let way = FilePath(joining: ups + root.dropFirst(common))
    guard let text = String(validating: way.bytes, as: UTF8.self) else {
      throw PackError(
        .invalidValue,
        "the way from '\(folder.shown)' to '\(sourceRoot.shown)' has a name that is no text",
        remedy: .nameAnotherOutput)
    }
    manifest.sourceRoot = text.isEmpty ? "." : text
    if common == root.count {
      let selected = manifest
      for name in names {
        let own = FilePath(joining: here.dropFirst(common)).appending(name)
        if selected.chooses(own) { manifest.fileSelectors.append(.exclusion(of: own)) }
      }
    }
    return manifest
  }

  /// What a manifest selects that the input did not mean, and the other way round.
  ///
  /// The document is the manifest where it landed. What is wrong with it is found by those who pack
  /// it; here it counts only if it cannot be packed at all.
  package func differences(
    from document: ManifestDocument, leavingOut outputs: [String] = [], _ work: Work
  ) throws(PackError) -> Ledger {
    var ledger = Ledger(about: document.source)
    guard let files else {
      ledger.add(ConversionRules.notAtHand(comparing: manifest.assetPackID))
      return ledger
    }
    for phrase in unread {
      ledger.add(
        ConversionRules.difference(.init(whole: "\(phrase), and the input may mean it"), at: nil))
    }
    let pack = try SelectedPack(document, leavingOut: outputs, readingContents: false, work)
    if pack.hasErrors {
      for finding in pack.allFindings where finding.severity == .error { ledger.add(finding) }
    }
    var meant: [FilePath: FilePath] = [:]
    for file in secondReading?() ?? files { meant[file.destination] = file.source }
    for index in pack.selection.filesByPath() {
      let file = pack.selection.meantFile(at: index)
      let path = file.destination.shown
      guard let source = meant.removeValue(forKey: file.destination) else {
        ledger.add(
          ConversionRules.difference(
            "'\(path: path)' is selected, and the input does not mean it", at: nil))
        continue
      }
      if source != file.source {
        ledger.add(
          ConversionRules.difference(
            "'\(path: path)' is '\(path: file.source.shown)', and the input means "
              + "'\(path: source.shown)'", at: nil))
      }
    }
    for path in meant.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      ledger.add(
        ConversionRules.difference(
          "'\(path: path.shown)' is not selected, and the input means it", at: nil))
    }
    return ledger
  }
}

extension Conversion {
  /// Reports what no input could fulfil, and packs that would be one.
  package mutating func checkTogether(_ options: ConversionOptions) {
    if !findings.hasErrors {
      let source = manifests.first?.place.source ?? SourceText([], named: "the inputs")
      for part in options.parts where !heeded.contains(part) {
        findings.add(ConversionRules.noEffect(part), about: source)
      }
    }
    let others = Set(otherFiles.map { $0.name.lowercased() })
    for manifest in manifests where others.contains(manifest.name.lowercased()) {
      findings.add(
        ConversionRules.sameID(
          manifest.manifest.assetPackID, asFile: manifest.name, at: manifest.place.span),
        about: manifest.place.source)
    }
    var first: [String: ConvertedManifest.Place] = [:]
    for manifest in manifests {
      let id = manifest.manifest.assetPackID
      // Two manifests with names that differ in case are one file on some disks.
      let key = id.lowercased()
      guard let other = first.updateValue(manifest.place, forKey: key) else { continue }
      let label = other.source == manifest.place.source ? other.span : nil
      findings.add(
        ConversionRules.sameID(
          id, at: manifest.place.span, label: label.map { .init($0, "the other pack") }),
        about: manifest.place.source)
    }
  }
}

extension FileSelector {
  /// The exclusion of one file of the source root.
  static func exclusion(of path: FilePath) -> FileSelector {
    .exclusion("./" + patternText(path.text))
  }

  /// A text as part of a pattern in which nothing is a wildcard, but for what is kept.
  static func patternText(_ text: String, keeping kept: String = "") -> String {
    var pattern = ""
    for scalar in text.unicodeScalars {
      if "*?[\\".unicodeScalars.contains(scalar), !kept.unicodeScalars.contains(scalar) {
        pattern += "\\"
      }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern
  }
}

extension Selection {
  /// A file as the input may have meant it.
  func meantFile(at index: Int) -> ConvertedManifest.MeantFile {
    .init(
      source: FilePath(sourceBytes(at: index)),
      destination: FilePath(pathInContents(at: index).bytes))
  }
}
