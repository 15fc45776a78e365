import BAPackKit
import Foundation

/// Commands of `ba-package`, by public functions of the library.
@main struct Client {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(PackError) {
      exit(try await run(words.first ?? "", Array(words.dropFirst())) ? 0 : 1)
    } catch {
      print("error: \(error.message)")
      for remedy in error.remedies { print("  \(remedy.code ?? "advice"): \(remedy)") }
      exit(1)
    }
  }

  /// Runs a command; returns false after errors.
  private static func run(_ command: String, _ words: [String]) async throws(PackError) -> Bool {
    switch command {
    case "validate": try await validate(words)
    case "pack": try await pack(words[0], into: FilePath(words[1]))
    case "generate": try await generate(from: FilePath(words[0]), into: FilePath(words[1]))
    case "group": try await group(into: FilePath(words[0]))
    case "info": try await info(FilePath(words[0]))
    case "list": try await list(FilePath(words[0]))
    case "extract": try await extract(FilePath(words[0]), into: FilePath(words[1]))
    case "verify": try await verify(FilePath(words[0]), against: words.dropFirst())
    default: false
    }
  }

  /// Returns the project of a project file, or of manifests.
  private static func project(_ paths: [String]) async throws(PackError) -> Project {
    if paths.count == 1, paths[0].hasSuffix("ba-package.json") {
      return try await Project(contentsOf: FilePath(paths[0]))
    }
    return Project(paths.map { FilePath($0) })
  }

  private static func validate(_ paths: [String]) async throws(PackError) -> Bool {
    let report = try await project(paths).check().report
    print(report.text(), terminator: "")
    return !report.hasErrors
  }

  private static func pack(_ path: String, into folder: FilePath) async throws(PackError) -> Bool {
    let checked = try await project([path]).check()
    print(checked.report.text(), terminator: "")
    if checked.report.hasErrors { return false }
    let summaries = try await checked.pack(into: folder)
    for summary in summaries {
      print("\(summary.assetPackID): \(summary.fileCount) files, \(summary.archiveBytes) bytes")
    }
    let budgets = checked.budgetReport(after: summaries)
    print(budgets.text(), terminator: "")
    return !budgets.hasErrors
  }

  /// Packs a folder with a manifest that is no file.
  private static func generate(
    from files: FilePath, into folder: FilePath
  ) async throws(PackError) -> Bool {
    let manifest = Manifest(
      assetPackID: "generated", downloadPolicy: .prefetch([.firstInstallation]),
      fileSelectors: [.directory(".")], platforms: [.iOS, .macOS])
    guard try Manifest(json: manifest.json) == manifest else { return false }
    var project = Project([.manifest(manifest)], hosting: .apple)
    project.sourceRoot = files
    let checked = try await project.check()
    print(checked.report.text(), terminator: "")
    return try await AssetPack(checked.pack(into: folder)[0].path).manifest() == manifest
  }

  private static func info(_ path: FilePath) async throws(PackError) -> Bool {
    let pack = AssetPack(path)
    let (manifest, info) = (try await pack.manifest(), try await pack.info())
    print("\(manifest.assetPackID) \(info.fileSize) \(info.blocks.count) \(info.contentSize)")
    for group in info.groups { print("\(group.suffix) \(group.fileCount) \(group.storedSize)") }
    return info.error == nil
  }

  private static func list(_ path: FilePath) async throws(PackError) -> Bool {
    for entry in try await AssetPack(path).entries() where entry.isAsset && entry.kind == .file {
      print(entry.path)
    }
    return true
  }

  private static func extract(
    _ path: FilePath, into folder: FilePath
  ) async throws(PackError) -> Bool {
    print("\(try await AssetPack(path).extract(into: folder).fileCount) files")
    return true
  }

  /// Verifies a pack, and compares it with its manifest if there is one.
  private static func verify(
    _ path: FilePath, against manifests: ArraySlice<String>
  ) async throws(PackError) -> Bool {
    let packs = manifests.isEmpty ? nil : try await project(Array(manifests)).check().packs
    let report = try await AssetPack(path).verify(against: packs ?? [])
    for finding in report.findings { print("\(finding.id): \(finding.message)") }
    return !report.hasErrors
  }

  /// Packs five hundred packs in a task group; returns false if the process ever has a thread for
  /// each of them.
  private static func group(into folder: FilePath) async throws(PackError) -> Bool {
    let manifests = (0..<500).map { number in
      Project.Input.manifest(
        Manifest(
          assetPackID: "pack-\(number)", downloadPolicy: .onDemand,
          fileSelectors: [
            .renamedFile(source: "Client.swift", destination: "\(number).swift")
          ], platforms: [.iOS]))
    }
    // App Store Connect accepts fewer packs.
    var project = Project(manifests, hosting: .selfHosted)
    project.sourceRoot = FilePath((#filePath as NSString).deletingLastPathComponent)
    let checked = try await project.check()
    guard let packs = checked.packs else {
      print(checked.report.text())
      return false
    }
    let threads = await withTaskGroup(of: Int.self, returning: Int.self) { group in
      for pack in packs {
        group.addTask {
          guard (try? await pack.pack(into: folder)) != nil else { return .max }
          let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
          return tasks?.count ?? .max
        }
      }
      return await group.reduce(0) { max($0, $1) }
    }
    let processors = ProcessInfo.processInfo.activeProcessorCount
    // Four operations with a thread for each processor and one for the disk, and the threads of
    // Swift.
    let most = 4 * (processors + 2) + processors + 4
    print("\(packs.count) packs, at most \(threads) threads of \(most)")
    return threads <= most
  }
}
