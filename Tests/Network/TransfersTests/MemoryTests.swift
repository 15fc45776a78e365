import Foundation
import HTTPServer
import SystemIO
import TLSIdentity
import TestSupport
import Testing
import Transfers

/// The memory of a transfer, which does not depend on the size of the data.
@Suite(.mustEnd) struct MemoryTests {
  @Test(.heavy, .withoutThreadSanitizer)
  func `a transfer of one gibibyte requires no more memory than one megabyte`() async {
    // A separate process with the server: the memory of both is measured.
    await #expect(processExitsWith: .success) {
      let site = try ScriptedSite { request, _ in
        let size = UInt64(request.head.pathText.dropFirst()) ?? 0
        let piece = [UInt8](repeating: 0x61, count: 1 << 16)
        return Response(
          200,
          body: .writing(size) { writer throws(Failure) in
            while writer.count < size { try writer.write(piece) }
          })
      }
      let folder = try TemporaryFolder()
      let transfers = try site.transfers()
      _ = try transfers.get(site.url("/1048576"), to: folder.path("a"), .unstoppable)
      let before = ProcessFigures.peakMemory
      _ = try transfers.get(site.url("/1073741824"), to: folder.path("b"), .unstoppable)
      #expect(ProcessFigures.peakMemory - before < 4 << 20)
      let file = try UploadFile(folder.path("b"))
      // The site stores each request with its body, so use several parts.
      let parts = (0..<20).map { UInt64($0) << 22..<UInt64($0 + 1) << 22 }
      let kept = 20 << 22
      try transfers.exchange(
        parts.map { Exchange("PUT", site.url("/0"), body: .part(file, $0)) }, atOnce: 2,
        .unstoppable
      ) { #expect($1.status == 200 && $0 < 20) }
      let grown = ProcessFigures.peakMemory - before
      #expect(grown - kept < 40 << 20, "\(grown)")
    }
  }
}
