import AssetServer
import BAPackKit
import QRCodes
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText

/// The messages when the server is ready: its addresses, and the steps on a device.
struct StartupLines {
  let settings: ServeSettings
  let trust: ServerTrust
  let log: RequestLog
  let console: Console
  let addresses: ServerAddresses
  /// The token of the live page: a part of its printed address, but not of the page.
  let token: String

  func write(_ packs: [ServedPack]) {
    switch settings.format {
    case .json: log.report(ServerEvent.ready, (addresses, packs.count), "")
    case .text:
      let isQuiet = console.verbosity == .quiet
      if !isQuiet, let authority = trust.authority { introduce(authority) }
      log.show("Listening on port \(addresses.port)")
      if !isQuiet { reportAddresses(packs) }
    }
  }

  private func reportAddresses(_ packs: [ServedPack]) {
    let size = packs.reduce(0) { $0 + $1.archive.size }
    let page = addresses.pageURL.map { "   live page: \($0)#token=\(token)" } ?? ""
    let user = settings.user.map { "https://\($0):<password>@\(addresses.url.dropFirst(8))" }
    var lines = [
      "Serving \(Quantity.count(packs.count, "pack")) (\(Quantity.bytes(size))) at  "
        + "\(addresses.url)\(page)",
      "On the device: Settings > Developer > Development Overrides > URL Override: "
        + (user ?? addresses.url),
    ]
    if trust.host.isLoopback {
      lines.append("Other machines cannot connect: '\(trust.host)' is a loopback address.")
    }
    if settings.build != nil {
      lines.append("Watching the project: changed files are packed, and served as new versions.")
    }
    if trust.isNew || trust.authority == nil { lines += Self.limits }
    for line in lines { log.show(line) }
  }

  /// Limitations of devices, which are printed on the first run.
  private static let limits = [
    "Notes for the first run (also in 'ba-package serve --help'):",
    "  TestFlight and App Store builds ignore the override. Run the app from Xcode.",
    "  Devices cache the manifest. If a device does not update after a restart of this server, "
      + "enter the override again.",
    "  Devices download essential packs from this server only on request of the app.",
    "  The app needs access to the local network before its extension can download.",
  ]

  private func introduce(_ authority: Authority) {
    let home = console.environment("HOME") ?? ""
    let path = OutputPlace(trust.caFile).folder
    let folder =
      !home.isEmpty && path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    let year = authority.root.end.map { " (valid until \($0.day.prefix(4)))" } ?? ""
    let made = trust.isNew ? "created" : "existing"
    log.show("Certificate authority: \(made), in \(folder)\(year)")
    guard let enrolmentURL = addresses.enrolmentURL else { return }
    // A device cannot connect to a loopback address.
    let isReachable = !trust.host.isLoopback
    log.show(
      isReachable
        ? "Scan to trust it on a device: \(enrolmentURL)"
        : "Open to trust it on this machine: \(enrolmentURL)")
    if isReachable, console.output.isTerminal, settings.command.isEmpty,
      let code = try? QRCode(enrolmentURL)
    {
      log.perform { $0.picture(code.lines()) }
    }
    if let digest = trust.digest { log.show("SHA-256 to compare: \(digest)") }
  }
}
