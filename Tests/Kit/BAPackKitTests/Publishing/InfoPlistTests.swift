import BAPackKit
import Foundation
import SourceDiagnostics
import TestSupport
import Testing

@Suite("The property list of a self-hosted app")
struct InfoPlistTests {
  let urls: PackURLs
  let archives: [PublishedArchive] = [
    .sample("tutorial", size: 1000, installedSize: 4000, policy: .essential),
    .sample("rules", size: 1, installedSize: 2, policy: .essential),
    .sample("island", size: 20_000_000_000, installedSize: 30_000_000_000, policy: .prefetch),
    .sample("level", size: 500, installedSize: 700),
  ]

  init() throws { urls = try PackURLs(base: "https://downloads.example.com/packs") }

  @Test
  func `the sizes are the sums of essential and of prefetched packs`() {
    let fragment = InfoPlistFragment(
      for: archives, at: urls, headroom: .none,
      app: .init(
        manifestURL: "https://www.example.com/a&b.json", appGroupID: "group.com.example.game"))
    #expect(
      fragment.xml() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
        "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>BAAppGroupID</key>
        \t<string>group.com.example.game</string>
        \t<key>BAEssentialMaxInstallSize</key>
        \t<integer>4002</integer>
        \t<key>BAHasManagedAssetPacks</key>
        \t<true/>
        \t<key>BAInitialDownloadRestrictions</key>
        \t<dict>
        \t\t<key>BADownloadAllowance</key>
        \t\t<integer>20000000000</integer>
        \t\t<key>BADownloadDomainAllowList</key>
        \t\t<array>
        \t\t\t<string>downloads.example.com</string>
        \t\t\t<string>www.example.com</string>
        \t\t</array>
        \t\t<key>BAEssentialDownloadAllowance</key>
        \t\t<integer>1001</integer>
        \t</dict>
        \t<key>BAManifestURL</key>
        \t<string>https://www.example.com/a&amp;b.json</string>
        \t<key>BAMaxInstallSize</key>
        \t<integer>30000000000</integer>
        \t<key>BAUsesAppleHosting</key>
        \t<false/>
        </dict>
        </plist>

        """)
  }

  @Test(arguments: AppKind.allCases)
  func `an app has exactly the keys of its kind, which Foundation reads`(kind: AppKind) throws {
    let app = InfoPlistFragment.App(
      manifestURL: "https://www.example.com/m.json", appGroupID: "group.a", kind: kind)
    let fragment =
      kind == .appleHosted
      ? InfoPlistFragment(ofAppleHostedAppInGroup: "group.a")
      : InfoPlistFragment(for: archives, at: urls, headroom: .none, app: app)
    let list = try #require(
      unsafe PropertyListSerialization.propertyList(
        from: Data(fragment.xml().utf8), options: [], format: nil) as? [String: Any])
    let ofServer = [
      "BAEssentialMaxInstallSize", "BAInitialDownloadRestrictions", "BAManifestURL",
      "BAMaxInstallSize",
    ]
    let managed = ["BAHasManagedAssetPacks", "BAUsesAppleHosting"]
    let expected =
      ["BAAppGroupID"] + (kind == .unmanaged ? [] : managed)
      + (kind == .appleHosted ? [] : ofServer)
    #expect(list.keys.sorted() == expected.sorted())
    #expect(
      list["BAUsesAppleHosting"] as? Bool == (kind == .unmanaged ? nil : kind == .appleHosted))
    #expect(fragment.missingKeys == [])
    #expect(InfoPlistFragment(ofAppleHostedAppInGroup: nil).missingKeys == [.appGroupID])
  }

  @Test
  func `only packs for the platform count`() {
    var archives = archives
    archives[0].manifest.platforms = [.macOS]
    archives[1].manifest.platforms = [.iOS, .tvOS]
    let fragment = InfoPlistFragment(
      for: archives, on: .iOS, at: urls, headroom: .none, app: .init())
    #expect(fragment.sizes[.essentialDownload] == 1)
    #expect(fragment.sizes[.download] == 20_000_000_000)
  }

  @Test(arguments: ["", "a\u{1}", "a\nb"])
  func `an app group that is invalid in a property list is rejected`(id: String) {
    #expect(throws: PackError.self) {
      try InfoPlistFragment.App(appGroupID: id).check(allowingHTTP: false)
    }
  }

  @Test(arguments: ["nested.xml", "itself.binary", "doubled.binary", "not-utf8.xml"])
  func `input that crashes or blocks Foundation is rejected before Foundation reads it`(
    name: String
  ) throws {
    let corpus = Checkout.file("Tests/Corpus/info-plists/\(name)")
    let document = InfoPlistDocument(parsing: [UInt8](try Data(contentsOf: corpus)), named: name)
    #expect(document.plist == nil)
    #expect(document.findings.map(\.id) == ["download.info-plist"])
    #expect(document.findings.all.first?.notes.isEmpty == false)
  }

  @Test
  func `nesting in a comment, a text or a document type does not count`() {
    let many = String(repeating: "<array>", count: 100)
    let document = plist("<!-- \(many) --><key>a</key><string><![CDATA[\(many)]]></string>")
    #expect(document.plist != nil)
    #expect(document.findings.all == [])
  }

  @Test
  func `a written list is read with equal values, as XML and as binary`() throws {
    let fragment = InfoPlistFragment(
      for: archives, at: urls, headroom: .none,
      app: .init(manifestURL: "https://www.example.com/m.json", appGroupID: "group.x"))
    let xml = Array(fragment.xml().utf8)
    let binary = try unsafe PropertyListSerialization.data(
      fromPropertyList: PropertyListSerialization.propertyList(
        from: Data(xml), options: [], format: nil), format: .binary, options: 0)
    for bytes in [xml, Array(binary)] {
      let document = InfoPlistDocument(parsing: bytes, named: "Info.plist")
      #expect(document.findings.all == [])
      let plist = try #require(document.plist)
      #expect(plist.sizes == fragment.sizes)
      #expect(plist.domains == DomainAllowList(["downloads.example.com", "www.example.com"]))
      #expect(plist.manifestURL == "https://www.example.com/m.json")
      #expect(plist.appGroupID == "group.x")
      #expect(plist.hasManagedAssetPacks == true)
      #expect(plist.usesAppleHosting == false)
      #expect(plist.hasRestrictions)
    }
  }

  @Test
  func `an app without managed packs has no key for them`() {
    let xml = InfoPlistFragment(
      for: archives, at: urls, headroom: .none, app: .init(kind: .unmanaged)
    ).xml()
    #expect(!xml.contains("BAHasManagedAssetPacks"))
    #expect(!xml.contains("BAUsesAppleHosting"))
    #expect(!xml.contains("BAAppGroupID"))
    #expect(!xml.contains("BAManifestURL"))
    #expect(xml.contains("<key>BAMaxInstallSize</key>"))
  }

  @Test(
    arguments: [
      ("20%", 1000, 1200), ("20", 1001, 1202), ("0%", 7, 7), ("12.5%", 1000, 1125),
      ("0.01%", 1, 2), ("1000%", 10, 110), ("50%", 0, 0),
      ("100%", UInt64.max, UInt64.max), ("0%", .max, .max),
    ] as [(String, UInt64, UInt64)])
  func `headroom is a share of the size, rounded up`(text: String, size: UInt64, expected: UInt64)
    throws
  {
    #expect(try #require(Headroom(text)).above(size) == expected)
  }

  @Test(arguments: ["", "%", "-5%", "1001%", "20 %", "1.234%", "1.2.3", "x", "+5", ".5", "5."])
  func `an invalid share is rejected`(text: String) {
    #expect(Headroom(text) == nil)
  }

  private func plist(_ members: String) -> InfoPlistDocument {
    InfoPlistDocument(
      parsing: Array("<plist version=\"1.0\">\n<dict>\(members)</dict>\n</plist>".utf8),
      named: "Info.plist")
  }

  @Test
  func `values of a wrong kind are reported at their keys`() {
    let document = plist(
      """

      <key>BAManifestURL</key><integer>1</integer>
      <key>BAUsesAppleHosting</key><string>NO</string>
      <key>BAMaxInstallSize</key><string>100</string>
      <key>BAEssentialMaxInstallSize</key><integer>-1</integer>
      <key>BAHasManagedAssetPacks</key><integer>1</integer>
      <key>BAInitialDownloadRestrictions</key><dict>
      <key>BADownloadAllowance</key><true/>
      <key>BADownloadDomainAllowList</key><string>*.example.com</string>
      </dict>

      """)
    #expect(
      document.findings.lines == [
        "Info.plist:3:1: error: 'BAManifestURL' must be a string [download.info-plist]",
        "Info.plist:4:1: error: 'BAUsesAppleHosting' must be true or false [download.info-plist]",
        "Info.plist:5:1: error: 'BAMaxInstallSize' must be a whole number of bytes "
          + "[download.info-plist]",
        "Info.plist:6:1: error: 'BAEssentialMaxInstallSize' must be a whole number of bytes "
          + "[download.info-plist]",
        "Info.plist:7:1: error: 'BAHasManagedAssetPacks' must be true or false "
          + "[download.info-plist]",
        "Info.plist:9:1: error: 'BADownloadAllowance' must be a whole number of bytes "
          + "[download.info-plist]",
        "Info.plist:10:1: error: 'BADownloadDomainAllowList' must be an array of strings "
          + "[download.info-plist]",
      ])
  }

  @Test(arguments: ["", "{", "bplist00", "<plist version=\"1.0\"><array/></plist>", "<html/>"])
  func `a file that is not a property list is reported`(text: String) {
    let document = InfoPlistDocument(parsing: Array(text.utf8), named: "Info.plist")
    #expect(document.plist == nil)
    #expect(document.findings.map(\.id) == ["download.info-plist"])
  }
}
