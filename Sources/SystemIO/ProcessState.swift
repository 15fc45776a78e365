import Glibc

/// What a process has of its own: its environment and what signals do to it.
package enum ProcessState {
  /// A variable of the environment.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// How many processors there are to work on.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Makes a write to a closed pipe fail, where it would end the process without a chance to clean
  /// up.
  package static func ignoreClosedPipes() { _ = signal(SIGPIPE, SIG_IGN) }

  /// Makes UTC the local time of the process; for the main thread, before there are others.
  package static func useUniversalTime() {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
  }

  /// Ends the process by a signal, so that a shell sees what happened and stops its script.
  package static func end(bySignal number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    _ = raise(number)
    exit(128 + number)
  }
}
