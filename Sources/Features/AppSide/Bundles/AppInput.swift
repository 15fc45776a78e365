package import BAPackKit
import SourceLanguages
package import SystemIO

/// The kind of input that describes an app.
package enum AppInput: Sendable, Equatable {
  /// A built app in a folder or an archive.
  case product
  /// An Xcode project, or a folder with one.
  case project
  /// Source files.
  case sources

  /// Determines the kind of input at a path.
  package init(at path: FilePath) throws(PackError) {
    let status = try mapFailure(.reading) { () throws(Failure) in
      try FileStatus(ofFileAt: path.text)
    }
    guard status.kind == .directory else {
      if Self.isSpec(path.name) {
        throw PackError(
          .invalidValue, "'\(path.shown)' is a spec of XcodeGen, not an Xcode project",
          remedy: Self.remedy(for: path))
      }
      self =
        path.hasSuffix(".pbxproj")
        ? .project : SourceLanguage(ofFileNamed: path.text) == nil ? .product : .sources
      return
    }
    if Self.isProject(path) {
      self = .project
      return
    }
    let names = try mapFailure(.reading) { () throws(Failure) in
      let listing = try FileDescriptor.open(path.text, for: .directory).list()
      return listing.items.map { FilePath(listing.name(of: $0)) }
    }
    let marks: Set<FilePath> = ["Payload", "Products", "Info.plist", "Wrapper"]
    if [".app", ".xcarchive", ".dSYM"].contains(where: path.hasSuffix)
      || names.contains(where: { $0.hasSuffix(".app") })
      || path.hasSuffix(".ipa") && names.contains(where: marks.contains)
    {
      self = .product
    } else {
      self = names.contains(where: Self.isProject) ? .project : .sources
    }
  }

  /// The hint for a path that is no app.
  package static let remedy: Remedy =
    "specify an .app, an .ipa, an .xcarchive, a project, or sources"

  /// Returns the spec of XcodeGen in a folder; nil if there is none.
  ///
  /// It is not read: XcodeGen resolves its includes and templates.
  package static func spec(in folder: FilePath) -> FilePath? {
    guard let listing = try? FileDescriptor.open(folder.text, for: .directory).list() else {
      return nil
    }
    return listing.items.lazy.map { listing.fileName(of: $0) }.first(where: isSpec)
      .map(folder.appending)
  }

  /// Returns the hint for a spec of XcodeGen.
  package static func remedy(for spec: FilePath) -> Remedy {
    .advice("run 'xcodegen generate' for '\(spec.shown)', and specify the Xcode project")
  }

  private static func isSpec(_ name: FileName) -> Bool {
    name == "project.yml" || name == "project.yaml"
  }

  /// Returns the folder with the sources of an Xcode project.
  package static func sources(of project: FilePath) -> FilePath {
    if project.hasSuffix(".pbxproj") { return sources(of: project.folder) }
    return isProject(project) ? project.folder : project
  }

  private static func isProject(_ path: FilePath) -> Bool {
    path.hasSuffix(".xcodeproj") || path.hasSuffix(".xcworkspace")
  }
}
