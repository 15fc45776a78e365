import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import Proposing

struct SizeEstimateTests {
  /// Packs with text, noise, both, and many small files.
  private static func sample() throws -> ProposedProject {
    var seeded = Seeded(seed: 31)
    var files: [String: [UInt8]] = [:]
    for number in 0..<4 {
      files["Text/\(number).txt"] = seeded.text(150_000)
      files["Noise/deep/\(number).ogg"] = seeded.noise(200_000)
      files["Mixed/\(number).mesh"] = seeded.vertices(60_000)
      files["Mixed/\(number).png"] = seeded.noise(90_000)
    }
    for number in 0..<700 {
      files["Small/group-\(number % 7)/item-\(number).json"] = seeded.text(30 + number % 90)
    }
    files["one.bin"] = [1]
    var project = try ProposedProject(files)
    for name in ["Text", "Noise", "Mixed", "Small"] {
      project.add(name.lowercased(), .onDemand, .directory(name))
    }
    project.add("one", .onDemand, .file("one.bin"))
    return project
  }

  @Test func `estimates are within 12 % of the archives`() async throws {
    var project = try Self.sample()
    try project.proposal.estimateSizes(of: project.tree, .unstoppable)
    let files = ProposedFiles(project.proposal, of: project.tree, in: project.layout)
    _ = try files.write(in: FilePath(project.folder.path))
    let sizes = try await project.pack(files.manifests, in: project.layout)
    for pack in project.proposal.packs {
      let real = Double(try #require(sizes[pack.manifest.assetPackID]))
      let estimate = Double(try #require(pack.compressed))
      #expect(
        abs(estimate - real) <= 0.12 * real, "\(pack.manifest.assetPackID): \(estimate) of \(real)")
    }
  }

  /// A pack with small files in folders of random depths.
  private static func deepProject(seed: UInt64) throws -> ProposedProject {
    var seeded = Seeded(seed: seed)
    var files: [String: [UInt8]] = [:]
    for number in 0..<400 {
      let folders = (0..<seeded.next(below: 9)).map { "part-\($0)-\(seeded.next(below: 4))" }
      let path = FilePath(joining: folders.map { FileName($0) } + [FileName("item\(number).json")])
      files["Deep/" + path.text] = seeded.text(1 + seeded.next(below: 60))
    }
    var project = try ProposedProject(files)
    project.add("deep", .onDemand, .directory("Deep"))
    return project
  }

  @Test(arguments: Array(UInt64(1)...6))
  func `an estimate counts the header of each folder of small files once`(
    seed: UInt64
  ) async throws {
    var project = try Self.deepProject(seed: seed)
    let tree = project.tree
    let pack = project.proposal.packs[0]
    let files = pack.files.joined().map { FilePath(tree.path(ofFile: $0)).components }
    let folders = Set(
      files.flatMap { names in (1..<names.count).map { Array(names.prefix($0)) } })
    func size(_ names: [FileName], _ size: UInt64?) -> UInt64 {
      UInt64(
        PackPlan.headerBytes(ofEntryAt: FilePath(joining: names).bytes, size: size).count)
        + (size ?? 0)
    }
    let expected =
      folders.reduce(0) { $0 + size($1, nil) }
      + zip(files, pack.files.joined()).reduce(0) { $0 + size($1.0, tree.files[$1.1].size) }
    let empty = ArchiveStream(of: ProposedPack(pack.manifest, reasons: []), in: tree)
    #expect(ArchiveStream(of: pack, in: tree).size == empty.size + expected)

    try project.proposal.estimateSizes(of: tree, .unstoppable)
    let texts = ProposedFiles(project.proposal, of: tree, in: project.layout)
    _ = try texts.write(in: FilePath(project.folder.path))
    let real = Double(
      try #require(try await project.pack(texts.manifests, in: project.layout)["deep"]))
    let estimate = Double(try #require(project.proposal.packs[0].compressed))
    #expect(abs(estimate - real) <= 0.02 * real, "\(estimate) of \(real)")
  }

  @Test func `the number of threads does not change an estimate`() throws {
    var project = try Self.sample()
    let tree = project.tree
    let results = try [1, 2, 5].map { threads in
      try project.proposal.estimateSizes(
        of: tree, SizeEstimate(limit: 2 << 20, threads: threads), .unstoppable)
      return project.proposal.packs.map(\.compressed)
    }
    #expect(results[0] == results[1])
    #expect(results[0] == results[2])
  }

  @Test func `a part of the blocks represents a pack`() async throws {
    var seeded = Seeded(seed: 7)
    var files: [String: [UInt8]] = [:]
    for number in 0..<24 {
      files["Levels/\(number).map"] = seeded.vertices(200_000)
      files["Levels/\(number).pak"] = seeded.noise(250_000)
    }
    var project = try ProposedProject(files)
    project.add("levels", .onDemand, .directory("Levels"))
    try project.proposal.estimateSizes(
      of: project.tree, SizeEstimate(limit: 8 << 20), .unstoppable)
    let files2 = ProposedFiles(project.proposal, of: project.tree, in: project.layout)
    _ = try files2.write(in: FilePath(project.folder.path))
    let real = Double(
      try #require(try await project.pack(files2.manifests, in: project.layout)["levels"]))
    let estimate = Double(try #require(project.proposal.packs[0].compressed))
    #expect(abs(estimate - real) <= 0.12 * real, "\(estimate) of \(real)")
  }

  @Test func `a small sample represents a pack with many kinds of files`() async throws {
    var seeded = Seeded(seed: 11)
    var files: [String: [UInt8]] = [:]
    for number in 0..<40 {
      files["World/\(number)/map.txt"] = seeded.text(40_000 + number % 7 * 20_000)
      files["World/\(number)/sky.png"] = seeded.noise(150_000)
      files["World/\(number)/ground.mesh"] = seeded.vertices(90_000)
      if number % 10 == 0 { files["World/\(number)/baked.dat"] = seeded.text(900_000) }
    }
    var project = try ProposedProject(files)
    project.add("world", .onDemand, .directory("World"))
    try project.proposal.estimateSizes(
      of: project.tree, SizeEstimate(limit: 12 << 20), .unstoppable)
    let texts = ProposedFiles(project.proposal, of: project.tree, in: project.layout)
    _ = try texts.write(in: FilePath(project.folder.path))
    let real = Double(
      try #require(try await project.pack(texts.manifests, in: project.layout)["world"]))
    let estimate = Double(try #require(project.proposal.packs[0].compressed))
    #expect(abs(estimate - real) <= 0.12 * real, "\(estimate) of \(real)")
  }

  /// A kind of assets, in two packs of 32 MB.
  enum DataSet: CaseIterable {
    case text, images, json, audio, small, large, mixed, compressed, duplicates

    /// The largest error of the total: the chosen blocks represent one kind of files better than
    /// several.
    var tolerance: Double {
      switch self {
      case .mixed, .duplicates: 0.05
      case .text, .images, .json, .audio, .small, .large, .compressed: 0.03
      }
    }

    func files() -> [String: [UInt8]] {
      var seeded = Seeded(seed: 19)
      let text = seeded.text(1_000_000)
      let (noise, mesh) = (seeded.noise(1_000_000), seeded.vertices(1_000_000))
      func part(_ bytes: [UInt8], _ number: Int, _ size: Int) -> [UInt8] {
        Array(bytes[(number * 7919 % (bytes.count - size))...].prefix(size))
      }
      func row(_ number: Int) -> [UInt8] {
        Array(#"{"id": \(number * 7919), "weight": 0.\(number * 104_729 % 9973), "#.utf8)
          + Array(#""name": ""#.utf8) + part(text, number * 31, 9) + Array("\"},\n".utf8)
      }
      let count = self == .small ? 12_000 : self == .large ? 2 : 100
      var files: [String: [UInt8]] = [:]
      for number in 0..<count {
        // Files of equal size that alternate would have one phase in all blocks.
        let size = 64_000_000 / count * (700 + seeded.next(below: 600)) / 1000
        let bytes: [UInt8] =
          switch self {
          case .text: seeded.text(size)
          case .images: part(text, number, 400) + seeded.noise(size)
          case .json: Array((0..<size / 60).map { row(number * 10_000 + $0) }.joined())
          case .audio: seeded.vertices(size)
          case .small: part([text, noise, mesh][number % 3], number, size)
          case .large: Array((0..<320).map { part([text, noise][$0 % 2], $0, 100_000) }.joined())
          case .mixed: part([text, noise, mesh, text][number % 4], number, size)
          case .compressed: seeded.noise(size) + [UInt8](repeating: 0, count: 2000)
          case .duplicates: part([text, mesh, noise][number % 3], number % 3, size)
          }
        files["\(["Cave", "Forest"][number * 2 / count])/\(number).bin"] = bytes
      }
      return files
    }
  }

  @Test(.heavy, arguments: DataSet.allCases)
  func `half of the blocks give each pack within 12 %, and the total within 5 %`(
    set: DataSet
  ) async throws {
    var project = try ProposedProject(set.files())
    for name in ["Cave", "Forest"] { project.add(name.lowercased(), .onDemand, .directory(name)) }
    try project.proposal.estimateSizes(
      of: project.tree, SizeEstimate(limit: 32 << 20), .unstoppable)
    let texts = ProposedFiles(project.proposal, of: project.tree, in: project.layout)
    _ = try texts.write(in: FilePath(project.folder.path))
    let sizes = try await project.pack(texts.manifests, in: project.layout)
    var sums = (estimate: 0.0, real: 0.0)
    for pack in project.proposal.packs {
      let real = Double(try #require(sizes[pack.manifest.assetPackID]))
      let estimate = Double(try #require(pack.compressed))
      #expect(abs(estimate - real) <= 0.12 * real, "\(estimate) of \(real)")
      sums = (sums.estimate + estimate, sums.real + real)
    }
    #expect(abs(sums.estimate - sums.real) <= set.tolerance * sums.real, "\(sums)")
  }

  @Test func `a file that vanished or became shorter counts with its size`() throws {
    var seeded = Seeded(seed: 3)
    var project = try ProposedProject([
      "a.txt": seeded.text(100_000), "b.txt": seeded.text(100_000), "c.txt": seeded.text(10_000),
    ])
    project.add("text", .onDemand, .directory("."))
    try project.proposal.estimateSizes(of: project.tree, .unstoppable)
    let before = try #require(project.proposal.packs[0].compressed)
    try project.folder.remove("Assets/a.txt")
    try project.folder.makeFile("Assets/b.txt", "short")
    try project.proposal.estimateSizes(of: project.tree, .unstoppable)
    let after = try #require(project.proposal.packs[0].compressed)
    #expect(after > before)
    #expect((200_000..<212_000).contains(after))
  }

  @Test func `an estimate ends when the operation must stop`() throws {
    var project = try Self.sample()
    let alarm = try Alarm()
    alarm.ring()
    #expect(throws: PackError(.interrupted, "interrupted")) {
      try project.proposal.estimateSizes(of: project.tree, Work(until: alarm))
    }
  }

  @Test func `a proposal without packs has no sizes`() throws {
    var project = try ProposedProject([:])
    try project.proposal.estimateSizes(of: project.tree, .unstoppable)
    #expect(project.proposal.packs.isEmpty)
    #expect(project.proposal.deviceCosts == [])
  }
}
