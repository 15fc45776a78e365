import BAPackKit
import SystemIO

/// The files that manifests select, as a dictionary for the `srcs` of Bazel targets.
///
/// A file has a label relative to the folder of the BUILD file.
struct BazelSources {
  /// The resolved path of the folder of the BUILD file, with a slash at the end.
  private let folder: [UInt8]
  private var packs = ""

  /// Creates a dictionary for a BUILD file in a folder.
  init(forFilesIn folder: String = ".") throws(PackError) {
    self.folder = try Self.resolved(folder)
  }

  /// The file for `load`: the key of each list is the ID of a pack.
  var text: String {
    """
    # Written by 'ba-package evaluate --format bazel': the files that each manifest selects.
    SRCS = {
    \(packs)}

    """
  }

  /// Adds the files of a pack.
  mutating func add(_ pack: SelectedPack) throws(PackError) {
    guard let root = pack.root else { return }
    if root.isArchive {
      throw PackError(
        .conflict, "the source root '\(root.path)' is an archive, but Bazel declares files",
        remedy: "extract the archive")
    }
    let place = try Self.resolved(root.path)
    guard place.starts(with: folder) else {
      throw PackError(
        .conflict, "the source root '\(root.path)' is outside of this folder",
        remedy: "run ba-package in the folder of the BUILD file, which contains the source root")
    }
    let prefix = Array(place.dropFirst(folder.count))
    var labels: Set<FilePath> = []
    for index in pack.selection.indices where pack.selection.isFile(at: index) {
      labels.insert(FilePath(prefix + pack.selection.sourceBytes(at: index)))
    }
    packs += "    \"\(Self.escaped(pack.document.assetPackID ?? ""))\": [\n"
    for label in labels.sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
      packs += "        \"\(try Self.label(of: label))\",\n"
    }
    packs += "    ],\n"
  }

  private static func resolved(_ folder: String) throws(PackError) -> [UInt8] {
    let path = try mapFailure(.reading) { () throws(Failure) in try realPath(of: folder) }
    let bytes = FilePath(path).bytes
    return bytes.last == slash ? bytes : bytes + [slash]
  }

  /// Returns a label in the syntax of Starlark; throws if Bazel has no label for the file.
  static func label(of path: FilePath) throws(PackError) -> String {
    let text = String(validating: path.bytes, as: UTF8.self)
    guard let text, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || refused.contains($0) })
    else {
      throw PackError(
        .invalidValue, "Bazel has no label for the file '\(path.shown)'",
        remedy: "rename the file, or exclude it with a 'fileExclusion'")
    }
    // A label that begins with '@' names a repository.
    return (text.utf8.first == UInt8(ascii: "@") ? ":" : "") + escaped(text)
  }

  private static let refused = Set(#":\"#.utf8)

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
