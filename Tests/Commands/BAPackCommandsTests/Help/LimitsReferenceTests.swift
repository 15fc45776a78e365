import AppSide
import Foundation
import TestSupport
import Testing

@testable import AppStoreConnect
@testable import AppStoreMock
@testable import AssetArchive
@testable import AssetServer
@testable import BAPackCommands
@testable import BAPackKit
@testable import BlockSharing
@testable import Converting
@testable import DeviceSimulator
@testable import HTTPServer
@testable import Reporting
@testable import SourceDiagnostics

/// The page of limits: its numbers are the constants of the program.
struct LimitsReferenceTests {
  private struct Section {
    var title: String
    var rows: [(limit: String, value: String)]

    var text: String {
      "\n### \(title)\n\n| Limit | Value |\n|---|---|\n"
        + rows.map { "| \($0.limit) | \($0.value) |\n" }.joined()
    }
  }

  private static func binary(_ bytes: some BinaryInteger) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB"]
    var (number, unit) = (UInt64(bytes), 0)
    while number >= 1024, number % 1024 == 0, unit < 3 {
      (number, unit) = (number / 1024, unit + 1)
    }
    return "\(grouped(number)) \(units[unit])"
  }

  private static func grouped(_ number: some BinaryInteger) -> String {
    var text = String(number)
    var index = text.count - 3
    while index > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: index))
      index -= 3
    }
    return text
  }

  private static func seconds(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return seconds % 3600 == 0 ? "\(seconds / 3600) h" : "\(seconds) s"
  }

  private static var apple: String {
    let limits = DeliveryLimits.current
    let upload = UploadJournal.Attempt(
      archive: .init(sha256: "", size: 0), began: Moment(seconds: 0), phase: .making(above: 0))
    let rows = [
      (
        "Asset packs of an app", "\(limits.packs); older documents state \(limits.packsBefore)",
        limits.date
      ),
      (
        "Size of all archives of an app, compressed",
        "\(limits.hostedBytes / 1_000_000_000) GB; Apple sends an e-mail from "
          + "\(limits.hostedWarningPercent) %", limits.date
      ),
      ("Size of one archive", "no limit is published", "`-`"),
      ("Asset packs in one review submission", "\(Review.mostPacks)", "`-`"),
      (
        "Time to complete an upload",
        "\(upload.usualEnd.seconds / 86_400) days, unless the upload URLs contain another date",
        "`-`"
      ),
      (
        "Requests to the App Store Connect API",
        "\(grouped(MockSettings().rateLimit)) an hour for a key",
        "`-`"
      ),
      (
        "Lifetime of a token of the App Store Connect API",
        "\(TokenCheck.longestLife / 60) minutes",
        "`-`"
      ),
      ("Asset packs", "systems from version \(DeviceSystem.supported[0])", "`-`"),
      ("Localized asset packs", "systems from version \(DeviceSystem.supported[1])", "`-`"),
    ]
    return rows.map { "| \($0.0) | \($0.1) | \($0.2) |\n" }.joined()
  }

  private static var inputs: [Section] {
    let (json, settings) = (JSONLimits(), PackSettings())
    return [
      Section(
        title: "Manifests and other JSON documents",
        rows: [
          ("Size of a document", binary(json.size)), ("Nesting", "\(json.depth) levels"),
          ("Findings kept for one document", grouped(Ledger.limit)),
          ("Findings kept for the files of one manifest", grouped(Ledger.fileLimit)),
          ("Length of an asset pack ID", "64 characters; a longer ID is a warning"),
        ]),
      Section(
        title: "Archives",
        rows: [
          ("Length of a path in a pack", "\(grouped(PackPath.longest)) bytes"),
          ("Length of a file name in a pack", "\(PackPath.longestName) bytes"),
          ("Entries of an archive", grouped(EntryValidator.mostEntries)),
          ("Manifest in an archive", binary(PackReader.largestManifest)),
          (
            "Block size (`--block-size`)",
            "\(binary(PackSettings.blockSizes.lowerBound)) to "
              + "\(binary(PackSettings.blockSizes.upperBound)); "
              + "default: \(binary(settings.blockSize))"
          ), ("Memory for one block (`--memory`)", "default: \(binary(settings.memory))"),
          ("Essential packs of a device", "200 MB before compression; more is a note"),
        ]),
      Section(
        title: "Projects, budgets and caches",
        rows: [
          ("Shards", grouped(Shard.most)),
          ("Warning before a budget is exceeded", "from \(Budget.warningPercent) %"),
          ("Contributors that an exceeded budget lists", "\(BudgetUse.mostContributors)"),
          ("Folder of a cache (`--cache-limit`)", "default: \(binary(CacheOptions.defaultLimit))"),
          (
            "Waiting for the server of a cache",
            "\(seconds(SharedCache.Options().patience)) in one run"
          ),
        ]),
      Section(
        title: "Conversions",
        rows: [
          ("Text of an input", binary(ConversionInput.largestText)),
          ("Steam script", binary(KeyValues.largestText)),
          ("Source file for `--scan`", binary(SourceScan.largestFile)),
          ("Files in a tagged folder", grouped(ResourceFolder.mostFiles)),
        ]),
    ]
  }

  private static var services: [Section] {
    let (server, request) = (HTTPServer.Limits(), RequestLimits())
    let simulation = RemoteServer.Options()
    return [
      Section(
        title: "Self-hosting",
        rows: [
          (
            "Version in a download manifest",
            "\(grouped(PublishedPack.highestPortableVersion)); a higher version is a warning"
          ), ("Info.plist that a command reads", binary(InfoPlistDocument.largest)),
        ]),
      Section(
        title: "`serve` and `app-store mock`",
        rows: [
          ("Connections", grouped(server.connections)),
          ("Head of a request", "\(binary(request.headSize)), \(request.fieldCount) fields"),
          ("Time for a TLS handshake or a head", seconds(server.headTime)),
          ("Time for a body", seconds(server.bodyTime)),
          ("Idle time of a connection", seconds(server.idleTime)),
          ("Time without progress of a response", seconds(server.stallTime)),
          (
            "Requests and devices on the live page",
            "\(RequestHistory.mostRequests) and \(RequestHistory.mostDevices)"
          ),
          ("Live pages that are open at the same time", "\(LivePage.mostWatchers)"),
          ("Body of a JSON request to the mock", binary(AppStoreMock.bodyLimit)),
        ]),
      Section(
        title: "`simulate`",
        rows: [
          ("Scenario", binary(ScenarioDocument.largestText)),
          ("Time for a download (`--timeout`)", "default: \(seconds(simulation.timeout))"),
          ("Time for a manifest", seconds(simulation.manifestTime)),
          (
            "Lowest speed of a download",
            "\(simulation.slowest) bytes a second for \(seconds(simulation.stallTime))"
          ),
        ]),
      Section(
        title: "Reports",
        rows: [
          ("Largest files that a report lists", "\(Report.mostLargest)"),
          ("Markdown for a comment", "\(grouped(MarkdownPage.longest)) characters"),
        ]),
    ]
  }

  private static var page: String {
    """
    # Limits

    This page lists the limits of Apple and of `ba-package`. Its numbers are the constants of the
    program; a test compares them.

    ## Limits of Apple

    Apple publishes these numbers and changes them. The column "Verified" has the date on which the
    number was compared with Apple's documents, or `-` if the date was not recorded. `ba-package
    app-store limits` prints the use of an app.

    | Limit | Value | Verified |
    |---|---|---|
    \(apple)
    The requests and states of the App Store Connect API were compared with Apple's description of
    version 4.4.1 (2026-07-15) on 2026-11-22. Of 4.6 and 4.6.1, only the release notes were read, on
    2026-11-29: they do not mention Background Assets.

    The limits of packs and of archives are budgets of each project, except with `--hosting self`.
    See [Size budgets and `diff`](../guides/budgets-and-diff.md).

    ## Limits of `ba-package`

    A value above a limit is an error, unless the table states something else.
    \((inputs + services).map(\.text).joined())
    """
  }

  @Test func `the page of limits matches the constants`() throws {
    let file = Checkout.file("docs/reference/limits.md")
    if ProcessInfo.processInfo.environment["RECORD_LIMITS"] != nil {
      try Self.page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == Self.page,
      "'RECORD_LIMITS=1 swift test --filter LimitsReferenceTests' updates the page")
  }

  @Test(arguments: [
    ("id.style", "64 "), ("files.essential-size", "200 MB"), ("language.systems", "27"),
  ])
  func `rules state the limits that have no constant`(_ rule: String, _ limit: String) throws {
    let rule = try #require(RuleCatalogue.all.first { $0.id.name == rule })
    #expect(rule.what.contains(limit) || rule.why.contains(limit))
  }
}
