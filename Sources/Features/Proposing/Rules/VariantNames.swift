import BAPackKit

/// Names of variants of the same files: platforms and qualities, as data.
enum VariantNames {
  /// Names of Apple's platforms in lower case.
  static let applePlatforms: [String: Platform] = [
    "ios": .iOS, "iphone": .iOS, "iphoneos": .iOS, "macos": .macOS, "osx": .macOS, "mac": .macOS,
    "standaloneosx": .macOS, "standaloneosxuniversal": .macOS, "tvos": .tvOS, "appletv": .tvOS,
    "appletvos": .tvOS, "visionos": .visionOS, "xros": .visionOS,
  ]

  /// Names of other platforms in lower case.
  static let otherPlatforms: Set<String> = [
    "android", "windows", "win", "win32", "win64", "standalonewindows", "standalonewindows64",
    "linux", "linux64", "standalonelinux64", "webgl", "web", "switch", "ps4", "ps5", "xbox",
    "xboxone", "gamecorexboxseries", "uwp", "wsaplayer", "steam", "pc",
  ]

  /// Names of qualities in lower case.
  static let qualities: Set<String> = [
    "sd", "hd", "uhd", "fhd", "qhd", "4k", "2k", "8k", "480p", "720p", "1080p", "2160p", "low",
    "lo", "lowres", "low-res", "medium", "med", "mid", "high", "hi", "hires", "high-res",
    "highres", "ultra", "1x", "2x", "3x", "@1x", "@2x", "@3x", "1.0x", "2.0x", "3.0x", "ldpi",
    "mdpi", "hdpi", "xhdpi", "xxhdpi", "xxxhdpi", "quarter", "half", "full", "lq", "hq",
  ]

  /// Qualities, in lower case, that are also the end of a name, such as `textures-hd`.
  ///
  /// The others are also states of a thing, such as `tower-high`.
  static let qualityEndings: Set<String> = [
    "sd", "hd", "uhd", "fhd", "4k", "2k", "480p", "720p", "1080p", "lowres", "highres", "hires",
    "1x", "2x", "3x", "lq", "hq",
  ]

  /// Extensions of textures that Apple devices cannot load, in lower case.
  static let foreignTextures: Set<String> = ["dds", "crn", "s3tc"]
  /// Extensions of images and textures that Apple devices can load, in lower case.
  static let textures: Set<String> = [
    "astc", "ktx", "ktx2", "pvr", "pvrtc", "basis", "png", "jpg", "jpeg", "webp", "heic",
  ]
}
