package import BAPackKit
package import SourceDiagnostics
package import SystemIO

extension ConvertedManifest {
  /// Returns the manifest for a folder.
  ///
  /// Its source root is relative to the folder. Files that are written there in the same run are
  /// excluded if the selectors would choose them.
  package func landed(
    in folder: FilePath, beside names: Set<FileName> = []
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
        """
        the path from '\(folder.shown)' to '\(sourceRoot.shown)' contains a name that is not \
        UTF-8
        """,
        remedy: .specifyAnotherOutput)
    }
    manifest.sourceRoot = text.isEmpty ? "." : text
    if common == root.count {
      let own = manifest.chosen(of: names, in: FilePath(joining: here.dropFirst(common)))
      manifest.fileSelectors += own.map { .exclusion(of: $0) }
    }
    return manifest
  }

  /// Returns the differences between the files that a manifest selects and those of the input.
  ///
  /// The document is the manifest in its output folder. Errors in it count here only if it cannot
  /// be packed at all; packing reports the others.
  package func differences(
    from document: ManifestDocument, leavingOut outputs: RunOutputs = RunOutputs([]), _ work: Work
  ) throws(PackError) -> Ledger {
    var ledger = Ledger(about: document.source)
    guard let files else {
      ledger.add(ConversionRules.unavailable(comparing: manifest.assetPackID))
      return ledger
    }
    for phrase in unread {
      ledger.add(
        ConversionRules.difference(.init(whole: "\(phrase), and the input may select it"), at: nil))
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
            "'\(path: path)' is selected by the manifest but not by the input", at: nil))
        continue
      }
      if source != file.source {
        ledger.add(
          ConversionRules.difference(
            "'\(path: path)' is '\(path: file.source.shown)' in the manifest and "
              + "'\(path: source.shown)' in the input", at: nil))
      }
    }
    for path in meant.keys.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      ledger.add(
        ConversionRules.difference(
          "'\(path: path.shown)' is selected by the input but not by the manifest", at: nil))
    }
    return ledger
  }
}

extension Conversion {
  /// Reports options that no input supports, and manifests that would overwrite other files.
  package mutating func checkTogether(_ options: ConversionOptions) {
    if !findings.hasErrors {
      let source = manifests.first?.place.source ?? SourceText([], named: "the inputs")
      for part in options.parts where !supportedParts.contains(part) {
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
    var first: [String: ConvertedManifest.InputPlace] = [:]
    for manifest in manifests {
      let id = manifest.manifest.assetPackID
      // Two manifests whose names differ only in case are one file on some disks.
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
  /// Returns a selector that excludes one file of the source root.
  static func exclusion(of path: FilePath) -> FileSelector {
    .exclusion("./" + patternText(path.text))
  }

  /// Returns a pattern that matches a text literally, except for the characters in `kept`.
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
  /// Returns a selected file.
  func meantFile(at index: Int) -> ConvertedManifest.MeantFile {
    .init(
      source: FilePath(sourceBytes(at: index)),
      destination: FilePath(pathInContents(at: index).bytes))
  }
}
