import AppStoreConnect
import AssetServer
import BAPackKit
import Converting
import Testing

@testable import BAPackCommands
import Transfers

@Suite("Remedies")
struct RemedyTests {
  /// Every remedy of a library that has a separate text in the program.
  private static let all: [Remedy] = [
    .replaceExisting, .specifyAnotherOutput, .writeToAnotherDisk, .writeToOwnFolder,
    .writeIntoFolder, .specifyAnotherCache, .specifyAnotherManifestFolder, .useFewerThreads,
    .useSmallerBlocks, .allowMoreMemory, .makePack,
    .listPack("a.aar"), .inspectPack, .unpackFirst, .takeRawEntries, .useAsSourceRoot("a.zip"),
    .useArchiveAsSourceRoot, .useAsManifest("m.json"), .passAsManifest, .startFromTemplate,
    .proposePacks("Assets"),
    .checkDownloadManifest("d.json"), .updateDownloadManifest, .replaceDownloadManifest,
    .specifyAddresses, .specifyBaseAddress, .specifyAddressTemplate, .allowInsecureAddresses,
    .leaveOutPublishedFolder, .publishToFolder, .publishArchive, .removePack("a"),
    .printInfoPlist, .printUnmanagedInfoPlist, .specifyManifestAddress, .specifyAppGroup,
    .specifyDownloadManifest, .specifySourceRoot, .hostYourself, .specifyPrimaryLanguage,
    .listExcluded, .specifyInputKind, .specifyPolicy, .specifyPackID, .specifyContentRoot,
    .specifyPlatforms, .specifyTarget, .trustAuthority, .specifyAPIKey, .keepUploadsElsewhere,
    .uploadFailedAgain, .listSubmissions, .raiseVersion(to: 4),
  ]

  @Test(arguments: all)
  func `texts of the library contain no options and commands, texts of the program do`(
    _ remedy: Remedy
  ) {
    let naming = #/(^|\W)--?[a-z]|ba-package|download-manifest/#
    #expect(!remedy.description.contains(naming))
    #expect(remedy.phrase.contains(naming))
  }

  @Test
  func `several remedies are printed in one line, and names in them are escaped`() {
    let error = PackError(
      .exists, "'x' already exists", remedies: [.replaceExisting, "remove it", .listPack("a\nb")])
    #expect(
      error.remedyText
        == #"""
        use --force to replace it, or remove it, or 'ba-package list a\x0Ab' lists the contents
        """#)
    #expect(PackError(.exists, "x").remedyText == nil)
  }
}
