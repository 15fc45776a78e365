import Arguments
import BAPackKit
import SystemIO

/// The builds of a project while its packs are served.
///
/// A build is one run of `pack`: it packs what is out of date, with the cache of the project.
struct ProjectBuild: Sendable {
  private let options: ManifestOptions
  private let place: ProjectPlace
  private let console: Console
  /// The folder or the archive that the builds write.
  let output: String

  /// Reads the project file; nil after errors, which have been reported.
  init?(
    _ options: ManifestOptions, _ console: Console, otherwise nothing: String
  ) throws(PackError) {
    guard let input = try options.opened(console, otherwise: nothing) else { return nil }
    guard let document = input.run.document, let output = try input.run.output() else {
      throw PackError(
        .missing, "the project file has no 'output'", remedy: "add 'output' to the project file")
    }
    self.options = options
    self.console = console
    self.output = output
    place = document.place
  }

  /// The result of a build.
  struct Outcome: Sendable {
    /// Whether all packs are up to date.
    let isDone: Bool
    /// The lines of `pack`, with findings.
    let messages: String
    /// The packs without a manifest; nil if a manifest has an error, so that they are unknown.
    let stale: Set<FileIdentity>?
  }

  /// `pack` of the project.
  private var command: PackCommand? {
    let program = Program(
      root: PackCommand.definition, version: version, date: versionDate,
      sharedOptions: CommonOptions.all, exitStatuses: [], environment: [])
    let request = try? program.parse(["--project", place.path], isElsewhere: { _ in true })
    guard case .run(let arguments)? = request else { return nil }
    return try? PackCommand(arguments)
  }

  /// Packs what is out of date.
  func run(_ work: Work) -> Outcome {
    let messages = TextStream()
    let silent = Console(
      output: TextStream(), messages: messages, work, environment: console.environment)
    var isDone = false
    do throws(PackError) {
      isDone = try command?.run(silent) == .done
    } catch {
      silent.error(error)
    }
    let stale =
      isDone ? PackOperands(try? options.opened(silent), for: [output], silent).stale : nil
    return Outcome(isDone: isDone, messages: messages.captured, stale: stale)
  }

  /// Returns the folders whose changes can change a pack: that of the project, the source roots,
  /// and their subfolders.
  ///
  /// The output folder and hidden folders are left out.
  func folders(_ work: Work) -> [String] {
    var roots = [place.folder.isEmpty ? "." : place.folder]
    let silent = Console(
      output: TextStream(), messages: TextStream(), work, environment: console.environment)
    if let input = try? options.opened(silent) {
      let project = Project((input.run.settings.packs?.value ?? []).map { FilePath($0) })
      for manifest in project.found().inputs {
        let document = project.read(manifest, work)
        if case .path(let path) = manifest { roots.append(OutputPlace(path.text).folder) }
        roots.append(SourceRoot.path(for: document, defaultRoot: input.run.defaultSourceRoot))
      }
    }
    var seen: Set<FileIdentity> = []
    if let own = try? FileStatus(ofFileAt: output).identity { seen.insert(own) }
    var folders: [String] = []
    for root in roots { Self.add(root, to: &folders, &seen) }
    return folders
  }

  private static func add(
    _ path: String, to folders: inout [String], _ seen: inout Set<FileIdentity>
  ) {
    guard let status = try? FileStatus(ofFileAt: path) else { return }
    guard status.kind == .directory else {
      // The folder of a source root that is an archive.
      let folder = OutputPlace(path).folder
      if let own = try? FileStatus(ofFileAt: folder), seen.insert(own.identity).inserted {
        folders.append(folder)
      }
      return
    }
    guard seen.insert(status.identity).inserted else { return }
    folders.append(path)
    guard let listing = try? FileDescriptor.open(path, for: .directory).list() else { return }
    for item in listing.items where item.kind == .directory || item.kind == .unknown {
      let name = listing.fileName(of: item)
      guard name.bytes.first != UInt8(ascii: ".") else { continue }
      let below = FilePath(path).appending(name).text
      if (try? FileStatus(ofLinkAt: below))?.kind == .directory { add(below, to: &folders, &seen) }
    }
  }
}

/// A thread that builds a project when its sources change.
///
/// Changes less than ``quiet`` apart are one build. It begins at most ``longest`` after the first
/// of them.
final class SourceWatch: Sendable {
  private static let quiet = Duration.milliseconds(100)
  private static let longest = Duration.seconds(5)

  private let end: Alarm
  private let ended: Alarm

  /// Starts the thread.
  ///
  /// - Throws: `Failure` if the system cannot watch a folder, for example because of its limit.
  init(
    _ project: ProjectBuild, _ work: Work,
    _ built: @escaping @Sendable (ProjectBuild.Outcome, Work) -> Void
  ) throws(Failure) {
    let (end, ended, watch) = (try Alarm(), try Alarm(), try FolderWatch())
    (self.end, self.ended) = (end, ended)
    for folder in project.folders(work) { try watch.add(folder) }
    try WorkerThreads.startAlone {
      let work = Work(until: end)
      var isOutdated = false
      while isOutdated || (try? watch.wait(work)) ?? false {
        let limit = ContinuousClock.now + Self.longest
        while ContinuousClock.now < limit,
          (try? watch.wait(until: .now + Self.quiet, work)) == true
        {}
        if work.isStopped { break }
        // New folders are watched before the build reads them.
        for folder in project.folders(work) { try? watch.add(folder) }
        let result = project.run(work)
        // An error of a file that was saved during the build is not shown.
        isOutdated = !result.isDone && (try? watch.wait(until: .now, work)) ?? false
        if work.isStopped { break }
        if isOutdated { continue }
        built(result, work)
      }
      ended.ring()
    }
  }

  /// Stops the builds, and waits at most 5 seconds until the thread has ended.
  func stop() {
    end.ring()
    _ = try? waitUntil(.readable, ended.number, "", until: .now + .seconds(5), .unstoppable)
  }
}
