import BAPackKit
import Proposing
import Testing

struct DeviceCostTests {
  private static let always: Set<InstallationEvent> = [.firstInstallation, .subsequentUpdate]

  private static func proposal(
    _ packs: (String, DownloadPolicy, UInt64, LanguageTag?, [Platform])...
  ) -> Proposal {
    var proposal = Proposal(project: FoundProject())
    proposal.packs = packs.map { id, policy, size, language, platforms in
      var pack = ProposedPack(
        Manifest(
          assetPackID: id, downloadPolicy: policy, fileSelectors: [.directory(id)],
          platforms: platforms, language: language), reasons: [])
      pack.bytes = 10 * size
      pack.compressed = size
      return pack
    }
    return proposal
  }

  @Test func `without languages and platforms there is one kind of device`() {
    let proposal = Self.proposal(
      ("core", .essential(Self.always), 40, nil, []), ("music", .prefetch(Self.always), 7, nil, []),
      ("level", .onDemand, 5, nil, []))
    #expect(
      proposal.deviceCosts == [DeviceCost(beforeLaunch: 40, inBackground: 7, total: 52)])
  }

  @Test func `a language with another size is another kind of device`() {
    let proposal = Self.proposal(
      ("core", .essential(Self.always), 40, nil, []),
      ("de", .essential(Self.always), 3, LanguageTag("de"), []),
      ("en", .essential(Self.always), 8, LanguageTag("en"), []),
      ("fr", .essential(Self.always), 3, LanguageTag("fr"), []))
    #expect(
      proposal.deviceCosts == [
        DeviceCost(language: LanguageTag("en"), beforeLaunch: 48, inBackground: 0, total: 48),
        DeviceCost(language: LanguageTag("de"), beforeLaunch: 43, inBackground: 0, total: 43),
      ])
  }

  @Test func `a platform with another size is another kind of device`() {
    let proposal = Self.proposal(
      ("core", .essential(Self.always), 40, nil, []), ("mac", .onDemand, 5, nil, [.macOS]))
    #expect(
      proposal.deviceCosts == [
        DeviceCost(platform: .macOS, beforeLaunch: 40, inBackground: 0, total: 45),
        DeviceCost(platform: .iOS, beforeLaunch: 40, inBackground: 0, total: 40),
      ])
  }

  @Test func `packs for some platforms only have no cost on the others`() {
    let proposal = Self.proposal(("core", .onDemand, 40, nil, [.iOS, .tvOS]))
    #expect(proposal.deviceCosts == [DeviceCost(beforeLaunch: 0, inBackground: 0, total: 40)])
  }
}
