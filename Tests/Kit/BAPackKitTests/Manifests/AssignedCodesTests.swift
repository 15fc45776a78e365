import Foundation
import Testing

@testable import BAPackKit

/// The tables of codes, compared with Foundation.
@Suite struct AssignedCodesTests {
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz").map(String.init)

  @Test func `the regions are the same as in Foundation`() {
    let capitals = Self.letters.map { $0.uppercased() }
    let digits = (0...9).map(String.init)
    var codes = capitals.flatMap { first in capitals.map { first + $0 } }
    for first in digits {
      for second in digits { codes += digits.map { first + second + $0 } }
    }
    let known = Set(Locale.Region.isoRegions.map(\.identifier))
    #expect(known.count > 280)
    // Unicode uses a private code for outlying Oceania.
    #expect(codes.filter { AssignedCodes.isRegion($0) != (known.contains($0) && $0 != "QO") } == [])
  }

  @Test func `three-letter codes have the same two-letter codes as in Foundation`() {
    var differing: [String: String?] = [:]
    var count = 0
    for first in Self.letters {
      for second in Self.letters {
        for third in Self.letters {
          let code = first + second + third
          let short = Locale.LanguageCode(code).identifier(.alpha2).flatMap {
            $0.utf8.count == 2 ? $0 : nil
          }
          count += short == nil ? 0 : 1
          let ours = AssignedCodes.twoLetterCode(of: code)
          // Foundation does not support bibliographic codes.
          if ours != short, short != nil || Locale.LanguageCode(code).isISOLanguage {
            differing[code] = ours
          }
        }
      }
    }
    #expect(count > 180)
    #expect(differing == [:])
    #expect(AssignedCodes.twoLetterCode(of: "tgl") == nil)
    #expect(AssignedCodes.twoLetterCode(of: "hbs") == nil)
  }

  @Test
  func `the scripts are the same as in Foundation, except special and private codes`() {
    var missing: [String] = []
    for first in Self.letters {
      for second in Self.letters {
        for third in Self.letters {
          for fourth in Self.letters {
            let code = first.uppercased() + second + third + fourth
            guard Locale.Script(code).isISOScript, !AssignedCodes.isScript(code) else { continue }
            missing.append(code)
          }
        }
      }
    }
    #expect(missing == ["Qaac", "Qaai", "Zinh", "Zxxx", "Zyyy", "Zzzz"])
  }
}
