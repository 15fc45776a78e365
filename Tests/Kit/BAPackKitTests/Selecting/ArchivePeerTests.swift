import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

/// Tests of archives from common archive programs.
@Suite("Archives from other programs", .world)
final class ArchivePeerTests {
  /// The commands that create an archive `../a` from a folder, and that test it.
  struct Form: CustomTestStringConvertible, Sendable {
    var make: String
    /// The test command; nil if the format has no checksums.
    var test: String?
    var testDescription: String { make }
  }

  private static let tars = ["ustar", "pax", "gnutar", "v7tar"].map {
    "bsdtar --format=\($0) -cf ../a ."
  }
  private static let filters = [
    ("gzip", "gzip -t"), ("bzip2", "bzip2 -t"), ("xz", "xz -t"), ("zstd", "zstd -qt"),
  ].map { name, test in Form(make: "bsdtar --\(name) -cf ../a .", test: "\(test) < a") }

  static let forms: [Form] =
    tars.map { Form(make: $0) } + filters + [
      Form(make: "tar -cf ../a ."), Form(make: "tar --format=posix -cf ../a ."),
      Form(make: "tar -cf - . | xz --check=crc32 > ../a", test: "xz -t < a"),
      Form(make: "tar -cf - . | xz --check=sha256 --block-size=64KiB > ../a", test: "xz -t < a"),
      Form(make: "tar -cf - . | zstd -q --check > ../a", test: "zstd -qt < a"),
      Form(make: "tar -cf - . | zstd -q --no-check > ../a", test: "zstd -qt < a"),
      Form(make: "tar -cf - . | gzip -9n > ../a", test: "gzip -t < a"),
      Form(make: "tar -cf - . | gzip | gzip > ../a", test: "gzip -t < a && gzip -dc a | gzip -t"),
      Form(make: "tar -cf - . | bzip2 -1 > ../a", test: "bzip2 -t < a"),
      Form(make: "bsdtar --format=zip -cf ../a .", test: "unzip -tqq a"),
      Form(make: "zip -qry ../a.zip . && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(make: "zip -qry -0 ../a.zip . && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(make: "zip -qryD ../a.zip . && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(make: "zip -qry -fz ../a.zip . && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(make: "zip -qry -Z bzip2 ../a.zip . && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(
        make: "zip -qry ../a.zip . && head -c 40000 /dev/zero | tr '\\0' c | zip -qz ../a.zip"
          + " && mv ../a.zip ../a", test: "unzip -tqq a"),
      Form(make: "7z a -bd -tzip -mm=LZMA ../a.zip . && mv ../a.zip ../a", test: "7z t -tzip a"),
      Form(make: "bsdtar --format=7zip -cf ../a .", test: "7z t -t7z a"),
      Form(make: "7z a -bd ../a.7z . && mv ../a.7z ../a", test: "7z t -t7z a"),
      Form(make: "7z a -bd -mx0 ../a.7z . && mv ../a.7z ../a", test: "7z t -t7z a"),
      Form(make: "7z a -bd -ms=off -mhc=off ../a.7z . && mv ../a.7z ../a", test: "7z t -t7z a"),
    ]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.makeFile("tree/z.txt", String(repeating: "all work and no play ", count: 3000))
    var seeded = Seeded(seed: 12)
    let noise = (0..<150_000).map { _ in UInt8.random(in: 0...255, using: &seeded) }
    try folder.makeFile("tree/levels/one.bin", noise)
    try folder.makeFile("tree/levels/run.sh", "#!/bin/sh\n", mode: 0o755)
    try folder.makeFile("tree/levels/empty", "")
    try folder.makeFile("tree/.hidden/x", "hidden")
    try folder.makeFile(#"tree/levels/back\slash.txt"#, "a backslash")
    try folder.makeFile("tree/caf\u{E9}/e\u{301} 日本 🏻.txt", "composed and not")
    try folder.makeFile("tree/\(String(repeating: "n", count: 80)).txt", "long")
    try folder.makeFolder("tree/levels/hollow")
    try folder.makeLink("tree/a-link", to: "levels/run.sh")
    try folder.makeLink("tree/levels/up", to: "../caf\u{E9}/e\u{301} 日本 🏻.txt")
    try FileManager.default.linkItem(
      atPath: folder.path("tree/z.txt"), toPath: folder.path("tree/levels/second-name"))
    try FileManager.default.linkItem(
      atPath: folder.path("tree/z.txt"), toPath: folder.path("tree/a-third-name"))
  }

  /// Returns the pack of all files in a source root.
  private func pack(_ path: String) throws -> [UInt8] {
    let root = try SourceRoot(opening: path, .unstoppable)
    let document = document(#"{"directory": "."}"#)
    let resolution = try Selection.resolve(document, in: root, .unstoppable)
    #expect(resolution.lines == [])
    guard !resolution.hasErrors else { return [] }
    let plan = try PackPlan(
      #require(document.manifest), resolution.selection, from: root,
      settings: PackSettings(compression: .none))
    _ = try PackSeries.Job(plan, to: folder.path("x.aar")).pack(.unstoppable)
    let bytes = try folder.contents("x.aar")
    try folder.remove("x.aar")
    return bytes
  }

  @Test(arguments: forms)
  func `a folder and an archive of it result in the same pack`(form: Form) throws {
    #expect(try Peer.run(form.make, in: folder.path("tree")) == 0)
    // Without entries for folders, an empty folder does not exist.
    if form.make.contains("-qryD") { try folder.remove("tree/levels/hollow") }
    let expected = try pack(folder.path("tree"))
    #expect(try pack(folder.path("a")) == expected)
  }

  @Test(arguments: ["zip -qry -0 ../a.zip .", "7z a -bd -mx0 ../a.7z ."])
  func `a damaged target of a link is not a target`(command: String) throws {
    #expect(try Peer.run(command + " && mv ../a.* ../a", in: folder.path("tree")) == 0)
    var bytes = try folder.contents("a")
    let target = Array("levels/run.sh".utf8)
    // The name of the file is the same, and also occurs elsewhere.
    let places = bytes.indices.filter {
      bytes[$0] == target[0] && bytes[$0...].starts(with: target)
    }
    #expect(places.count > 1 || command.hasPrefix("7z"))
    for place in places {
      bytes[place + 8] ^= 1
      try folder.makeFile("a", bytes)
      #expect(try packUnlessRefused(folder.path("a")) == nil, "byte \(place + 8)")
      bytes[place + 8] ^= 1
    }
  }

  /// A modification of an archive at an offset.
  private enum Damage: CaseIterable {
    case flip, zero, remove, cut, append

    func apply(to bytes: [UInt8], at place: Int) -> [UInt8] {
      var bytes = bytes
      let stretch = place..<min(bytes.count, place + 40)
      switch self {
      case .flip: bytes[place] ^= 1 << UInt8(place % 8)
      case .zero: for index in stretch { bytes[index] = 0 }
      case .remove: bytes.removeSubrange(stretch)
      case .cut: bytes.removeSubrange(place...)
      case .append: bytes += bytes[stretch]
      }
      return bytes
    }
  }

  /// Returns a pack, or nil if there were findings.
  private func packUnlessRefused(_ path: String) throws -> [UInt8]? {
    do throws(PackError) {
      let root = try SourceRoot(opening: path, .unstoppable)
      let document = document(#"{"directory": "."}"#)
      let resolution = try Selection.resolve(document, in: root, .unstoppable)
      guard !resolution.hasErrors, let manifest = document.manifest else { return nil }
      let plan = try PackPlan(
        manifest, resolution.selection, from: root, settings: PackSettings(compression: .none))
      _ = try PackSeries.Job(plan, to: folder.path("x.aar")).pack(.unstoppable)
    } catch {
      #expect(!error.message.isEmpty)
      return nil
    }
    let bytes = try folder.contents("x.aar")
    try folder.remove("x.aar")
    return bytes
  }

  @Test(arguments: forms.filter { $0.test != nil })
  func
    `an archive that the format's own tool rejects is rejected, or results in a sound pack`(
      form: Form
    ) throws
  {
    let test = try #require(form.test)
    #expect(try Peer.run(form.make, in: folder.path("tree")) == 0)
    #expect(try Peer.run(test, in: folder.path) == 0)
    let whole = try folder.contents("a")
    let good = try pack(folder.path("a"))
    let places =
      [0, 6, 30] + (1..<7).map { whole.count * $0 / 7 }
      + [1, 7, 16, 30, 300].map { whole.count - $0 }
    var (found, refused) = (0, 0)
    for damage in Damage.allCases {
      for place in places {
        try folder.makeFile("a", damage.apply(to: whole, at: place))
        let isSound = try Peer.run(test, in: folder.path) == 0
        let pack = try packUnlessRefused(folder.path("a"))
        if pack == nil { refused += 1 }
        guard !isSound else { continue }
        found += 1
        #expect(pack == nil || pack == good, "\(damage) at \(place) of \(whole.count)")
      }
    }
    #expect(found > 10)
    #expect(refused > 20)
  }
}
