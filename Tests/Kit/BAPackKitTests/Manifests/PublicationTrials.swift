import BAPackKit
import SourceDiagnostics

extension Trial {
  /// The trials of the rules about download manifests and unmanaged manifests, by the ID of the
  /// rule.
  static let ofPublicationRules: [String: Trial] = [
    "download.url": .downloadManifest,
    "download.not-https": .downloadManifest,
    "download.duplicate-url": .downloadManifest,
    "download.address": .publishing(
      wrong: .init {
        $0.packs = [.example(version: 4, name: "tutorial-3.aar")]
        $0.record = .example(
          (4, "a"), urlTemplate: "https://downloads.example.com/{id}-{version}.aar")
      },
      right: .init {
        $0.packs = [.example(version: 4, name: "tutorial-4.aar")]
        $0.record = .example(
          (4, "a"), urlTemplate: "https://downloads.example.com/{id}-{version}.aar")
      }),
    "download.domain": .publishing(
      wrong: .init { $0.plist = plist(domains: "example.com") },
      right: .init { $0.plist = plist(domains: "*.example.com") }),
    "download.upload-name": .publishing(
      wrong: .init {
        $0.packs = [.example(version: 4, name: "tutorial")]
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      },
      right: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      }),
    "download.size": .downloadManifest,
    "download.size-differs": .publishing(
      wrong: .init {
        $0.packs = [.example(version: 4, size: 595)]
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      },
      right: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      }),
    "download.pack-differs": .publishing(
      wrong: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example(policy: .essential([.firstInstallation]))]
      },
      right: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example(policy: .onDemand)]
      }),
    "download.archive-missing": .publishing(
      wrong: .init {
        $0.record = .example((4, "a"))
        $0.archives = []
      },
      right: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      }),
    "download.archive-unlisted": .publishing(
      wrong: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example, .example("level-1")]
      },
      right: .init {
        $0.packs = [.example, .example("level-1", version: 0)]
        $0.record = .example((4, "a"))
        $0.archives = [.example, .example("level-1")]
      }),
    "download.archive-unreadable": .archive(wrong: Array("PK".utf8), right: nil),
    "download.info-plist": .publishing(
      wrong: .init {
        $0.plist = plist(manifest: "http://example.com/manifest.json")
      }, right: .init { $0.plist = plist(manifest: "https://example.com/manifest.json") }),
    "download.allowance": .publishing(
      wrong: .init {
        $0.packs = [
          .example(version: 4, size: 1_200_000, policy: .prefetch([.firstInstallation]))
        ]
        $0.plist = plist(allowance: 1_000_000)
      },
      right: .init {
        $0.packs = [
          .example(version: 4, size: 1_200_000, policy: .prefetch([.firstInstallation]))
        ]
        $0.plist = plist(allowance: 1_500_000)
      }),
    "download.duplicate-id": .downloadManifest,
    "download.similar-ids": .downloadManifest,
    "download.unknown-pack": .publishing(
      wrong: .init(.update(removing: ["tutorail"])),
      right: .init(.update(removing: ["tutorial"]))),
    "download.pack-vanished": .publishing(
      wrong: .init {
        $0.packs = []
        $0.previous = [.example]
      },
      right: .init { $0.previous = [.example] }),
    "download.platform": .publishing(
      wrong: .init(.create) { $0.archives = [.example(platforms: [.tvOS])] },
      right: .init(.create) { $0.archives = [.example(platforms: [.iOS])] }),
    "download.host": .downloadManifest,
    "download.no-record": .publishing(
      wrong: .init { $0.archives = [.example] },
      right: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example]
      }),
    "download.record": .record,
    "download.record-format": .record,
    "download.record-twice": .record,
    "download.other-file": .downloadManifest,
    "download.conflict": .downloadManifest,
    "download.too-large": .publishing(
      wrong: .init(.create) {
        let info: JSONValue = (0..<511).reduce(.object([])) { value, _ in
          .object([.init("a", value)])
        }
        $0.archives = [.example(userInfo: info)]
      },
      right: .init(.create) { $0.archives = [.example(userInfo: .object([]))] }),
    "download.version": .downloadManifest,
    "download.version-limit": .downloadManifest,
    "download.version-not-raised": .publishing(
      wrong: .init {
        $0.record = .example((4, "a"))
        $0.archives = [.example(digest: "b")]
      },
      right: .init {
        $0.packs = [.example(version: 5)]
        $0.record = .example((4, "a"), (5, "b"))
        $0.archives = [.example(digest: "b")]
      }),
    "download.version-raised": .publishing(
      wrong: .init {
        $0.packs = [.example(version: 5)]
        $0.record = .example((4, "a"), (5, "a"))
        $0.previous = [.example(version: 4)]
      },
      right: .init {
        $0.record = .example((4, "a"))
        $0.previous = [.example(version: 4)]
      }),
    "download.version-lowered": .publishing(
      wrong: .init {
        $0.packs = [.example(version: 3)]
        $0.previous = [.example(version: 4, size: 597)]
      },
      right: .init {
        $0.packs = [.example(version: 5)]
        $0.previous = [.example(version: 4, size: 597)]
      }),
    "download.behind-record": .publishing(
      wrong: .init { $0.record = .example((4, "a"), (7, "b")) },
      right: .init {
        $0.packs = [.example(version: 7)]
        $0.record = .example((4, "a"), (7, "b"))
      }),
    "unmanaged.other-text": .unmanaged(),
    "unmanaged.format": .unmanaged(),
    "unmanaged.value": .unmanaged(),
    "unmanaged.duplicate": .unmanaged(),
    "unmanaged.order": .unmanaged(),
    "unmanaged.file": .unmanaged(files: [.file("0.dat", [UInt8](repeating: 0x78, count: 10))]),
    "unmanaged.unlisted": .unmanaged(
      files: ["level-2.dat"], correct: []),
    "unmanaged.managed": .unmanaged(
      plist: plist(),
      correct: plist().replacing(
        "<key>BAHasManagedAssetPacks</key><true/>", with: "")),
  ]

  /// Returns a valid property list for examples, with the given changes.
  private static func plist(
    domains: String = "*.example.com", manifest: String = "https://example.com/manifest.json",
    allowance: Int = 2_000_000
  ) -> String {
    """
    <plist version="1.0"><dict>
    <key>BAAppGroupID</key><string>group.com.example.game</string>
    <key>BAHasManagedAssetPacks</key><true/>
    <key>BAManifestURL</key><string>\(manifest)</string>
    <key>BAMaxInstallSize</key><integer>5000000</integer>
    <key>BAInitialDownloadRestrictions</key><dict>
    <key>BADownloadAllowance</key><integer>\(allowance)</integer>
    <key>BADownloadDomainAllowList</key><array><string>\(domains)</string></array>
    <key>BAEssentialDownloadAllowance</key><integer>0</integer>
    </dict></dict></plist>
    """
  }
}
