import Arguments
import BAPackKit
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// `unmanaged` from files to the manifest, and back.
@Suite("unmanaged")
struct UnmanagedCommandTests {
  private static let base = "https://downloads.example.com/assets"

  private func assets() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("Assets/levels/one.dat", "one")
    try folder.makeFile("Assets/levels/two words.dat", "two")
    try folder.makeFile("Assets/zoo/start.dat", "start!")
    try folder.makeFile("Assets/extra.psd", "no asset")
    return folder
  }

  private func create(
    _ folder: borrowing TemporaryFolder, _ arguments: String..., to name: String = "m.json"
  ) -> Captured {
    Captured(
      ["unmanaged", "create", folder.path("Assets"), "--exclude", "*.psd", "-o", folder.path(name)]
        + (arguments.contains("--url-template") ? [] : ["--base-url", Self.base]) + arguments)
  }

  private func text(_ folder: borrowing TemporaryFolder, _ name: String) throws -> String {
    String(decoding: try folder.contents(name), as: UTF8.self)
  }

  @Test
  func `a manifest has essential files first, and always the same bytes`() throws {
    let folder = try assets()
    let run = create(
      folder, "--essential", "zoo", "--on-demand", "levels/two*", "--installation-event-types",
      "firstInstallation")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let digest = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    let first = try text(folder, "m.json")
    #expect(first.contains("\"format\": 1,"))
    #expect(first.contains("\"urlTemplate\": \"\(Self.base)/{path}\","))
    #expect(
      first.contains(
        """
            {
              "identifier": "levels/one.dat",
              "url": "https://downloads.example.com/assets/levels/one.dat",
              "fileSize": 3,
              "sha256": "\(digest)",
              "version": 0,
              "essential": false,
              "installationEventTypes": [
                "firstInstallation"
              ]
            },
        """), "\(first)")
    #expect(first.contains("/levels/two%20words.dat\""))
    let order = first.matches(of: #/"identifier": "([^"]+)"/#).map { String($0.1) }
    #expect(order == ["zoo/start.dat", "levels/one.dat", "levels/two words.dat"])
    // In any order of operands.
    let parts = ["zoo/start.dat", "levels/two words.dat"].map { folder.path("Assets/" + $0) }
    for (name, paths) in [("a.json", parts), ("b.json", parts.reversed())] {
      let run = Captured(
        ["unmanaged", "create"] + paths + ["--base-url", Self.base, "-o", folder.path(name)])
      #expect(run.ending == .status(.done), "\(run.messages)")
    }
    #expect(try folder.contents("a.json") == folder.contents("b.json"))
    #expect(create(folder).messages.contains("use --force to replace it"))
  }

  @Test
  func `an update keeps unchanged files, and gives changed files a new URL by their digest`()
    throws
  {
    let folder = try assets()
    let template = "https://cdn.example.com/{sha256}/{path}"
    #expect(create(folder, "--url-template", template).ending == .status(.done))
    let before = try text(folder, "m.json")
    let update = ["unmanaged", "update", folder.path("m.json"), folder.path("Assets")]
    #expect(Captured(update + ["--exclude", "*.psd"]).ending == .status(.done))
    #expect(try text(folder, "m.json") == before)
    try folder.makeFile("Assets/levels/one.dat", "ONE!")
    try folder.makeFile("Assets/new.dat", "new")
    try folder.remove("Assets/zoo/start.dat")
    let run = Captured(
      update + ["--exclude", "*.psd", "--managed-output", folder.path("managed.json")])
    #expect(run.messages.contains("1 added, 1 changed, 0 removed, 1 kept (file not given)."))
    let after = try text(folder, "m.json")
    #expect(after.contains("\"version\": 1,"))
    let old = before.matches(of: #/"url": "([^"]+)"/#).map { String($0.1) }
    let new = after.matches(of: #/"url": "([^"]+)"/#).map { String($0.1) }
    #expect(Set(old).subtracting(new).count == 1)
    #expect(new.count == 4)
    #expect(try text(folder, "managed.json").contains("\"version\": 1,"))
    let pruned = Captured(update + ["--exclude", "*.psd", "--prune"])
    #expect(pruned.messages.contains("1 removed"))
    #expect(try !text(folder, "m.json").contains("zoo/start.dat"))
  }

  @Test
  func `a URL that is kept although the bytes changed is a warning`() throws {
    let folder = try assets()
    #expect(create(folder).ending == .status(.done))
    try folder.makeFile("Assets/levels/one.dat", "other")
    let run = Captured("unmanaged", "update", folder.path("m.json"), folder.path("Assets"))
    #expect(run.messages.contains("Warning: 'levels/one.dat' changed but keeps its URL"))
  }

  @Test
  func `a check compares files, URLs and allowances`() throws {
    let folder = try assets()
    #expect(create(folder, "--essential", "zoo").ending == .status(.done))
    let check = ["unmanaged", "check", folder.path("m.json"), "--exclude", "*.psd", "--files"]
    let good = Captured(check + [folder.path("Assets")])
    #expect(good.ending == .status(.done), "\(good.messages)")
    try folder.makeFile("Assets/levels/one.dat", "eno")
    try folder.makeFile("Assets/zoo/start.dat", "longer than that")
    try folder.makeFile("Assets/unknown.dat", "x")
    try folder.remove("Assets/levels/two words.dat")
    let bad = Captured(check + [folder.path("Assets")])
    #expect(bad.ending == .status(.failed))
    for arguments in [
      "'levels/one.dat' does not match its SHA-256",
      "'zoo/start.dat' has 16 bytes, but the "
        + "manifest specifies 6",
      "the file 'unknown.dat' is not in the manifest",
      "there is no file 'levels/two words.dat'",
    ] {
      #expect(bad.messages.contains(arguments), "\(bad.messages)")
    }
    try folder.makeFile(
      "Info.plist",
      """
      <plist version="1.0"><dict>
      <key>BAAppGroupID</key><string>group.com.example.game</string>
      <key>BAManifestURL</key><string>https://example.com/m.json</string>
      <key>BAMaxInstallSize</key><integer>1000</integer>
      <key>BAEssentialMaxInstallSize</key><integer>1000</integer>
      <key>BAInitialDownloadRestrictions</key><dict>
      <key>BADownloadAllowance</key><integer>5</integer>
      <key>BAEssentialDownloadAllowance</key><integer>1000</integer>
      <key>BADownloadDomainAllowList</key><array><string>*.example.org</string></array>
      </dict></dict></plist>
      """)
    let plist = Captured(
      "unmanaged", "check", folder.path("m.json"), "--info-plist", folder.path("Info.plist"))
    #expect(plist.messages.contains("[download.domain]"))
    #expect(
      plist.messages.contains(
        "BADownloadAllowance is 5, but the prefetched assets have 6 bytes [download"))
    #expect(plist.ending == .status(.failed))
  }

  @Test
  func `the keys of Info.plist are those of packs, without the one for managed packs`() throws {
    let folder = try assets()
    #expect(create(folder, "--essential", "zoo").ending == .status(.done))
    let run = Captured(
      "unmanaged", "info-plist", folder.path("m.json"), "--headroom", "50%", "--format", "json",
      "--app-group-id", "group.x", "--manifest-url", "https://m.example.com/m.json")
    #expect(
      run.output == """
        {"BAAppGroupID":"group.x","BAEssentialMaxInstallSize":9,"BAInitialDownloadRestrictions":\
        {"BADownloadAllowance":9,"BADownloadDomainAllowList":["downloads.example.com",\
        "m.example.com"],"BAEssentialDownloadAllowance":9},"BAManifestURL":\
        "https://m.example.com/m.json","BAMaxInstallSize":9}

        """)
    #expect(run.messages == "")
  }

  @Test(arguments: [[], ["--essential", "*"], ["--on-demand", "*"], ["--essential", "zoo"]])
  func `the keys that 'info-plist' prints pass the check of the same manifest`(
    policy: [String]
  ) throws {
    let folder = try assets()
    let made = Captured(
      ["unmanaged", "create", folder.path("Assets"), "--base-url", Self.base]
        + policy + ["-o", folder.path("m.json")])
    #expect(made.ending == .status(.done), "\(made.messages)")
    let keys = Captured(
      "unmanaged", "info-plist", folder.path("m.json"), "--manifest-url",
      "https://m.example.com/m.json")
    #expect(keys.messages == "")
    #expect(!keys.output.contains("BAAppGroupID") && !keys.output.contains("BAUsesAppleHosting"))
    try folder.makeFile("Info.plist", keys.output)
    let check = Captured(
      "unmanaged", "check", folder.path("m.json"), "--strict", "--info-plist",
      folder.path("Info.plist"))
    #expect(check.ending == .status(.done), "\(check.messages)")
    let without = Captured("unmanaged", "info-plist", folder.path("m.json"))
    #expect(without.messages == "Add 'BAManifestURL' to the file, or use --manifest-url.\n")
  }

  @Test
  func `the check requires the keys of an app with its own downloader, and names the command`()
    throws
  {
    let folder = try assets()
    #expect(create(folder, "--on-demand", "*").ending == .status(.done))
    func check(_ members: String) throws -> Captured {
      try folder.makeFile("Info.plist", "<plist version=\"1.0\"><dict>\(members)</dict></plist>")
      return Captured(
        "unmanaged", "check", folder.path("m.json"), "--info-plist", folder.path("Info.plist"))
    }
    let restrictions = """
      <key>BAManifestURL</key><string>https://example.com/m.json</string>
      <key>BAInitialDownloadRestrictions</key><dict>
      <key>BADownloadDomainAllowList</key><array><string>*.example.com</string></array>
      """
    let empty = try check("")
    for key in ["BAInitialDownloadRestrictions", "BAManifestURL"] {
      #expect(empty.messages.contains("the key '\(key)' is missing"), "\(empty.messages)")
    }
    #expect(!empty.messages.contains("BAAppGroupID"))
    #expect(empty.messages.contains("'ba-package unmanaged info-plist' prints the keys"))
    #expect(!empty.messages.contains("'download-manifest info-plist'"))
    // The framework terminates the app without them, also if no file is downloaded then.
    let sizes = try check(restrictions + "</dict>")
    for key in ["BADownloadAllowance", "BAEssentialDownloadAllowance"] {
      #expect(sizes.messages.contains("the key '\(key)' is missing"), "\(sizes.messages)")
    }
    #expect(!sizes.messages.contains("MaxInstallSize"))
    let whole =
      restrictions + "<key>BADownloadAllowance</key><integer>0</integer>"
      + "<key>BAEssentialDownloadAllowance</key><integer>0</integer></dict>"
    #expect(try check(whole).ending == .status(.done))
    for key in ["BAHasManagedAssetPacks", "BAUsesAppleHosting"] {
      let on = try check(whole + "<key>\(key)</key><true/>")
      #expect(on.ending == .status(.failed))
      #expect(on.messages.contains("error: '\(key)' is true"), "\(on.messages)")
      let off = try check(whole + "<key>\(key)</key><false/>")
      #expect(off.ending == .status(.done))
      #expect(off.messages.contains("warning: '\(key)' is for apps with managed packs"))
    }
  }

  @Test
  func `the printed keys pass the check, and a key without a value names its option`()
    throws
  {
    let folder = try assets()
    #expect(create(folder, "--essential", "zoo").ending == .status(.done))
    func check(_ options: String...) throws -> Captured {
      let keys = Captured(["unmanaged", "info-plist", folder.path("m.json")] + options)
      #expect(keys.ending == .status(.done), "\(keys.messages)")
      try folder.makeFile("Info.plist", keys.output)
      return Captured(
        "unmanaged", "check", folder.path("m.json"), "--info-plist", folder.path("Info.plist"))
    }
    let without = try check("--headroom", "20%")
    #expect(without.ending == .status(.failed))
    #expect(without.messages.contains("the key 'BAManifestURL' is missing"))
    #expect(without.messages.contains("--manifest-url https://"), "\(without.messages)")
    #expect(!without.messages.contains("'ba-package unmanaged info-plist' prints the keys"))
    let address = "https://cdn.example.com/manifest.json"
    let whole = try check("--headroom", "20%", "--manifest-url", address)
    #expect(whole.ending == .status(.done), "\(whole.messages)")
  }

  @Test
  func `the managed form is a valid download manifest`() throws {
    let folder = try assets()
    #expect(create(folder, "--format", "managed", "--essential", "zoo").ending == .status(.done))
    let text = try text(folder, "m.json")
    #expect(text.contains("\"assetPacks\": ["))
    #expect(text.contains("\"downloadSize\": 6"))
    let check = Captured("download-manifest", "check", folder.path("m.json"))
    #expect(check.ending == .status(.done), "\(check.messages)")
    let update = Captured("unmanaged", "update", folder.path("m.json"), folder.path("Assets"))
    #expect(update.ending == .status(.failed))
    #expect(update.messages.contains("[unmanaged.other-text]"))
    #expect(try self.text(folder, "m.json") == text)
  }

  @Test
  func `patterns select the download policy, and one without matches is an error`() throws {
    let folder = try assets()
    let typo = create(folder, "--essential", "zoos/*")
    #expect(typo.ending == .status(.failed))
    #expect(typo.messages.contains("no file matches the pattern 'zoos/*'"))
    #expect((try? FileStatus(ofFileAt: folder.path("m.json"))) == nil)
    let events = ["--installation-event-types", "firstInstallation"]
    #expect(create(folder, "--essential", "zoo", events[0], events[1]).ending == .status(.done))
    let update = ["unmanaged", "update", folder.path("m.json"), folder.path("Assets")]
    let exclude = ["--exclude", "*.psd"]
    let same = Captured(update + exclude)
    #expect(same.messages.hasSuffix("0 kept (file not given).\n"), "\(same.messages)")
    let moved = Captured(
      update + exclude + ["--essential", "levels/one.dat", "--on-demand", "zoo"])
    #expect(moved.messages.contains("0 changed"))
    #expect(moved.messages.contains("; 2 with a changed download policy."))
    let document = UnmanagedDocument(parsing: try folder.contents("m.json"), named: "m")
    let policies = try #require(document.manifest).assets.map(\.policy)
    // The selected installations are kept.
    #expect(
      policies == [
        .essential([.firstInstallation]), .prefetch([.firstInstallation]), .onDemand,
      ])
  }

  @Test
  func `an update writes only texts that can be read again`() throws {
    let folder = try assets()
    let made = create(folder, "--url-template", "https://x.example/{file}")
    #expect(made.ending == .status(.done), "\(made.messages)")
    let before = try text(folder, "m.json")
    let update = ["unmanaged", "update", folder.path("m.json"), folder.path("Assets")]
    let itself = Captured(update + ["--managed-output", folder.path("m.json")])
    #expect(
      itself.messages.contains("the command reads or writes this file, too"), "\(itself.messages)")
    try folder.makeFile("Assets/levels-one.dat")
    let twice = Captured(update + ["--managed-output", folder.path("managed.json")])
    #expect(twice.ending == .status(.failed))
    #expect(twice.messages.contains("[download.duplicate-id]"), "\(twice.messages)")
    try folder.makeFile("Assets/zoo/one.dat")
    let address = Captured(update)
    #expect(address.ending == .status(.failed), "\(address.messages)")
    #expect(address.messages.contains("[unmanaged.duplicate]"), "\(address.messages)")
    #expect(try text(folder, "m.json") == before)
    #expect((try? FileStatus(ofFileAt: folder.path("managed.json"))) == nil)
  }

  @Test
  func `conflicting options are usage errors`() throws {
    for arguments in [
      ["create", "x"], ["create", "x", "--base-url", "http://x.example"],
      ["create", "x", "--base-url", "https://x.example", "--essential", "["],
      ["create", "x", "--base-url", "https://x.example", "--url-template", "{id}"],
      ["check", "m.json", "--exclude", "x"], ["swift", "--app-group-id", ""],
    ] {
      #expect(Captured(["unmanaged"] + arguments).ending == .status(.usage), "\(arguments)")
    }
  }

  @Test
  func `a link that leaves the folder, and a duplicate name, are errors`() throws {
    let folder = try assets()
    try folder.makeFile("Other/levels/one.dat", "again")
    let twice = Captured(
      "unmanaged", "create", folder.path("Assets"), folder.path("Other"), "--base-url", Self.base)
    #expect(twice.ending == .status(.failed))
    #expect(twice.messages.contains("[unmanaged.duplicate]"))
    try folder.makeLink("Assets/out", to: "/etc/passwd")
    let link = create(folder)
    #expect(link.ending == .status(.failed))
    #expect((try? FileStatus(ofFileAt: folder.path("m.json"))) == nil)
  }

  @Test(.heavy)
  func `the Swift file is compiled, and decodes the manifest`() throws {
    let folder = try assets()
    #expect(
      create(folder, "--essential", "zoo", "--on-demand", "levels/two*").ending == .status(.done))
    let swift = Captured(
      "unmanaged", "swift", "--app-group-id", #"group.a"b\(c)"#, "-o",
      folder.path("UnmanagedManifest.swift"))
    #expect(swift.ending == .status(.done), "\(swift.messages)")
    try folder.makeFile(
      "main.swift",
      #"""
      import Foundation
      let manifest = try UnmanagedManifest(contentsOf: URL(filePath: CommandLine.arguments[1]))
      func names(_ event: UnmanagedManifest.InstallationEvent) -> String {
        manifest.assets(for: event).map { "\($0.identifier):\($0.fileSize):\($0.essential)" }
          .joined(separator: ",")
      }
      precondition(names(.firstInstallation) == "zoo/start.dat:6:true,levels/one.dat:3:false")
      precondition(names(.subsequentUpdate) == names(.firstInstallation))
      let other = manifest.asset(identifier: "levels/two words.dat")
      precondition(other?.url.absoluteString.hasSuffix("/levels/two%20words.dat") == true)
      precondition(other?.sha256.count == 64 && other?.version == 0)
      do {
        _ = try UnmanagedManifest(Data(#"{"format": 2, "assets": []}"#.utf8))
        preconditionFailure()
      } catch let error as UnmanagedManifest.UnknownFormat {
        precondition(error.format == 2)
      }
      """#)
    let status = try Peer.run(
      "swiftc -swift-version 6 -warnings-as-errors UnmanagedManifest.swift main.swift -o reader "
        + "&& ./reader m.json", in: folder.path)
    #expect(status == 0)
  }
}
