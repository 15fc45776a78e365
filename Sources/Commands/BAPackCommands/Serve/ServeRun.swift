import Arguments
import AssetServer
import BAPackKit
import Faults
import Glibc
import HTTPServer
import QRCodes
import SourceDiagnostics
import SystemIO
import TLSIdentity
import TerminalText

/// One run of the server, from opening the ports to closing them.
struct ServeRun {
  private let settings: ServeSettings
  private let console: Console
  private let log: RequestLog
  private let ready: ReadyFile<ReadyServer>?
  private let trust: ServerTrust
  private let versions: VersionRecord
  private let switches: LiveFaults
  private let known: KnownPacks
  private let credentials: BasicCredentials?
  /// The secret that authorizes the switches of the live page.
  private let token = Self.makeToken()

  init(_ settings: ServeSettings, _ console: Console) throws(PackError) {
    self.settings = settings
    self.console = console
    // Misspelt names are reported before anything is created.
    try Self.inspect(settings)
    credentials = try settings.user.map { user throws(PackError) in
      try Self.credentials(of: user, console)
    }
    ProcessState.allowManyOpenFiles()
    ready = try settings.readyFile.map { path throws(PackError) in try ReadyFile(path) }
    let state = try Self.stateFolder(settings, console)
    // The record of known packs is long: another thread reads it.
    let (known, rest) = try WorkerThreads.run(beside: {
      KnownPacks(keptIn: state.appending(FileName("known-packs.json".utf8)).text, by: version)
    }) { () throws(PackError) in
      let trust = try ServerTrust(settings, console)
      let log = try RequestLog(
        console, as: settings.format, in: settings.log, aside: !settings.command.isEmpty)
      let versions = try VersionRecord(
        keptIn: state.appending(FileName("versions.json".utf8)).text, reports: Self.reports(log),
        console.work)
      return (trust, log, versions)
    }
    self.known = known
    (trust, log, versions) = rest
    switches = LiveFaults(settings.faults)
    switches.latency = settings.latency
    switches.isOffline = settings.isOffline
    switches.bytesPerSecond = settings.bytesPerSecond
  }

  private static func stateFolder(
    _ settings: ServeSettings, _ console: Console
  ) throws(PackError) -> FilePath {
    if let given = settings.stateFolder { return FilePath(given) }
    return try UserFolders.state(console)
  }

  /// Checks that every pack exists, and that versions are for packs.
  private static func inspect(_ settings: ServeSettings) throws(PackError) {
    for (index, operand) in settings.operands.enumerated() {
      let kind = try mapFailure(.reading) { () throws(Failure) in
        try FileStatus(ofFileAt: operand).kind
      }
      guard index < settings.versions.count, settings.versions[index] != nil, kind == .directory
      else { continue }
      throw PackError(
        .invalidValue, "a version is for one pack, and '\(operand)' is a folder",
        remedy: "specify the pack itself")
    }
  }

  private static func credentials(
    of user: String, _ console: Console
  ) throws(PackError) -> BasicCredentials {
    guard let password = console.environment(passwordVariable), !password.isEmpty else {
      throw PackError(
        .missing, "the password of '\(user)' is missing",
        remedy: .advice("set \(passwordVariable) in the environment"))
    }
    return BasicCredentials(user: user, password: password)
  }

  private static func makeToken() -> String {
    var random = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      hexadecimal(UInt32.random(in: 0...UInt32.max, using: &random), digits: 8)
    }
    .joined()
  }

  func run() throws(PackError) -> ExitStatus {
    // All waiting messages are printed before the error of the run.
    defer { log.end() }
    // The ports are opened first: a port in use is reported before gigabytes are read.
    let ports = try ServePorts(settings, host: trust.host)
    let (listener, enrolmentListener, pageListener) = (ports.main, ports.enrolment, ports.page)
    let port = listener.port
    let catalogue = Catalogue(versions)
    let packFolder = PackFolder(
      settings.operands, besides: settings.leftOut, into: catalogue, known: known,
      verification: verification)
    try loadPacks(from: packFolder, into: catalogue)
    for fault in settings.faults { warn(of: fault, among: catalogue.all) }

    let base = "https://\(trust.host.inURL):\(port)"
    let addresses = ServerAddresses(
      url: base, port: Int(port),
      enrolmentURL: enrolmentListener.map { "http://\(trust.host.inURL):\($0.port)" },
      pageURL: pageListener.map { "http://127.0.0.1:\($0.port)/" })
    let page = try page(of: catalogue, at: addresses)
    guard let own = listener.take() else { return .failed }
    let server = try serve(catalogue, page, on: own)
    var servers = [server]
    if let enrolment = enrolmentListener?.take(), let authority = trust.authority {
      servers.append(try enrol(authority, base, on: enrolment))
    }
    if let pageListener = pageListener?.take() {
      servers.append(try start(pageListener, tls: nil, page.handler))
    }
    StartupLines(
      settings: settings, trust: trust, log: log, console: console, addresses: addresses,
      token: token
    ).write(catalogue.all)
    let watch = try watch(packFolder)
    let sources = try watchSources(for: packFolder, on: page)
    let ending = Result { () throws(PackError) in try work(addresses) }
    sources?.stop()
    watch.stop()
    page.end()
    let isInterrupted = console.work.isStopped
    if isInterrupted, log.idleTime == nil {
      log.perform {
        $0.summary(
          "Stopping after the current downloads, in at most 5 seconds. Another signal stops "
            + "immediately.")
      }
    }
    server.stop(within: isInterrupted ? .seconds(5) : .zero)
    for other in servers.dropFirst() { other.stop() }
    return try ending.get()
  }

  // MARK: - Preparation

  /// Warns of a fault that matches no pack.
  private func warn(of fault: DownloadFault, among packs: [ServedPack]) {
    let ids = packs.map(\.id.text)
    guard !fault.applies(to: .manifest), !ids.contains(where: { fault.applies(to: .pack($0)) })
    else {
      return
    }
    let near = fault.nearestSubject(among: ids).map { "did you mean '\($0)'?" }
    log.perform {
      $0.warning("no pack matches '\(fault.subject)' of '--fault \(fault)'", remedy: near)
    }
  }

  private var verification: Verification {
    var verification = Verification()
    verification.threads = ProcessState.processorCount
    verification.memory = settings.memory
    return verification
  }

  private func loadPacks(from packFolder: PackFolder, into catalogue: Catalogue) throws(PackError) {
    let events = try console.showing("Verifying") { (work) throws(PackError) in
      try packFolder.addAll(versions: settings.versions, work)
    }
    for event in events {
      // The summary includes the served packs.
      if case .accepted = event { continue }
      report(event)
    }
    guard catalogue.all.isEmpty, !settings.isWatching else { return }
    let names = settings.operands.map { "'\($0)'" }.joined(separator: ", ")
    throw PackError(.missing, "there are no packs to serve in \(names)", remedies: [.makePack])
  }

  private static func reports(_ log: RequestLog) -> VersionRecord.Reports {
    var reports = VersionRecord.Reports()
    reports.waiting = { path in log.perform { $0.waiting(for: path) } }
    reports.failed = { trouble in
      log.report(
        PackError(
          trouble.kind,
          "versions are not recorded, and may decrease after a restart: \(trouble.message)",
          remedies: trouble.remedies))
    }
    return reports
  }

  private func page(
    of catalogue: Catalogue, at addresses: ServerAddresses
  ) throws(PackError) -> LivePage {
    var facts = LivePage.Facts(overrideURL: addresses.url)
    facts.enrolmentURL = addresses.enrolmentURL
    facts.code = try mapFailure(.reading) { () throws(Failure) in
      guard let url = addresses.enrolmentURL else { return nil }
      return try QRCode(url)?.rows
    }
    facts.rootDigest = trust.digest
    return LivePage(facts, catalogue: catalogue, switches: switches, token: token)
  }

  private func serve(
    _ catalogue: Catalogue, _ page: LivePage, on listener: consuming Listener
  ) throws(PackError) -> HTTPServer {
    var options = AssetServer.Options()
    options.showsLanguages = settings.showsLanguages
    options.hosts = Set(trust.names.map(\.inURL))
    options.page = { page.withoutSwitches($0) }
    options.credentials = credentials
    options.trustAdvice =
      trust.authority == nil
      ? "" : "install its profile, and enable the root in Certificate Trust Settings"
    let log = log
    let packs = AssetServer(
      catalogue, switches: switches, options: options, port: listener.address.port
    ) { event in
      page.note(event)
      log.note(event)
    }
    let trust = trust
    let tls = try mapFailure(.writing) { () throws(Failure) in
      try TLSContext { name, address throws(Failure) in try trust.identity(for: name, at: address) }
    }
    return try start(listener, tls: tls, packs.handler)
  }

  private func enrol(
    _ authority: Authority, _ base: String, on listener: consuming Listener
  ) throws(PackError) -> HTTPServer {
    let enrolment = try mapFailure(.writing) { () throws(Failure) in
      try Enrolment(
        root: authority.root, called: ServerTrust.authorityName, overridingWith: base,
        exportedBy: "ba-package identity export -o root.pem")
    }
    return try start(listener, tls: nil, enrolment.handler)
  }

  private func start(
    _ listener: consuming Listener, tls: TLSContext?, _ handler: HTTPServer.Handler
  ) throws(PackError) -> HTTPServer {
    do throws(Failure) {
      let server = try HTTPServer(listener, tls: tls, handler)
      try server.start()
      return server
    } catch {
      throw PackError(error, while: .writing)
    }
  }

  private func watch(_ packFolder: PackFolder) throws(PackError) -> Watch {
    let run = self
    return try mapFailure(.reading) { () throws(Failure) in
      try Watch(packFolder, settings.isWatching ? .everything : .withdrawn) { run.report($0) }
    }
  }

  /// Builds the project when its sources change, and serves the new packs.
  private func watchSources(
    for packFolder: PackFolder, on page: LivePage
  ) throws(PackError) -> SourceWatch? {
    guard let build = settings.build else { return nil }
    let run = self
    return try mapFailure(.reading) { () throws(Failure) in
      try SourceWatch(build, console.work) { result, work in
        let log = run.log
        page.show(findings: result.isDone ? nil : result.messages)
        if !result.isDone {
          log.perform { console in
            console.finding(text: result.messages)
            console.warning("the old packs are served until the next build without errors")
          }
        }
        // A budget that is exceeded does not prevent archives.
        for event in (try? packFolder.refresh(afterBuild: result.stale, work)) ?? [] {
          run.report(event)
        }
      }
    }
  }

  // MARK: - Messages

  private func report(_ event: PackFolder.FileEvent) {
    switch event {
    case .accepted(let id, let change, let path):
      switch change {
      case .added(let version):
        log.report(
          ServerEvent.added, (id, version),
          "Serving '\(id.text)' version \(version) from '\(path)'.")
      case .raised(let old, let version):
        log.report(
          ServerEvent.raised, (id, version),
          "Serving '\(id.text)' version \(version) instead of \(old).")
      case .unchanged(let version):
        log.report(
          ServerEvent.unchanged, (id, version),
          "'\(id.text)' is unchanged: version \(version).")
      case .refused: break
      }
    case .damaged(let path, let findings):
      log.perform { console in
        console.report(findings, as: .text, of: RuleCatalogue.rules(of: .packs))
        console.error("'\(path)' is not served: \(findings.tally)")
      }
    case .refused(_, let error): log.report(error)
    case .removed(let id, let path):
      log.report(
        ServerEvent.gone, id, "'\(id.text)' is no longer served: '\(path)' was removed.")
    case .withdrawn(let id, let path):
      log.report(
        ServerEvent.withdrawn, (id, path),
        "'\(id.text)' is temporarily not served: '\(path)' was changed, and is being verified.")
    }
  }

  // MARK: - Running

  /// The variable with the password of `--user`, which is removed from the environment of the
  /// command.
  private static let passwordVariable = "BA_SERVE_PASSWORD"

  /// Waits for a reason to end, and returns the exit status.
  private func work(_ addresses: ServerAddresses) throws(PackError) -> ExitStatus {
    let pageURL = addresses.pageURL
    let token = pageURL == nil ? nil : token
    // A program that waits for the ready file can read the earlier messages.
    log.flush()
    let written = try ready?.write(
      ReadyServer(addresses: addresses, caFile: trust.caFile, token: token ?? ""))
    defer { written?.remove() }
    guard !settings.command.isEmpty else { return try waitForTheEnd() }
    return try ServingTime.run(
      settings.command,
      changing: [
        Self.passwordVariable: nil, "BA_IDENTITY_PASSWORD": nil,
        "BA_BASE_URL": addresses.url, "BA_CA_FILE": trust.caFile,
        "BA_PAGE_URL": pageURL, "BA_CONTROL_TOKEN": token,
      ], log, console.work)
  }

  /// Waits for a signal, or for the idle timeout.
  private func waitForTheEnd() throws(PackError) -> ExitStatus {
    try ServingTime.mappingInterrupt { () throws(Failure) in
      while true {
        var next: ContinuousClock.Instant?
        if let limit = settings.idleTime {
          let idle = log.idleTime ?? .zero
          if idle >= limit { return ExitStatus.done }
          next = .now + (limit - idle)
        }
        try console.work.pause(until: next)
      }
    }
  }
}
