import SourceDiagnostics
import SystemIO

/// The rules for which files must be opened: only their first bytes are read.
enum ContentChecks {
  static func check(_ pack: inout SelectedPack, _ hosting: Hosting?) throws(PackError) {
    // An archive would have to be unpacked for that; packing it looks at every byte anyway.
    guard let root = pack.root, case .folder(let tree) = root.storage else { return }
    var findings = SelectionFindings(pack.document)
    let contents = FolderContents(pack.selection, in: tree)
    for index in pack.selection.indices where pack.selection.isFile(at: index) {
      let path = pack.selection.destinationBytes(at: index)
      let mayBeManifest = PackagingManifest.mayBe(path, size: pack.selection.size(at: index))
      let mayBeProgram = hosting == .apple && pack.selection.size(at: index) >= MacProgram.least
      guard mayBeManifest || mayBeProgram else { continue }
      try contents.open(index)
      let start = try contents.readPrefix(mayBeManifest ? PackagingManifest.look : MacProgram.look)
      if mayBeManifest {
        PackagingManifest.check(start, pack.selection[index], pack.document, &findings)
      }
      if mayBeProgram { MacProgram.check(start, pack.selection[index], &findings) }
    }
    pack.add(findings.sorted())
  }
}
