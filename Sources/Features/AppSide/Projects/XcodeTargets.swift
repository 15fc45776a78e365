import BAPackKit
import SourceDiagnostics
package import SystemIO

/// The targets of an Xcode project, with the values that a check of an app reads.
package struct XcodeTargets: Sendable {
  /// A target that builds a product.
  package struct Target: Sendable {
    package let name: String
    /// The type: `com.apple.product-type.application`.
    package let productType: String
    /// The values of settings in the configuration with which apps are published.
    package let settings: [String: String]
    /// The copy phases with products of other targets.
    package let copyPhases: [CopyPhase]
    /// The names of the targets on which it depends.
    package let dependencies: [String]
    /// The linked files, and whether the product starts without them.
    package let linked: [(name: String, isWeak: Bool)]
  }

  /// A build phase that copies files into the product.
  package struct CopyPhase: Sendable {
    /// The number of the destination, and the path below it.
    package let destination: String
    package let path: String
    /// The names of the targets whose products are copied.
    package let targets: [String]
  }

  /// The project, as named by the user or found.
  package let path: FilePath
  /// The folder of the project.
  package let folder: FilePath
  package let targets: [Target]

  /// Reads the targets of a project, and the values of settings.
  ///
  /// If the project cannot be parsed, the result is nil, and the finding that `refuse` returns is
  /// added to `ledger`.
  init?(
    reading project: FilePath, settings keys: [String], into ledger: inout Ledger,
    refusing refuse: (Unreadable) -> Finding, _ work: Work
  ) throws(PackError) {
    let text = project.appending("project.pbxproj" as FileName)
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(text.text, for: .waiting(work))
        .readToEnd(atMost: PropertyListText.largest + 1)
    }
    let source = SourceText(bytes, named: text.text)
    guard let list = PropertyListText.read(source, into: &ledger, refusing: refuse) else {
      return nil
    }
    let graph: XcodeProject
    do throws(Unreadable) {
      graph = try XcodeProject(list)
    } catch {
      ledger.add(refuse(error))
      return nil
    }
    path = project
    folder = project.folder.bytes.isEmpty ? "." : project.folder
    let files = try ResourceFolder(ofProjectIn: folder, at: graph.folder, named: nil)
    let name = String(project.name.shown.dropLast(".xcodeproj".count))
    targets = graph.targets.map { Target($0, of: graph, named: name, in: files, keys) }
  }
}

extension XcodeTargets.Target {
  fileprivate init(
    _ target: XcodeProject.Object, of project: XcodeProject, named projectName: String,
    in files: ResourceFolder, _ keys: [String]
  ) {
    name = target["name"]?.text ?? ""
    productType = target["productType"]?.text ?? ""
    var values: [String: String] = [:]
    if var settings = project.settings(of: target, named: projectName, in: files).first {
      for key in ["SRCROOT", "PROJECT_DIR"] { settings.known[key] = "." }
      for key in keys {
        let text = settings[key].map(\.text).joined(separator: " ")
        if !text.isEmpty { values[key] = text }
      }
    }
    settings = values
    let products = Dictionary(
      project.targets.compactMap { other in
        other["productReference"]?.text.map { ($0, other["name"]?.text ?? "") }
      }
    ) { first, _ in first }
    var copied: [XcodeTargets.CopyPhase] = []
    var linked: [(name: String, isWeak: Bool)] = []
    for phase in project.objects(target["buildPhases"]) {
      let files = project.objects(phase["files"])
      switch phase.kind {
      case "PBXCopyFilesBuildPhase":
        copied.append(
          XcodeTargets.CopyPhase(
            destination: phase["dstSubfolderSpec"]?.text ?? phase["dstSubfolder"]?.text ?? "",
            path: phase["dstPath"]?.text ?? "",
            targets: files.compactMap { $0["fileRef"]?.text.flatMap { products[$0] } }))
      case "PBXFrameworksBuildPhase":
        linked += files.compactMap { file in
          guard let reference = project.object(file["fileRef"]) else { return nil }
          let path = reference["path"]?.text ?? reference["name"]?.text ?? ""
          let attributes = file["settings"]?["ATTRIBUTES"]?.texts.map(\.text) ?? []
          return (FilePath(path).name.shown, attributes.contains("Weak"))
        }
      default: break
      }
    }
    copyPhases = copied
    self.linked = linked
    dependencies = project.objects(target["dependencies"]).compactMap { dependency in
      project.object(dependency["target"])?["name"]?.text ?? dependency["name"]?.text
    }
  }
}
