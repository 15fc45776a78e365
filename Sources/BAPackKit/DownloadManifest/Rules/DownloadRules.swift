/// What download manifests, and what goes with them, can be wrong about.
enum DownloadRules {
  static let all: [Rule] = [
    DownloadDuplicateID.rule, DownloadURL.rule, DownloadNotSecure.rule, DownloadDuplicateURL.rule,
    DownloadVersion.rule, DownloadVersionLimit.rule, DownloadSize.rule, DownloadHost.rule,
    DownloadPlatform.rule, DownloadAddress.rule, DownloadUnknownPack.rule, SimilarIDs.published,
    DownloadOtherFile.rule, DownloadConflict.rule, DownloadTooLarge.rule, DownloadNoRecord.rule,
    DownloadRecord.rule, DownloadRecordFormat.rule, DownloadRecordTwice.rule,
    DownloadBehindRecord.rule, DownloadUploadName.rule,
    DownloadVersionKept.rule, DownloadVersionRaised.rule, DownloadVersionLowered.rule,
    DownloadPackVanished.rule,
    DownloadSizeDiffers.rule, DownloadPackDiffers.rule, DownloadArchiveMissing.rule,
    DownloadArchiveUnlisted.rule, DownloadArchiveUnreadable.rule,
    DownloadDomain.rule, DownloadAllowance.rule, DownloadInfoPlist.rule,
  ]
}
