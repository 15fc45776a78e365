package import SourceDiagnostics
import TerminalText

/// The protocol of a downloader extension, which depends on the hosting of its packs.
package enum DownloaderProtocol: String, Sendable, CaseIterable {
  case store = "StoreDownloaderExtension"
  case managed = "ManagedDownloaderExtension"
  case unmanaged = "BADownloaderExtension"

  /// Its names in the symbols of Swift, and among the names of Objective-C.
  ///
  /// The protocols of managed packs extend the one of unmanaged packs, so that one proves nothing.
  fileprivate var names: [String] {
    switch self {
    case .store: ["$s7StoreKit24StoreDownloaderExtension", "SKDownloaderExtension"]
    case .managed:
      ["$s16BackgroundAssets26ManagedDownloaderExtension", "BAManagedDownloaderExtension"]
    case .unmanaged: ["_$sSo21BADownloaderExtension", "BADownloaderExtension"]
    }
  }
}

/// The facts about a program that concern packs, from all of its parts.
package struct Program: Sendable {
  package private(set) var systems: [MachOSlice.System] = []
  package private(set) var libraries: [MachOSlice.Library] = []
  package private(set) var isEncrypted = false
  package private(set) var isDebugInformation = false
  /// The signature of the first part; nil if a part is unsigned.
  package let signature: CodeSignature?
  /// Whether it has the entry of an extension in Swift.
  package private(set) var hasSwiftEntry = false
  /// The protocols that it names.
  package private(set) var protocols: Set<DownloaderProtocol> = []
  /// Whether it uses On-Demand Resources.
  package private(set) var usesOnDemandResources = false
  /// The entitlements that a simulator uses, from a section of the program.
  package private(set) var simulatedEntitlements: PlacedValue?

  /// The numbers of the simulators of iOS, tvOS and visionOS.
  private static let simulators: Set<UInt32> = [7, 8, 12]

  /// Whether it is for a simulator.
  package var isForSimulator: Bool { systems.contains { Self.simulators.contains($0.platform) } }

  package var entitlements: PlacedValue? {
    isForSimulator ? simulatedEntitlements ?? signature?.entitlements : signature?.entitlements
  }

  /// Reads a program; `visit` receives the texts in it.
  package init(_ bytes: [UInt8], visit: (ArraySlice<UInt8>) -> Void) throws(Unreadable) {
    let file = try MachOFile(bytes)
    let signatures = file.slices.map(\.signature)
    signature = signatures.contains { $0 == nil } ? nil : signatures.first ?? nil
    for slice in file.slices {
      systems += slice.systems
      libraries += slice.libraries.filter { !libraries.contains($0) }
      isEncrypted = isEncrypted || slice.isEncrypted
      isDebugInformation = isDebugInformation || slice.isDebugInformation
      hasSwiftEntry = hasSwiftEntry || slice.hasSection("__TEXT", "__swift5_entry")
      usesOnDemandResources =
        usesOnDemandResources || slice.mentions(["_OBJC_CLASS_$_NSBundleResourceRequest"])
      for kind in DownloaderProtocol.allCases where slice.mentions(kind.names) {
        protocols.insert(kind)
      }
      let list = slice.contents("__TEXT", "__entitlements").first
      simulatedEntitlements =
        simulatedEntitlements ?? list.flatMap { try? XMLPropertyList.read(Array($0)) }
    }
    // The texts of all parts are the same, and those of an encrypted program are unreadable.
    guard let slice = file.slices.first, !slice.isEncrypted else { return }
    for name in ["__cstring", "__const"] {
      for section in slice.contents("__TEXT", name) {
        for text in section.split(separator: 0) { visit(text) }
      }
    }
    for section in slice.contents("__TEXT", "__ustring") { Self.visitWide(section, visit) }
    // A snapshot of Dart has the length of each text before it, and no NUL.
    if slice.mentions(["_kDartIsolateSnapshotData"]) {
      for section in slice.contents("__TEXT", "__const") {
        EngineData.visitRuns(section, inASCII: true, visit)
      }
    }
  }

  /// Adds the facts of a library that has the code of a debug build.
  package mutating func add(codeOf other: Program) {
    libraries += other.libraries.filter { !libraries.contains($0) }
    hasSwiftEntry = hasSwiftEntry || other.hasSwiftEntry
    protocols.formUnion(other.protocols)
    usesOnDemandResources = usesOnDemandResources || other.usesOnDemandResources
  }

  /// Calls `visit` with the texts of UTF-16 that end with NUL.
  static func visitWide(_ section: ArraySlice<UInt8>, _ visit: (ArraySlice<UInt8>) -> Void) {
    var units: [UInt16] = []
    var index = section.startIndex
    while index + 1 < section.endIndex {
      let unit = UInt16(section[index]) | UInt16(section[index + 1]) << 8
      index += 2
      if unit != 0 {
        units.append(unit)
      } else if !units.isEmpty {
        visit(Array(String(decoding: units, as: UTF16.self).utf8)[...])
        units = []
      }
    }
  }
}
