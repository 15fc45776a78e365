import TerminalText
import Transfers

extension Retry {
  /// The report of a retry: the reason, the pause, and whether the server requested it.
  var text: String {
    let pause = Quantity.briefly(pause)
    return isRequested
      ? "\(failure); waiting \(pause), as the server requests (Retry-After)"
      : "\(failure); trying again in \(pause)"
  }
}
