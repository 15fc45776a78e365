/// A built app with a downloader extension for packs of Apple's hosting, without mistakes.
package struct SampleApp {
  /// A value of a property list.
  package indirect enum Value {
    case string(String)
    case bool(Bool)
    case integer(Int)
    case list([Value])
    case dictionary([String: Value])

    /// The elements in XML.
    package var xml: String {
      switch self {
      case .string(let text): "<string>\(text)</string>"
      case .bool(let bool): bool ? "<true/>" : "<false/>"
      case .integer(let number): "<integer>\(number)</integer>"
      case .list(let values): "<array>" + values.map(\.xml).joined() + "</array>"
      case .dictionary(let members):
        "<dict>\n"
          + members.sorted { $0.key < $1.key }
          .map { "<key>\($0.key)</key>\($0.value.xml)\n" }.joined() + "</dict>"
      }
    }

    /// The property list in XML.
    package var document: String {
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(xml)</plist>\n"
    }
  }

  /// An app or an extension.
  package struct Bundle {
    package var info: [String: Value]
    package var program = MachOBytes()
    package var entitlements: [String: Value]
    /// The entitlements of the profile; nil for no profile.
    package var profile: [String: Value]?
  }

  package static let group = "group.com.example.game"
  package static let team = "ABCDE12345"

  package var app: Bundle
  package var downloader: Bundle
  /// The folder of the extension.
  package var place = "Extensions"
  /// Whether its files are in inner folders, as on macOS.
  package var isDeep = false
  /// Whether the app has the extension.
  package var hasExtension = true
  /// Other files, relative to the folder of the property list.
  package var files: [String: [UInt8]] = [:]

  /// Creates an app without mistakes for iOS 27.
  package init() {
    app = Self.bundle("com.example.game", "Game", "APPL")
    app.info["BAAppGroupID"] = .string(Self.group)
    app.info["BAHasManagedAssetPacks"] = .bool(true)
    app.info["BAUsesAppleHosting"] = .bool(true)
    app.program.libraries = [
      ("/System/Library/Frameworks/BackgroundAssets.framework/BackgroundAssets", false)
    ]
    app.program.add(texts: "Hello", "Voices/hello.txt")
    downloader = Self.bundle("com.example.game.downloader", "Downloader", "XPC!")
    downloader.info["EXAppExtensionAttributes"] = .dictionary([
      "EXExtensionPointIdentifier": .string("com.apple.background-asset-downloader-extension")
    ])
    downloader.program.sections = [("__swift5_entry", [1, 0, 0, 0])]
    downloader.program.symbols = ["_$s7StoreKit24StoreDownloaderExtensionP"]
  }

  private static func bundle(_ identifier: String, _ name: String, _ kind: String) -> Bundle {
    var bundle = Bundle(
      info: [
        "CFBundleIdentifier": .string(identifier), "CFBundleExecutable": .string(name),
        "CFBundleName": .string(name), "CFBundleDisplayName": .string(name),
        "CFBundlePackageType": .string(kind), "CFBundleShortVersionString": .string("1.2"),
        "CFBundleVersion": .string("34"), "MinimumOSVersion": .string("27.0"),
      ],
      entitlements: [
        "application-identifier": .string("\(team).\(identifier)"),
        "com.apple.developer.team-identifier": .string(team),
        "com.apple.security.application-groups": .list([.string(group)]),
      ])
    bundle.profile = bundle.entitlements
    bundle.program.minimum = (27, 0)
    bundle.program.signature?.identifier = identifier
    return bundle
  }

  /// Changes the app to one for macOS.
  package mutating func becomeDeep() {
    isDeep = true
    for path in [\SampleApp.app, \SampleApp.downloader] {
      self[keyPath: path].program.platform = 1
      self[keyPath: path].info["LSMinimumSystemVersion"] = self[keyPath: path].info
        .removeValue(forKey: "MinimumOSVersion")
      for entitlements in [\Bundle.entitlements] {
        self[keyPath: path][keyPath: entitlements]["com.apple.application-identifier"] =
          self[keyPath: path][keyPath: entitlements].removeValue(forKey: "application-identifier")
        self[keyPath: path][keyPath: entitlements]["com.apple.security.app-sandbox"] = .bool(true)
      }
      self[keyPath: path].profile = self[keyPath: path].entitlements
    }
  }

  /// All files, relative to the folder of the app.
  package var allFiles: [String: [UInt8]] {
    let inner = isDeep ? "Contents/" : ""
    var all: [String: [UInt8]] = [:]
    func add(_ bundle: Bundle, in folder: String) {
      all[folder + "Info.plist"] = Array(SampleApp.Value.dictionary(bundle.info).document.utf8)
      var program = bundle.program
      if !bundle.entitlements.isEmpty, program.signature?.entitlements == nil {
        program.signature?.entitlements = Value.dictionary(bundle.entitlements).document
      }
      guard case .string(let name)? = bundle.info["CFBundleExecutable"] else { return }
      all[folder + (isDeep ? "MacOS/" : "") + name] = program.bytes
      if let profile = bundle.profile {
        let value = Value.dictionary([
          "Name": .string("Game Distribution"), "TeamIdentifier": .list([.string(Self.team)]),
          "Entitlements": .dictionary(profile),
        ])
        let file = isDeep ? "embedded.provisionprofile" : "embedded.mobileprovision"
        all[folder + file] = Self.signed(Array(value.document.utf8))
      }
    }
    add(app, in: inner)
    if hasExtension { add(downloader, in: "\(inner)\(place)/Downloader.appex/\(inner)") }
    for (path, bytes) in files { all[inner + path] = bytes }
    return all
  }

  /// Writes the app into a folder; `name` is its path there.
  package func write(to folder: borrowing TemporaryFolder, as name: String = "Game.app") throws {
    for (path, bytes) in allFiles { try folder.makeFile("\(name)/\(path)", bytes) }
  }

  /// Returns the app as an archive.
  package var archive: [UInt8] {
    var zip = ZipBytes()
    for (path, bytes) in allFiles.sorted(by: { $0.key < $1.key }) {
      zip.add("Payload/Game.app/\(path)", bytes)
    }
    return zip.archive()
  }

  /// Returns a signed message (CMS) with a content and without signers.
  package static func signed(_ content: [UInt8]) -> [UInt8] {
    func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
      let count = contents.count
      if count < 0x80 { return [tag, UInt8(count)] + contents }
      let digits = [UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
      return [tag, 0x83] + digits + contents
    }
    let oid: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    let inner = element(0x30, oid + [0x01] + element(0xA0, element(0x04, content)))
    let data = element(0x30, [0x02, 0x01, 0x01, 0x31, 0x00] + inner + [0x31, 0x00])
    return element(0x30, oid + [0x02] + element(0xA0, data))
  }
}
