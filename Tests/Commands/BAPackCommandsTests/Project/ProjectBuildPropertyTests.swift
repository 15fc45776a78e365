import Arguments
import BAPackCommands
import Foundation
import TestSupport
import Testing

/// After any changes, 'pack' and 'clean --stale' leave the archives of a clean build.
@Suite struct ProjectBuildPropertyTests {
  /// A project that changes at random: files and manifests are added, changed and removed.
  private final class Changing {
    let folder: TemporaryFolder
    private var random: Seeded
    /// The manifests, by name, and the ID of each.
    private var manifests: [String: String] = [:]
    private var count = 0

    init(seed: UInt64) throws {
      folder = try TemporaryFolder()
      random = Seeded(seed: seed)
      try folder.makeFile("ba-package.json", #"{"packs": ["Packs/*.json"], "output": "out"}"#)
      for _ in 0...random.next(below: 3) { try addManifest() }
    }

    private func addManifest() throws {
      let name = "p\(count)"
      count += 1
      try write("pack-\(count)", as: name)
      for _ in 0...random.next(below: 3) { try changeFile(in: name) }
    }

    private func write(_ id: String, as name: String) throws {
      manifests[name] = id
      try folder.makeFile(
        "Packs/\(name).json",
        #"""
        {"assetPackID": "\#(id)", "downloadPolicy": {"onDemand": {}}, "platforms": [],
         "fileSelectors": [{"directory": "Assets/\#(name)"}]}
        """#)
    }

    private func changeFile(in name: String) throws {
      let bytes = random.noise(random.next(below: 400))
      try folder.makeFile("Assets/\(name)/\(random.next(below: 4)).bin", bytes)
    }

    /// Applies one to five changes.
    func change() throws {
      for _ in 0...random.next(below: 4) {
        guard let name = manifests.keys.sorted().randomElement(using: &random) else {
          try addManifest()
          continue
        }
        switch random.next(below: 8) {
        case 0: try addManifest()
        case 1 where manifests.count > 1:
          manifests[name] = nil
          try folder.remove("Packs/\(name).json")
        case 2:
          count += 1
          try write("pack-\(count)", as: name)
        case 3:
          // A record that is lost, as in a copied folder.
          let record = "out/.ba-package-\(manifests[name] ?? "").aar.record"
          try? folder.remove(record)
        default: try changeFile(in: name)
        }
      }
    }

    func run(_ arguments: String...) -> Captured {
      Captured(arguments + ["--project", folder.path("ba-package.json")])
    }

    /// The archives in a folder, by name.
    func archives(in name: String) throws -> [String: [UInt8]] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
      var archives: [String: [UInt8]] = [:]
      for file in names where file.hasSuffix(".aar") {
        archives[file] = try folder.contents("\(name)/\(file)")
      }
      return archives
    }
  }

  @Test(arguments: (UInt64(1)...200).sampled(every: 20))
  func `a build after changes, without stale packs, equals a clean build`(seed: UInt64) throws {
    let project = try Changing(seed: seed)
    for _ in 0..<3 {
      for _ in 0..<2 {
        let run = project.run("pack")
        #expect(run.ending == .status(.done), "\(run.messages)")
      }
      try project.change()
    }
    let built = project.run("pack")
    #expect(built.ending == .status(.done), "\(built.messages)")
    let cleaned = project.run("clean", "--stale")
    let removed = cleaned.output.split(separator: "\n").compactMap { path in
      path.split(separator: "/").last.map(String.init)
    }
    // At most five are named.
    for name in removed.prefix(5) {
      #expect(built.messages.contains(name), "\(name): \(built.messages)")
    }
    #expect(built.messages.contains("no manifest") == !removed.isEmpty)
    let again = project.run("pack")
    #expect(again.messages.hasPrefix("0 packed, "), "\(again.messages)")
    let fresh = project.run("pack", "-o", project.folder.path("fresh"))
    #expect(fresh.ending == .status(.done), "\(fresh.messages)")
    #expect(try project.archives(in: "out") == project.archives(in: "fresh"))
    let verified = project.run("verify", project.folder.path("out"))
    #expect(verified.ending == .status(.done), "\(verified.messages)")
  }
}
