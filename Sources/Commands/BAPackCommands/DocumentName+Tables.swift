import AppSide
import AppStoreConnect
import AppStoreMock
import AssetServer
import BAPackKit
import Converting
import DeviceSimulator
import Reporting
import SourceDiagnostics

extension DocumentName {
  /// The table of its members.
  var record: JSONRecord {
    switch self {
    case .manifest: Manifest.jsonShape
    case .project: ProjectSettings.jsonShape
    case .proposal: ProposalResult.table.record
    case .additions: AdditionsResult.table.record
    case .info: InfoResult.table.record
    case .list: ListedEntry.table.record
    case .duplicates: EqualFiles.table.record
    case .pack: PackResult.table.record
    case .packCache: PackCacheResult.table.record
    case .cacheInfo: CacheInfoResult.table.record
    case .cacheClean: CacheCleanResult.table.record
    case .extract: ExtractionResult.table.record
    case .report: Report.table.record
    case .comparison: Verdict.table.record
    case .plan: PlanResult.table.record
    case .uploads: UploadRecord.jsonShape
    case .serve: ServerEvent.jsonShape
    case .requests: LoggedRequest.jsonShape
    case .identity: IdentityResult.table.record
    case .serveReady: ReadyServer.table.record
    case .mockReady: ReadyMock.table.record
    case .webhookReady: ReadyWebhook.table.record
    case .pageState: PageState.table.record
    case .upload: UploadResults.table.record
    case .appStoreList: PackList.table.record
    case .appStoreStatus: VersionList.table.record
    case .appStoreLimits: LimitsResult.table.record
    case .appStoreWait: WaitResult.table.record
    case .appStoreSubmit: SubmitResult.table.record
    case .submissions: SubmissionList.table.record
    case .cancellation: CanceledSubmission.table.record
    case .publication: PublicationResult.table.record
    case .mockState: MockState.table.record
    case .mockRequest: MockEvent.table.record
    case .mockExchange: MockExchange.table.record
    case .mockSwitches: MockSettings.table.record
    case .sizes: PackSizes.jsonShape
    case .unmanaged: UnmanagedManifest.jsonShape
    case .versions: PublicationRecord.jsonShape
    case .simulate: InstallationResult.table.record
    case .matrix: MatrixResult.table.record
    case .scenario: ScenarioResult.table.record
    case .deviceRules: RulesResult.table.record
    case .findings: ReportedFinding.table.record
    case .knownFindings: KnownFindings.jsonShape
    case .evaluate: SelectedFile.table.record
    case .excluded: ExcludedFile.table.record
    case .why: PathReasons.table.record
    case .explain: ExplainedRule.table.record
    case .settings: ProjectResult.table.record
    case .tags: OnDemandDraft.tagTable.record
    case .appSetup: AppSetup.table.record
    case .addExtension: AddExtensionResult.table.record
    case .accepted: AcceptedBreaks.jsonShape
    case .appCode: ConstantsDocument.table.record
    case .appCheck: AppCheckResult.table.record
    }
  }

  /// The JSON Schema 2020-12.
  var schema: JSONValue { JSONSchema.document(title: title, record: record) }

  var reference: String { "## \(rawValue)\n\n\(title).\n\n" + JSONReference.markdown(record) }
}
