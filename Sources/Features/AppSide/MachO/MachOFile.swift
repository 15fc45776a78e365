package import SourceDiagnostics
import SystemIO

/// A program or library in the Mach-O format: one part for each processor.
package struct MachOFile: Sendable {
  package let slices: [MachOSlice]

  /// The maximum number of parts; files of Xcode have at most four.
  private static let mostSlices = 32

  /// Reads the headers and load commands of a file.
  ///
  /// Parts with 32 bits are left out: no system that supports managed packs runs them.
  package init(_ bytes: [UInt8]) throws(Unreadable) {
    let file = CheckedBytes(bytes[...])
    guard let magic = file.bigEndian.u32(0) else { throw .damaged(0, "it has less than 4 bytes") }
    guard magic == 0xCAFE_BABE || magic == 0xCAFE_BABF else {
      slices = try MachOSlice(file).map { [$0] } ?? []
      return
    }
    let isWide = magic == 0xCAFE_BABF
    // A class file of Java begins with the same bytes; its version is in place of the number.
    guard let count = file.bigEndian.u32(4), count > 0, count <= Self.mostSlices else {
      throw .damaged(4, "it is not a program for Apple systems")
    }
    var slices: [MachOSlice] = []
    for index in 0..<Int(count) {
      let place = 8 + index * (isWide ? 32 : 20)
      let table = file.bigEndian
      let offset = isWide ? table.u64(place + 8) : table.u32(place + 8).map(UInt64.init)
      let size = isWide ? table.u64(place + 16) : table.u32(place + 12).map(UInt64.init)
      guard let offset, let size, let part = file.part(offset, size) else {
        throw .damaged(place, "the part for a processor is outside the file")
      }
      if let slice = try MachOSlice(part) { slices.append(slice) }
    }
    self.slices = slices
  }
}

/// The part of a Mach-O file for one processor.
package struct MachOSlice: Sendable {
  /// A library that the system loads with the program.
  package struct Library: Sendable, Equatable {
    package var path: String
    /// Whether the program also starts without the library.
    package var isWeak: Bool

    package init(path: String, isWeak: Bool) {
      self.path = path
      self.isWeak = isWeak
    }
  }

  private struct Section {
    var segment: String
    var name: String
    var bytes: CheckedBytes
  }

  /// The platform of the program, by its number in load commands.
  package struct System: Sendable, Equatable {
    package var platform: UInt32
    package var minimum: SystemVersion

    package init(platform: UInt32, minimum: SystemVersion) {
      self.platform = platform
      self.minimum = minimum
    }
  }

  package private(set) var systems: [System] = []
  package private(set) var libraries: [Library] = []
  /// Whether the store encrypted the code, so that its texts cannot be read.
  package private(set) var isEncrypted = false
  /// The signature; nil for an unsigned program.
  package private(set) var signature: CodeSignature?
  /// Whether it contains only debug information.
  package let isDebugInformation: Bool
  private var sections: [Section] = []
  private var linkEdit: CheckedBytes?

  /// The maximum number of load commands; large programs have some hundreds.
  private static let mostCommands = 10_000
  private static let mostSections = 4_000

  /// Reads one part; nil for one with 32 bits.
  fileprivate init?(_ file: CheckedBytes) throws(Unreadable) {
    switch file.u32(0) {
    case 0xFEED_FACE, 0xCEFA_EDFE: return nil
    case 0xFEED_FACF: break
    default: throw .damaged(0, "it is not a program for Apple systems")
    }
    guard let kind = file.u32(12), let count = file.u32(16), let size = file.u32(20),
      count <= Self.mostCommands, let commands = file.part(32, size)
    else { throw .damaged(16, "its load commands are outside the file") }
    // `MH_DSYM`
    isDebugInformation = kind == 10
    var place = 0
    for _ in 0..<count {
      guard let size = commands.u32(place + 4), size >= 8,
        let command = commands.part(place, size)
      else { throw .damaged(32 + place, "a load command is outside the file") }
      guard try read(command, in: file) else {
        throw .damaged(32 + place, "a load command is damaged")
      }
      place += Int(size)
    }
  }

  /// Reads one load command; returns false if it is damaged.
  private mutating func read(_ command: CheckedBytes, in file: CheckedBytes) throws(Unreadable)
    -> Bool
  {
    switch command.u32(0) {
    // `LC_SEGMENT_64`
    case 0x19: return readSegment(command, in: file)
    // `LC_LOAD_DYLIB`, `LC_LOAD_WEAK_DYLIB`, `LC_REEXPORT_DYLIB`, `LC_LOAD_UPWARD_DYLIB`
    case 0xC, 0x8000_0018, 0x8000_001F, 0x8000_0023:
      guard let offset = command.u32(8), let path = command.text(offset) else { return false }
      libraries.append(Library(path: path, isWeak: command.u32(0) == 0x8000_0018))
    // `LC_BUILD_VERSION`
    case 0x32:
      guard let platform = command.u32(8), let minimum = command.u32(12) else { return false }
      systems.append(System(platform: platform, minimum: SystemVersion(packed: minimum)))
    // `LC_VERSION_MIN_MACOSX`, `…_IPHONEOS`, `…_TVOS`
    case 0x24, 0x25, 0x2F:
      guard let minimum = command.u32(8) else { return false }
      let platforms: [UInt32: UInt32] = [0x24: 1, 0x25: 2, 0x2F: 3]
      systems.append(
        System(
          platform: platforms[command.u32(0) ?? 0] ?? 0, minimum: SystemVersion(packed: minimum)))
    // `LC_ENCRYPTION_INFO_64`
    case 0x2C:
      guard let method = command.u32(16) else { return false }
      if method != 0 { isEncrypted = true }
    // `LC_CODE_SIGNATURE`
    case 0x1D:
      guard let offset = command.u32(8), let size = command.u32(12),
        let blob = file.part(offset, size)
      else { return false }
      signature = try CodeSignature(blob.bigEndian)
    default: break
    }
    return true
  }

  private mutating func readSegment(_ command: CheckedBytes, in file: CheckedBytes) -> Bool {
    guard let name = command.part(8, 16)?.text(0), let offset = command.u64(40),
      let size = command.u64(48), let count = command.u32(64),
      count <= UInt32(Self.mostSections - sections.count),
      command.part(72, Int(count) * 80) != nil
    else { return false }
    if name == "__LINKEDIT" {
      guard let part = file.part(offset, size) else { return false }
      linkEdit = part
    }
    for index in 0..<Int(count) {
      let place = 72 + index * 80
      guard let section = command.part(place, 16)?.text(0),
        let segment = command.part(place + 16, 16)?.text(0), let size = command.u64(place + 40),
        let offset = command.u32(place + 48), let flags = command.u32(place + 64)
      else { return false }
      // A section of zeros has no bytes in the file; debug information has no bytes of the code.
      guard flags & 0xFF != 1, !isDebugInformation else { continue }
      guard let bytes = file.part(offset, size) else { return false }
      sections.append(Section(segment: segment, name: section, bytes: bytes))
    }
    return true
  }

  // MARK: Contents

  /// Whether it has a section.
  package func hasSection(_ segment: String, _ name: String) -> Bool {
    sections.contains { $0.segment == segment && $0.name == name }
  }

  /// Returns the bytes of the sections with a name; in an encrypted program, those of `__TEXT`
  /// cannot be read.
  package func contents(_ segment: String, _ name: String) -> [ArraySlice<UInt8>] {
    sections.filter { $0.segment == segment && $0.name == name }.map(\.bytes.contents)
  }

  /// Returns whether the names of symbols, or of protocols in Objective-C, contain one of these.
  package func mentions(_ names: [String]) -> Bool {
    let places =
      [linkEdit?.contents].compactMap(\.self) + contents("__TEXT", "__objc_classname")
      + contents("__TEXT", "__cstring")
    return places.map { Array($0) }.contains { place in
      names.contains { place.holds(Array($0.utf8)) }
    }
  }
}

extension Unreadable {
  /// A damaged program or signature.
  static func damaged(_ offset: Int, _ reason: Finding.Message) -> Unreadable {
    Unreadable(
      SourceSpan(offset, offset), reason, remedy: "build the app again, or copy it completely")
  }
}
