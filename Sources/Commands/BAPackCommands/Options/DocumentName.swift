import SourceDiagnostics

/// The JSON documents that a table describes.
enum DocumentName: String, Sendable, CaseIterable {
  case manifest, project
  case proposal = "init"
  case additions = "init-add"
  case info, list, duplicates, pack
  case packCache = "pack-cache"
  case cacheInfo = "cache-info"
  case cacheClean = "cache-clean"
  case extract, report
  case comparison = "diff"
  case plan, uploads
  case serve, requests, identity
  case serveReady = "serve-ready"
  case mockReady = "mock-ready"
  case webhookReady = "webhook-ready"
  case pageState = "page-state"
  case upload
  case appStoreList = "app-store-list"
  case appStoreStatus = "app-store-status"
  case appStoreLimits = "app-store-limits"
  case appStoreWait = "app-store-wait"
  case appStoreSubmit = "app-store-submit"
  case submissions = "app-store-submissions"
  case cancellation = "app-store-cancel"
  case publication
  case appSetup = "app-setup"
  case addExtension = "app-add-extension"
  case mockState = "mock-state"
  case mockRequest = "mock-request"
  case mockExchange = "mock-exchange"
  case mockSwitches = "mock-switches"
  case sizes, unmanaged, versions
  case simulate, matrix, scenario
  case deviceRules = "device-rules"
  case findings
  case knownFindings = "known-findings"
  case evaluate, excluded, why, explain, settings, tags, accepted
  case appCode = "app-code"
  case appCheck = "app-check"

  /// The name in a schema.
  var title: String {
    switch self {
    case .manifest: "Asset pack manifest"
    case .project: "Project of asset packs"
    case .proposal: "Result of 'init'"
    case .additions: "Result of 'init --add'"
    case .info: "Result of 'info'"
    case .list: "Line of the result of 'list'"
    case .duplicates: "Line of the result of 'list --duplicates'"
    case .pack: "Line of the result of 'pack'"
    case .packCache: "Last line of the result of 'pack' with a cache"
    case .cacheInfo: "Result of 'cache info'"
    case .cacheClean: "Result of 'cache clean'"
    case .extract: "Result of 'extract'"
    case .report: "Report"
    case .comparison: "Result of 'diff'"
    case .plan: "Result of 'plan'"
    case .uploads: "Upload journal"
    case .serve: "Line of the result of 'serve'"
    case .requests: "Line of the request log of 'serve'"
    case .identity: "Result of 'identity show'"
    case .serveReady: "Ready file of 'serve'"
    case .mockReady: "Ready file of 'app-store mock'"
    case .webhookReady: "Ready file of 'app-store webhook'"
    case .pageState: "State of the live page"
    case .upload: "Result of 'upload'"
    case .appStoreList: "Result of 'app-store list'"
    case .appStoreStatus: "Result of 'app-store status'"
    case .appStoreLimits: "Result of 'app-store limits'"
    case .appStoreWait: "Result of 'app-store wait'"
    case .appStoreSubmit: "Result of 'app-store submit'"
    case .submissions: "Result of 'app-store submissions list'"
    case .cancellation: "Result of 'app-store submissions cancel'"
    case .publication: "Result of 'download-manifest create' and 'update'"
    case .appSetup: "Result of 'app setup'"
    case .addExtension: "Result of 'app add-extension'"
    case .mockState: "State of a mock of App Store Connect"
    case .mockRequest: "Line of the log of a mock of App Store Connect"
    case .mockExchange: "Recorded exchange of a mock of App Store Connect"
    case .mockSwitches: "Switches of a mock of App Store Connect"
    case .sizes: "List of pack sizes"
    case .unmanaged: "Unmanaged manifest"
    case .versions: "Version lock"
    case .simulate: "Result of 'simulate'"
    case .matrix: "Result of 'simulate --matrix'"
    case .scenario: "Result of 'simulate --scenario'"
    case .deviceRules: "Result of 'simulate --explain' without packs"
    case .findings: "Line of findings, such as those of 'validate'"
    case .knownFindings: "List of known findings of 'validate'"
    case .evaluate: "Line of the result of 'evaluate'"
    case .excluded: "Line of the result of 'evaluate --excluded'"
    case .why: "Line of the result of 'why'"
    case .explain: "Line of the result of 'explain'"
    case .settings: "Result of 'project'"
    case .tags: "Packs for the tags of On-Demand Resources, from 'convert'"
    case .accepted: "Accepted breaking changes, for 'diff --accept'"
    case .appCode: "Result of 'app code --format json'"
    case .appCheck: "Result of 'app check'"
    }
  }

  /// Returns a sentence for help texts that names the command with the description of the document.
  func described(_ subject: String = "With '--format json', prints one object") -> String {
    "\(subject); see 'ba-package schema --for \(rawValue)'."
  }
}
