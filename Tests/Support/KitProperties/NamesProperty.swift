import BAPackKit
import Foundation
import Glibc
import SystemIO

/// Files with any names are extracted unchanged, or rejected by packing.
package enum NamesProperty {
  /// Makes files with the paths in `bytes`, which are separated by zeros, packs the folder,
  /// verifies the pack, extracts it and compares the files; returns nil without an error.
  package static func violation(of bytes: [UInt8], in folder: String) -> String? {
    let source = Array("\(folder)/source".utf8)
    try? FileManager.default.createDirectory(
      atPath: "\(folder)/source", withIntermediateDirectories: true)
    var isEmpty = true
    for path in bytes.split(separator: 0).prefix(8) where make(Array(path), in: source) {
      isEmpty = false
    }
    if isEmpty { return nil }
    let text = """
      {"assetPackID": "Names", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"directory": "."}]}
      """
    let document = ManifestDocument(parsing: Array(text.utf8), named: "manifest")
    guard let manifest = document.manifest else { return "the manifest is valid" }
    do throws(PackError) {
      let root = try SourceRoot(opening: "\(folder)/source", .unstoppable)
      let resolution = try Selection.resolve(document, in: root, .unstoppable)
      guard !resolution.hasErrors else { return nil }
      let pack = "\(folder)/names.aar"
      let plan = try PackPlan(manifest, resolution.selection, from: root, settings: PackSettings())
      _ = try PackSeries.Job(plan, to: pack).pack(.unstoppable)
      let report = try Verification().verify(pack, .unstoppable)
      if report.hasErrors { return "what was packed is verified" }
      _ = try Extraction().extract(pack, into: "\(folder)/unpacked", .unstoppable)
    } catch {
      return "what has no error is packed and unpacked: \(error.message)"
    }
    let before = files(below: source)
    let after = files(below: Array("\(folder)/unpacked".utf8))
    return before == after ? nil : "the names come out as they went in: \(before) \(after)"
  }

  /// Makes a file and its parent folders; returns false if the name is invalid.
  private static func make(_ path: [UInt8], in folder: [UInt8]) -> Bool {
    let names = path.split(separator: UInt8(ascii: "/"))
    let dots: [[UInt8]] = [Array(".".utf8), Array("..".utf8)]
    guard let last = names.last, names.count <= 16,
      !names.contains(where: { $0.count > 255 || dots.contains(Array($0)) })
    else { return false }
    var place = folder
    for name in names.dropLast() {
      place += [UInt8(ascii: "/")] + name
      _ = unsafe (place + [0]).withUnsafeBytes {
        unsafe mkdir($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), 0o755)
      }
    }
    place += [UInt8(ascii: "/")] + last
    let file = unsafe (place + [0]).withUnsafeBytes {
      unsafe open(
        $0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self),
        O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    }
    guard file >= 0 else { return false }
    close(file)
    return true
  }

  /// Returns the paths of all files in a folder, in the encoding of the system.
  private static func files(below folder: [UInt8]) -> Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    var waiting: [[UInt8]] = [[]]
    while let path = waiting.popLast() {
      let stream = unsafe (folder + path + [0]).withUnsafeBytes {
        unsafe opendir($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
      }
      guard let stream = unsafe stream else { continue }
      while let entry = unsafe readdir(stream) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          unsafe Array(bytes.prefix { $0 != 0 })
        }
        if name == Array(".".utf8) || name == Array("..".utf8) { continue }
        let whole = path + [UInt8(ascii: "/")] + name
        found.insert(whole)
        waiting.append(whole)
      }
      unsafe closedir(stream)
    }
    return found
  }
}
