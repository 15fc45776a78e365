// A mock of the framework of Capacitor.
// swift-format-ignore-file
import WebKit

public final class InstanceConfiguration {}

@MainActor open class CAPBridgeViewController {
  public init() {}
  open func webViewConfiguration(
    for instanceConfiguration: InstanceConfiguration
  ) -> WKWebViewConfiguration { WKWebViewConfiguration() }
}
