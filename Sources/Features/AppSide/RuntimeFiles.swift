// Long because it contains the files of the folder Runtime: .ci/embed generates this file.
// swift-format-ignore-file

enum RuntimeFiles {
  static let objectiveC = #"""
/// The domain of the errors of AssetPacks.
static NSString *const AssetPacksErrorDomain = @"AssetPacks";

typedef NS_ENUM(NSInteger, AssetPacksErrorCode) {
  /// The system is older than iOS 26, macOS 26, tvOS 26 or visionOS 26.
  AssetPacksErrorOldSystem = 1,
  /// The app has no bundle ID, for example because it is a tool.
  AssetPacksErrorNoBundleID,
  /// A key in Info.plist of the app is missing or has another value.
  AssetPacksErrorInfoPlist,
  /// The folder 'Extensions' of the app has no downloader extension.
  AssetPacksErrorNoExtension,
  /// The app is not signed with a team ID.
  AssetPacksErrorNoTeamID,
  /// The server has no such pack for this device.
  AssetPacksErrorNoPack,
  /// No pack on this device has the file.
  AssetPacksErrorNoFile,
  /// The function requires a newer system.
  AssetPacksErrorRequiresNewerSystem,
  /// The download was cancelled.
  AssetPacksErrorCancelled,
};

/// The asset packs of the app.
///
/// `BAAssetPackManager.sharedManager` ends an app without the required keys, extension or team ID.
/// These methods check the app first, and return an error. Do not use them in an extension of the
/// app. Completion handlers run on any queue.
///
/// A debug build (DEBUG=1), and a build that cannot use asset packs, read the files from the folder
/// `AssetPacks` in the resources of the app, if it exists: `<pack ID>/<path>`, or else `<path>`.
///
/// The class is the delegate of the shared manager while it downloads packs.
@interface AssetPacks : NSObject

/// The IDs of all packs, in their order.
@property(class, readonly) NSArray<NSString *> *allPacks;
/// The folder 'AssetPacks' in the resources of the app; nil if it does not exist.
@property(class, readonly, nullable) NSURL *bundledFiles;

/// Returns the packs with a path that is a constant; several for a localized file.
+ (NSArray<NSString *> *)packsWithPath:(NSString *)path;
/// Returns the language of a localized pack, as a BCP 47 tag; nil for other packs.
+ (nullable NSString *)languageOfPack:(NSString *)pack;
/// Returns the pack with a translation of a path that is a constant; nil if there is none.
+ (nullable NSString *)packWithPath:(NSString *)path language:(NSString *)language;

/// Returns whether this app can use asset packs, or the reason; does not change anything.
+ (BOOL)checkWithError:(NSError **)error;

/// Downloads the packs that are not on the device.
///
/// Cancel the returned progress to stop the downloads. `progress` receives the finished part, from
/// 0 to 1. A system before 26.4 does not download an update for `requireLatest`.
+ (NSProgress *)ensurePacks:(NSArray<NSString *> *)packs
              requireLatest:(BOOL)requireLatest
                   progress:(nullable void (^)(double part))progress
          completionHandler:(void (^)(NSError *_Nullable error))completionHandler;
/// Returns the size of the downloads of missing packs in bytes, to show it before a download.
+ (void)getDownloadSizeOfPacks:(NSArray<NSString *> *)packs
             completionHandler:(void (^)(NSInteger size,
                                         NSError *_Nullable error))completionHandler;
/// Returns whether a pack is on the device.
+ (void)getIsOnDevice:(NSString *)pack
    completionHandler:(void (^)(BOOL isOnDevice, NSError *_Nullable error))completionHandler;
/// Starts updates, and removes packs that the server no longer has.
+ (void)checkForUpdatesWithCompletionHandler:
    (void (^)(NSSet<NSString *> *updating, NSSet<NSString *> *removed,
              NSError *_Nullable error))completionHandler;
/// Removes a pack from the device.
+ (void)removePack:(NSString *)pack
    completionHandler:(void (^)(NSError *_Nullable error))completionHandler;
/// Returns the version of a pack on the device (iOS 27.2). Returns -1 on errors.
+ (NSInteger)localVersionOfPack:(NSString *)pack error:(NSError **)error;
/// Returns the size of a pack on the device in bytes (iOS 27.2); slow for a pack with many files.
+ (void)getLocalSizeOfPack:(NSString *)pack
         completionHandler:(void (^)(long long size, NSError *_Nullable error))completionHandler;
/// Sets the language of localized packs, downloads its packs, and removes those of other languages
/// (iOS 27); nil is the language of the system.
+ (void)useLanguage:(nullable NSString *)language
    completionHandler:(void (^)(NSError *_Nullable error))completionHandler;

/// Returns the contents of a file of a pack that is on the device.
///
/// Without a pack, the system chooses one of the packs on the device that have the file, and its
/// choice is undefined.
+ (nullable NSData *)contentsAtPath:(NSString *)path
                             inPack:(nullable NSString *)pack
                              error:(NSError **)error;
/// Returns the contents of the translation of a file.
+ (nullable NSData *)contentsAtPath:(NSString *)path
                           language:(NSString *)language
                              error:(NSError **)error;
/// Opens a file of a pack that is on the device; the caller closes it. Returns -1 on errors.
+ (int)fileDescriptorForPath:(NSString *)path
                      inPack:(nullable NSString *)pack
                       error:(NSError **)error;
/// Opens the translation of a file; the caller closes it. Returns -1 on errors.
+ (int)fileDescriptorForPath:(NSString *)path
                    language:(NSString *)language
                       error:(NSError **)error;
/// Returns the URL of a file, or of a folder such as a compiled model.
///
/// It is slow: do not call it on the main thread. Do not store the URL for a later start of the
/// app.
+ (nullable NSURL *)URLForPath:(NSString *)path error:(NSError **)error;
/// Returns the URL of the translation of a file.
+ (nullable NSURL *)URLForPath:(NSString *)path
                      language:(NSString *)language
                         error:(NSError **)error;

@end

NS_ASSUME_NONNULL_END

#ifdef ASSET_PACKS_IMPLEMENTATION

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-completeness"

#import <BackgroundAssets/BackgroundAssets.h>
#import <fcntl.h>
#if TARGET_OS_OSX
#import <Security/Security.h>
#endif

// The parts of this file with the packs of the app are at its end.
static NSArray<NSString *> *AssetPacksAll(void);
static NSDictionary<NSString *, NSString *> *AssetPacksLanguages(void);
static NSArray<NSString *> *AssetPacksOfPath(NSString *path);

// Whether the SDK declares the functions of iOS 27, and those of iOS 27.2.
#if (defined(__IPHONE_OS_VERSION_MAX_ALLOWED) && __IPHONE_OS_VERSION_MAX_ALLOWED >= 270000) || \
    (defined(__MAC_OS_X_VERSION_MAX_ALLOWED) && __MAC_OS_X_VERSION_MAX_ALLOWED >= 270000) || \
    (defined(__TV_OS_VERSION_MAX_ALLOWED) && __TV_OS_VERSION_MAX_ALLOWED >= 270000) || \
    (defined(__VISION_OS_VERSION_MAX_ALLOWED) && __VISION_OS_VERSION_MAX_ALLOWED >= 270000)
#define ASSET_PACKS_SDK_27 1
#else
#define ASSET_PACKS_SDK_27 0
#endif
#if (defined(__IPHONE_OS_VERSION_MAX_ALLOWED) && __IPHONE_OS_VERSION_MAX_ALLOWED >= 270200) || \
    (defined(__MAC_OS_X_VERSION_MAX_ALLOWED) && __MAC_OS_X_VERSION_MAX_ALLOWED >= 270200) || \
    (defined(__TV_OS_VERSION_MAX_ALLOWED) && __TV_OS_VERSION_MAX_ALLOWED >= 270200) || \
    (defined(__VISION_OS_VERSION_MAX_ALLOWED) && __VISION_OS_VERSION_MAX_ALLOWED >= 270200)
#define ASSET_PACKS_SDK_27_2 1
#else
#define ASSET_PACKS_SDK_27_2 0
#endif

static NSError *AssetPacksError(AssetPacksErrorCode code, NSString *description) {
  return [NSError errorWithDomain:AssetPacksErrorDomain
                             code:code
                         userInfo:@{NSLocalizedDescriptionKey : description}];
}

static NSError *AssetPacksInfoPlistError(NSString *key, NSString *expected) {
  return AssetPacksError(
      AssetPacksErrorInfoPlist,
      [NSString stringWithFormat:@"Info.plist requires the key '%@': %@.", key, expected]);
}

static NSError *AssetPacksOldSystem(void) {
  return AssetPacksError(AssetPacksErrorOldSystem,
                         @"Asset packs require iOS 26, macOS 26, tvOS 26 or visionOS 26.");
}

static NSError *AssetPacksRequires27(void) {
  return AssetPacksError(AssetPacksErrorRequiresNewerSystem,
                         @"The method requires iOS 27, macOS 27, tvOS 27 or visionOS 27.");
}

static NSError *AssetPacksRequires272(void) {
  return AssetPacksError(AssetPacksErrorRequiresNewerSystem,
                         @"The method requires iOS 27.2, macOS 27.2, tvOS 27.2 or visionOS 27.2.");
}

static NSError *AssetPacksNoFile(NSString *path) {
  return AssetPacksError(
      AssetPacksErrorNoFile,
      [NSString stringWithFormat:@"No asset pack on this device has the file '%@'.", path]);
}

static BOOL AssetPacksFail(NSError *problem, NSError **error) {
  if (error) *error = problem;
  return NO;
}

/// Returns whether two language tags mean the same language: equal tags, or one is the other with
/// more subtags.
static BOOL AssetPacksIsSame(NSString *tag, NSString *other) {
  tag = tag.lowercaseString;
  other = other.lowercaseString;
  return [tag isEqualToString:other] ||
         [tag hasPrefix:[other stringByAppendingString:@"-"]] ||
         [other hasPrefix:[tag stringByAppendingString:@"-"]];
}

// MARK: Checks before the first use of the framework

/// Returns the first problem of the keys for packs on a server of the developer.
static NSError *AssetPacksSelfHostingProblem(NSDictionary<NSString *, id> *info) {
  id address = info[@"BAManifestURL"];
  if (![address isKindOfClass:NSString.class] ||
      ![[NSURL URLWithString:address].scheme.lowercaseString isEqualToString:@"https"]) {
    return AssetPacksInfoPlistError(
        @"BAManifestURL", @"an https URL, or 'BAUsesAppleHosting' with the value true");
  }
  NSDictionary<NSString *, id> *limits = info[@"BAInitialDownloadRestrictions"];
  if (![limits isKindOfClass:NSDictionary.class]) {
    return AssetPacksInfoPlistError(@"BAInitialDownloadRestrictions", @"a dictionary");
  }
  NSArray *domains = limits[@"BADownloadDomainAllowList"];
  if (![domains isKindOfClass:NSArray.class] || domains.count == 0 ||
      [domains containsObject:@""]) {
    return AssetPacksInfoPlistError(@"BAInitialDownloadRestrictions.BADownloadDomainAllowList",
                                    @"an array of domains");
  }
  for (NSString *key in @[ @"BADownloadAllowance", @"BAEssentialDownloadAllowance" ]) {
    NSNumber *number = limits[key];
    if (![number isKindOfClass:NSNumber.class] || number.longLongValue < 0) {
      return AssetPacksInfoPlistError(
          [@"BAInitialDownloadRestrictions." stringByAppendingString:key], @"a number of bytes");
    }
  }
  return nil;
}

static BOOL AssetPacksHasExtension(NSURL *app) {
  NSString *expected = @"com.apple.background-asset-downloader-extension";
  for (NSString *parent in @[ @"Extensions", @"Contents/Extensions" ]) {
    NSURL *folder = [app URLByAppendingPathComponent:parent];
    NSArray<NSString *> *names = [NSFileManager.defaultManager contentsOfDirectoryAtPath:folder.path
                                                                                   error:nil];
    for (NSString *name in names) {
      if (![name hasSuffix:@".appex"]) continue;
      for (NSString *place in @[ @"Info.plist", @"Contents/Info.plist" ]) {
        NSURL *file = [[folder URLByAppendingPathComponent:name] URLByAppendingPathComponent:place];
        NSDictionary<NSString *, id> *list = [NSDictionary dictionaryWithContentsOfURL:file
                                                                                 error:nil];
        NSDictionary<NSString *, id> *attributes = list[@"EXAppExtensionAttributes"];
        if ([attributes isKindOfClass:NSDictionary.class] &&
            [attributes[@"EXExtensionPointIdentifier"] isEqual:expected]) {
          return YES;
        }
      }
    }
  }
  return NO;
}

/// Returns whether the app is signed with a team ID; only macOS starts an app without one.
static BOOL AssetPacksHasTeamID(void) {
#if TARGET_OS_OSX
  SecCodeRef code = NULL;
  SecStaticCodeRef file = NULL;
  CFDictionaryRef information = NULL;
  BOOL isFound = NO;
  if (SecCodeCopySelf(kSecCSDefaultFlags, &code) == errSecSuccess &&
      SecCodeCopyStaticCode(code, kSecCSDefaultFlags, &file) == errSecSuccess &&
      SecCodeCopySigningInformation(file, kSecCSSigningInformation, &information) ==
          errSecSuccess) {
    CFTypeRef team = CFDictionaryGetValue(information, kSecCodeInfoTeamIdentifier);
    isFound = team != NULL && CFStringGetLength((CFStringRef)team) > 0;
  }
  if (information) CFRelease(information);
  if (file) CFRelease(file);
  if (code) CFRelease(code);
  return isFound;
#else
  return YES;
#endif
}

static NSError *AssetPacksFindProblem(void) {
  if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    NSBundle *bundle = NSBundle.mainBundle;
    NSDictionary<NSString *, id> *info = bundle.infoDictionary;
    if (bundle.bundleIdentifier.length == 0) {
      return AssetPacksError(AssetPacksErrorNoBundleID, @"The app has no bundle ID.");
    }
    NSString *group = info[@"BAAppGroupID"];
    if (![group isKindOfClass:NSString.class] || group.length == 0) {
      return AssetPacksInfoPlistError(@"BAAppGroupID", @"the ID of the app group");
    }
    if (![info[@"BAHasManagedAssetPacks"] isEqual:@YES]) {
      return AssetPacksInfoPlistError(@"BAHasManagedAssetPacks", @"true");
    }
    if (![info[@"BAUsesAppleHosting"] isEqual:@YES]) {
      NSError *problem = AssetPacksSelfHostingProblem(info);
      if (problem) return problem;
    }
    if (!AssetPacksHasExtension(bundle.bundleURL)) {
      return AssetPacksError(AssetPacksErrorNoExtension,
                             @"The app has no downloader extension in its folder 'Extensions'.");
    }
    if (!AssetPacksHasTeamID()) {
      return AssetPacksError(AssetPacksErrorNoTeamID, @"The app is not signed with a team ID.");
    }
    return nil;
  }
  return AssetPacksOldSystem();
}

static NSError *AssetPacksProblem(void) {
  static NSError *problem;
  static dispatch_once_t once;
  dispatch_once(&once, ^{
    problem = AssetPacksFindProblem();
  });
  return problem;
}

// MARK: The files in the resources of the app

/// Returns whether the files of this build are in `folder`; NO with an error
/// if this build can use neither packs nor such a folder.
static BOOL AssetPacksFindFolder(NSURL **folder, NSError **error) {
  *folder = nil;
#if DEBUG
  if ((*folder = AssetPacks.bundledFiles)) return YES;
#endif
  NSError *problem = AssetPacksProblem();
  if (!problem) return YES;
  if ((*folder = AssetPacks.bundledFiles)) return YES;
  return AssetPacksFail(problem, error);
}

/// Returns the place of a file in the resources; the packs are searched in their order.
static NSURL *AssetPacksBundled(NSString *path, NSArray<NSString *> *packs, NSURL *folder,
                                NSError **error) {
  for (NSString *pack in [packs arrayByAddingObject:@""]) {
    NSURL *place = pack.length ? [folder URLByAppendingPathComponent:pack] : folder;
    NSURL *file = [place URLByAppendingPathComponent:path];
    if ([NSFileManager.defaultManager fileExistsAtPath:file.path]) return file;
  }
  AssetPacksFail(AssetPacksNoFile(path), error);
  return nil;
}

static NSArray<NSString *> *AssetPacksPlaces(NSString *path, NSString *pack, NSString *language) {
  if (pack) return @[ pack ];
  NSArray<NSString *> *packs = [AssetPacks packsWithPath:path];
  if (packs.count == 0) packs = AssetPacksAll();
  if (!language) return packs;
  NSMutableArray<NSString *> *localized = [NSMutableArray array];
  for (NSString *each in packs) {
    NSString *own = AssetPacksLanguages()[each];
    if (own && AssetPacksIsSame(own, language)) [localized addObject:each];
  }
  return localized;
}

static int AssetPacksOpen(NSURL *file, NSError **error) {
  int descriptor = open(file.fileSystemRepresentation, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) AssetPacksFail(AssetPacksNoFile(file.path), error);
  return descriptor;
}

// MARK: Downloads

/// The downloads of one call.
API_AVAILABLE(ios(26.0), macos(26.0), tvos(26.0), visionos(26.0))
@interface AssetPacksDownload : NSObject {
 @public
  NSMutableDictionary<NSString *, NSNumber *> *sizes;
  NSMutableDictionary<NSString *, NSNumber *> *parts;
  NSMutableArray<NSProgress *> *running;
  NSProgress *progress;
  void (^report)(double);
}
@end

/// The delegate of the manager, which holds it weakly.
API_AVAILABLE(ios(26.0), macos(26.0), tvos(26.0), visionos(26.0))
@interface AssetPacksDelegate : NSObject <BAManagedAssetPackDownloadDelegate> {
 @public
  NSMutableArray<AssetPacksDownload *> *downloads;
}
@end

@implementation AssetPacksDownload

- (void)noteProgress:(NSProgress *)own ofPack:(NSString *)pack {
  double part = 0;
  @synchronized(self) {
    if (![running containsObject:own]) [running addObject:own];
    if (progress.isCancelled) {
      [own cancel];
      return;
    }
    parts[pack] = @(own.fractionCompleted);
    double total = 0;
    for (NSString *each in sizes) {
      double size = MAX(sizes[each].doubleValue, 1);
      total += size;
      part += size * parts[each].doubleValue;
    }
    part = total > 0 ? MIN(part / total, 1) : 1;
    progress.completedUnitCount = (int64_t)(part * 1000);
  }
  if (report) report(part);
}

- (void)cancel {
  @synchronized(self) {
    for (NSProgress *own in running) [own cancel];
  }
}

@end

@implementation AssetPacksDelegate

+ (AssetPacksDelegate *)shared {
  static AssetPacksDelegate *shared;
  static dispatch_once_t once;
  dispatch_once(&once, ^{
    shared = [[AssetPacksDelegate alloc] init];
    shared->downloads = [NSMutableArray array];
  });
  return shared;
}

- (void)downloadOfAssetPack:(BAAssetPack *)assetPack hasProgress:(NSProgress *)progress {
  NSArray<AssetPacksDownload *> *all;
  @synchronized(self) {
    all = [downloads copy];
  }
  for (AssetPacksDownload *each in all) {
    if (each->sizes[assetPack.identifier]) {
      [each noteProgress:progress ofPack:assetPack.identifier];
    }
  }
}

@end

/// Finds the system's values for packs.
API_AVAILABLE(ios(26.0), macos(26.0), tvos(26.0), visionos(26.0))
static void AssetPacksFind(NSArray<NSString *> *packs,
                           void (^handler)(NSArray<BAAssetPack *> *found, NSError *error)) {
  if (packs.count == 0) {
    handler(@[], nil);
    return;
  }
  BAAssetPackManager *manager = BAAssetPackManager.sharedManager;
#if ASSET_PACKS_SDK_27
  if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
    [manager getManifestWithCompletionHandler:^(BAAssetPackManifest *manifest, NSError *error) {
      NSMutableArray<BAAssetPack *> *found = [NSMutableArray array];
      for (NSString *pack in packs) {
        BAAssetPack *each = [manifest assetPackWithIdentifier:pack];
        if (!each) {
          NSString *text = [NSString
              stringWithFormat:@"There is no asset pack '%@' for this device.", pack];
          handler(@[], error ?: AssetPacksError(AssetPacksErrorNoPack, text));
          return;
        }
        [found addObject:each];
      }
      handler(found, nil);
    }];
    return;
  }
#endif
  [manager getAssetPackWithIdentifier:packs[0]
                    completionHandler:^(BAAssetPack *first, NSError *error) {
                      if (!first) {
                        handler(@[], error);
                        return;
                      }
                      NSArray *rest = [packs subarrayWithRange:NSMakeRange(1, packs.count - 1)];
                      AssetPacksFind(rest, ^(NSArray<BAAssetPack *> *others, NSError *failure) {
                        handler(failure ? @[] : [@[ first ] arrayByAddingObjectsFromArray:others],
                                failure);
                      });
                    }];
}

/// Downloads packs: in one call on systems that support it, else one after the other.
API_AVAILABLE(ios(26.0), macos(26.0), tvos(26.0), visionos(26.0))
static void AssetPacksRequest(NSArray<BAAssetPack *> *packs, BOOL requireLatest,
                              NSProgress *progress, void (^handler)(NSError *error)) {
  if (packs.count == 0 || progress.isCancelled) {
    handler(nil);
    return;
  }
  BAAssetPackManager *manager = BAAssetPackManager.sharedManager;
#if ASSET_PACKS_SDK_27
  if (packs.count > 1) {
    if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
      [manager ensureLocalAvailabilityOfAssetPacks:[NSSet setWithArray:packs]
                             requireLatestVersions:requireLatest
                                 completionHandler:handler];
      return;
    }
  }
#endif
  void (^next)(NSError *) = ^(NSError *error) {
    if (error) {
      handler(error);
    } else {
      AssetPacksRequest([packs subarrayWithRange:NSMakeRange(1, packs.count - 1)], requireLatest,
                        progress, handler);
    }
  };
  if (@available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *)) {
    [manager ensureLocalAvailabilityOfAssetPack:packs[0]
                           requireLatestVersion:requireLatest
                              completionHandler:next];
  } else {
    [manager ensureLocalAvailabilityOfAssetPack:packs[0] completionHandler:next];
  }
}

/// Finds the packs that are not on the device.
static void AssetPacksMissing(NSArray<NSString *> *packs, NSUInteger start,
                              NSMutableArray<NSString *> *missing,
                              void (^handler)(NSArray<NSString *> *missing, NSError *error)) {
  if (start == packs.count) {
    handler(missing, nil);
    return;
  }
  [AssetPacks getIsOnDevice:packs[start]
          completionHandler:^(BOOL isOnDevice, NSError *error) {
            if (error) {
              handler(@[], error);
              return;
            }
            if (!isOnDevice) [missing addObject:packs[start]];
            AssetPacksMissing(packs, start + 1, missing, handler);
          }];
}

@implementation AssetPacks

+ (NSArray<NSString *> *)allPacks {
  return AssetPacksAll();
}

+ (NSArray<NSString *> *)packsWithPath:(NSString *)path {
  return AssetPacksOfPath(path);
}

+ (NSString *)languageOfPack:(NSString *)pack {
  return AssetPacksLanguages()[pack];
}

+ (NSString *)packWithPath:(NSString *)path language:(NSString *)language {
  for (NSString *pack in AssetPacksOfPath(path)) {
    NSString *own = AssetPacksLanguages()[pack];
    if (own && AssetPacksIsSame(own, language)) return pack;
  }
  return nil;
}

+ (NSURL *)bundledFiles {
  NSURL *folder = [NSBundle.mainBundle.resourceURL URLByAppendingPathComponent:@"AssetPacks"];
  BOOL isFolder = NO;
  BOOL exists = folder && [NSFileManager.defaultManager fileExistsAtPath:folder.path
                                                             isDirectory:&isFolder];
  return exists && isFolder ? folder : nil;
}

+ (BOOL)checkWithError:(NSError **)error {
  NSError *problem = AssetPacksProblem();
  return problem ? AssetPacksFail(problem, error) : YES;
}

+ (NSProgress *)ensurePacks:(NSArray<NSString *> *)packs
              requireLatest:(BOOL)requireLatest
                   progress:(void (^)(double part))report
          completionHandler:(void (^)(NSError *error))handler {
  NSProgress *progress = [NSProgress progressWithTotalUnitCount:1000];
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem)) {
    handler(problem);
    return progress;
  }
  void (^finish)(NSError *) = ^(NSError *error) {
    if (progress.isCancelled) {
      error = AssetPacksError(AssetPacksErrorCancelled, @"The download was cancelled.");
    } else if (!error) {
      progress.completedUnitCount = progress.totalUnitCount;
      if (report) report(1);
    }
    handler(error);
  };
  if (folder) {
    finish(nil);
    return progress;
  }
  if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    void (^download)(NSArray<NSString *> *, NSError *) = ^(NSArray *missing, NSError *error) {
      if (error) {
        finish(error);
        return;
      }
      AssetPacksFind(missing, ^(NSArray<BAAssetPack *> *found, NSError *failure) {
        if (failure) {
          finish(failure);
          return;
        }
        AssetPacksDownload *download = [[AssetPacksDownload alloc] init];
        download->sizes = [NSMutableDictionary dictionary];
        download->parts = [NSMutableDictionary dictionary];
        download->running = [NSMutableArray array];
        download->progress = progress;
        download->report = report;
        for (BAAssetPack *each in found) download->sizes[each.identifier] = @(each.downloadSize);
        progress.cancellationHandler = ^{
          [download cancel];
        };
        AssetPacksDelegate *delegate = AssetPacksDelegate.shared;
        BAAssetPackManager.sharedManager.delegate = delegate;
        @synchronized(delegate) {
          [delegate->downloads addObject:download];
        }
        AssetPacksRequest(found, requireLatest, progress, ^(NSError *result) {
          @synchronized(delegate) {
            [delegate->downloads removeObject:download];
          }
          finish(result);
        });
      });
    };
    if (requireLatest) {
      download(packs, nil);
    } else {
      // A pack on the device needs no request, so that the app works without a network.
      AssetPacksMissing(packs, 0, [NSMutableArray array], download);
    }
  }
  return progress;
}

+ (void)getDownloadSizeOfPacks:(NSArray<NSString *> *)packs
             completionHandler:(void (^)(NSInteger size, NSError *error))handler {
  AssetPacksMissing(packs, 0, [NSMutableArray array], ^(NSArray *missing, NSError *error) {
    if (error) {
      handler(0, error);
    } else if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
      AssetPacksFind(missing, ^(NSArray<BAAssetPack *> *found, NSError *failure) {
        NSInteger size = 0;
        for (BAAssetPack *each in found) size += each.downloadSize;
        handler(size, failure);
      });
    } else {
      handler(0, nil);
    }
  });
}

+ (void)getIsOnDevice:(NSString *)pack
    completionHandler:(void (^)(BOOL isOnDevice, NSError *error))handler {
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem)) {
    handler(NO, problem);
  } else if (folder) {
    handler(YES, nil);
  } else if (@available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *)) {
    handler([BAAssetPackManager.sharedManager assetPackIsAvailableLocallyWithIdentifier:pack], nil);
  } else if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    [BAAssetPackManager.sharedManager
        getStatusOfAssetPackWithIdentifier:pack
                         completionHandler:^(BAAssetPackStatus status, NSError *error) {
                           // The status is a set of options.
                           handler(!error && (status & BAAssetPackStatusDownloaded) != 0, nil);
                         }];
  }
}

+ (void)checkForUpdatesWithCompletionHandler:
    (void (^)(NSSet<NSString *> *updating, NSSet<NSString *> *removed, NSError *error))handler {
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem) || folder) {
    handler([NSSet set], [NSSet set], problem);
  } else if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    [BAAssetPackManager.sharedManager
        checkForUpdatesWithCompletionHandler:^(NSSet<NSString *> *updating,
                                               NSSet<NSString *> *removed, NSError *error) {
          handler(updating ?: [NSSet set], removed ?: [NSSet set], error);
        }];
  }
}

+ (void)removePack:(NSString *)pack completionHandler:(void (^)(NSError *error))handler {
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem) || folder) {
    handler(problem);
  } else if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    [BAAssetPackManager.sharedManager removeAssetPackWithIdentifier:pack completionHandler:handler];
  }
}

+ (NSInteger)localVersionOfPack:(NSString *)pack error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return -1;
#if ASSET_PACKS_SDK_27_2
  if (!folder) {
    if (@available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)) {
      return [BAAssetPackManager.sharedManager localVersionOfAssetPackWithIdentifier:pack
                                                                               error:error];
    }
  }
#endif
  AssetPacksFail(AssetPacksRequires272(), error);
  return -1;
}

+ (void)getLocalSizeOfPack:(NSString *)pack
         completionHandler:(void (^)(long long size, NSError *error))handler {
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem)) {
    handler(0, problem);
    return;
  }
#if ASSET_PACKS_SDK_27_2
  if (!folder) {
    if (@available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)) {
      [BAAssetPackManager.sharedManager
          getLocalSizeOfAssetPackWithIdentifier:pack
                              calculationMethod:BASizeCalculationMethodAllocated
                              completionHandler:handler];
      return;
    }
  }
#endif
  handler(0, AssetPacksRequires272());
}

+ (void)useLanguage:(NSString *)language completionHandler:(void (^)(NSError *error))handler {
  NSURL *folder;
  NSError *problem;
  if (!AssetPacksFindFolder(&folder, &problem) || folder) {
    handler(problem);
    return;
  }
#if ASSET_PACKS_SDK_27
  if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
    BAAssetPackManager *manager = BAAssetPackManager.sharedManager;
    manager.resolvedLanguage = language;
    [manager reconcilePreferredLanguagesWithCompletionHandler:handler];
    return;
  }
#endif
  handler(AssetPacksRequires27());
}

// MARK: Files

+ (NSData *)contentsAtPath:(NSString *)path inPack:(NSString *)pack error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return nil;
  if (folder) {
    NSURL *file = AssetPacksBundled(path, AssetPacksPlaces(path, pack, nil), folder, error);
    return file ? [NSData dataWithContentsOfURL:file
                                        options:NSDataReadingMappedIfSafe
                                          error:error]
                : nil;
  }
  if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    return [BAAssetPackManager.sharedManager contentsAtPath:path
                         searchingInAssetPackWithIdentifier:pack
                                                    options:NSDataReadingMappedIfSafe
                                                      error:error];
  }
  return nil;
}

+ (NSData *)contentsAtPath:(NSString *)path language:(NSString *)language error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return nil;
  if (folder) {
    NSURL *file = AssetPacksBundled(path, AssetPacksPlaces(path, nil, language), folder, error);
    return file ? [NSData dataWithContentsOfURL:file
                                        options:NSDataReadingMappedIfSafe
                                          error:error]
                : nil;
  }
#if ASSET_PACKS_SDK_27
  if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
    return [BAAssetPackManager.sharedManager contentsAtPath:path
                                     asLocalizedForLanguage:language
                                                    options:NSDataReadingMappedIfSafe
                                                      error:error];
  }
#endif
  NSString *pack = [self packWithPath:path language:language];
  if (pack) return [self contentsAtPath:path inPack:pack error:error];
  AssetPacksFail(AssetPacksNoFile(path), error);
  return nil;
}

+ (int)fileDescriptorForPath:(NSString *)path inPack:(NSString *)pack error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return -1;
  if (folder) {
    NSURL *file = AssetPacksBundled(path, AssetPacksPlaces(path, pack, nil), folder, error);
    return file ? AssetPacksOpen(file, error) : -1;
  }
  if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
    return [BAAssetPackManager.sharedManager fileDescriptorForPath:path
                                searchingInAssetPackWithIdentifier:pack
                                                             error:error];
  }
  return -1;
}

+ (int)fileDescriptorForPath:(NSString *)path
                    language:(NSString *)language
                       error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return -1;
  if (folder) {
    NSURL *file = AssetPacksBundled(path, AssetPacksPlaces(path, nil, language), folder, error);
    return file ? AssetPacksOpen(file, error) : -1;
  }
#if ASSET_PACKS_SDK_27
  if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
    return [BAAssetPackManager.sharedManager fileDescriptorForPath:path
                                            asLocalizedForLanguage:language
                                                             error:error];
  }
#endif
  NSString *pack = [self packWithPath:path language:language];
  if (pack) return [self fileDescriptorForPath:path inPack:pack error:error];
  AssetPacksFail(AssetPacksNoFile(path), error);
  return -1;
}

+ (NSURL *)URLForPath:(NSString *)path error:(NSError **)error {
  return [self URLForPath:path ofLanguage:nil error:error];
}

+ (NSURL *)URLForPath:(NSString *)path language:(NSString *)language error:(NSError **)error {
  return [self URLForPath:path ofLanguage:language error:error];
}

+ (NSURL *)URLForPath:(NSString *)path ofLanguage:(NSString *)language error:(NSError **)error {
  NSURL *folder;
  if (!AssetPacksFindFolder(&folder, error)) return nil;
  if (folder) return AssetPacksBundled(path, AssetPacksPlaces(path, nil, language), folder, error);
  NSURL *file = nil;
  NSError *problem = nil;
  // Error 513 was seen for some milliseconds after the state of a pack changed.
  for (int attempt = 0; attempt < 2 && !file; attempt++) {
    if (attempt > 0) [NSThread sleepForTimeInterval:0.05];
    problem = nil;
    if (!language) {
      if (@available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)) {
        file = [BAAssetPackManager.sharedManager URLForPath:path error:&problem];
      }
    } else {
      problem = AssetPacksRequires27();
#if ASSET_PACKS_SDK_27
      if (@available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *)) {
        problem = nil;
        file = [BAAssetPackManager.sharedManager URLForPath:path
                                     asLocalizedForLanguage:language
                                                      error:&problem];
      }
#endif
    }
    if (problem && problem.code != 513) break;
  }
  // The system also returns URLs of files that do not exist.
  if (file && [NSFileManager.defaultManager fileExistsAtPath:file.path]) return file;
  AssetPacksFail(problem ?: AssetPacksNoFile(path), error);
  return nil;
}

@end


"""#

  static let swift = #"""
import BackgroundAssets
import Foundation
import System

#if os(macOS)
  import Security
#endif

/// The asset packs of the app.
///
/// `AssetPackManager.shared` ends an app without the required keys, extension or team ID. These
/// functions check the app first, and throw an `AssetPacks.Problem`. Do not use them in an
/// extension of the app.
///
/// A debug build, and a build that cannot use asset packs, read the files from the folder
/// `AssetPacks` in the resources of the app, if it exists: `<pack ID>/<path>`, or else `<path>`.
public nonisolated enum AssetPacks {
  /// A pack.
  public struct Pack: Sendable, Hashable, Identifiable {
    /// The ID of the pack.
    public let id: String
    /// The language of a localized pack, as a BCP 47 tag; nil for other packs.
    public let language: String?

    /// Creates a pack that is not a constant.
    public init(_ id: String, language: String? = nil) {
      self.id = id
      self.language = language
    }
  }

  /// A file in one or several packs.
  public struct File: Sendable, Hashable {
    /// The path in the packs.
    public let path: String
    /// The packs with the file when the code was generated; empty for other files.
    public let packs: [Pack]

    /// Creates a file for a path that is not a constant.
    public init(path: String, in packs: [Pack] = []) {
      self.path = path
      self.packs = packs
    }

    @inline(never)
    init(_ path: StaticString, _ owners: Int) {
      self.init(path: path.description, in: AssetPacks.owners[owners])
    }

    /// The languages for which a localized pack has the file.
    public var languages: [String] { packs.compactMap(\.language) }

    /// Returns the pack with the translation into a language; nil if there is none.
    public func pack(for language: String) -> Pack? {
      packs.first { $0.language.map { AssetPacks.isSame($0, language) } ?? false }
    }
  }

  /// A folder in one or several packs.
  public struct Folder: Sendable, Hashable {
    /// The path in the packs.
    public let path: String

    /// Creates a folder that is not a constant.
    public init(_ path: String) { self.path = path }

    /// Returns a file or a folder in this folder, such as a model that is a folder.
    public func file(_ name: String) -> File { File(path: path + "/" + name) }
  }

  /// The reason why a pack or file cannot be used.
  public enum Problem: Error, Sendable, Hashable {
    /// The system is older than iOS 26, macOS 26, tvOS 26 or visionOS 26.
    case oldSystem
    /// The app has no bundle ID, for example because it is a tool.
    case noBundleID
    /// A key in Info.plist of the app is missing or has another value.
    case infoPlist(key: String, expected: String)
    /// The folder 'Extensions' of the app has no downloader extension.
    case noExtension
    /// The app is not signed with a team ID.
    case noTeamID
    /// The server has no such pack for this device.
    case noPack(String)
    /// No pack on this device has the file.
    case noFile(String)
    /// The function requires a newer system.
    case requires(String)
  }
}

nonisolated extension AssetPacks.Problem: LocalizedError, CustomStringConvertible {
  /// The sentence for the user.
  public var errorDescription: String? { description }

  /// The sentence for the user.
  public var description: String {
    switch self {
    case .oldSystem: "Asset packs require iOS 26, macOS 26, tvOS 26 or visionOS 26."
    case .noBundleID: "The app has no bundle ID."
    case .infoPlist(let key, let expected): "Info.plist requires the key '\(key)': \(expected)."
    case .noExtension: "The app has no downloader extension in its folder 'Extensions'."
    case .noTeamID: "The app is not signed with a team ID."
    case .noPack(let id): "There is no asset pack '\(id)' for this device."
    case .noFile(let path): "No asset pack on this device has the file '\(path)'."
    case .requires(let system): "The function requires \(system)."
    }
  }
}

// MARK: - Checks before the first use of the framework

nonisolated extension AssetPacks {
  /// Throws the reason why this app cannot use asset packs; does not change anything.
  public static func check() throws(Problem) {
    if let problem { throw problem }
  }

  /// The parts of an app that the system validates when it is first asked for packs.
  struct App {
    var bundleID: String?
    var info: [String: Any]
    /// The extension points of the extensions in the app.
    var extensionPoints: [String]
    var hasTeamID: Bool

    /// The first missing part; nil if there is none.
    var problem: Problem? {
      guard bundleID?.isEmpty == false else { return .noBundleID }
      if (info["BAAppGroupID"] as? String ?? "").isEmpty {
        return .infoPlist(key: "BAAppGroupID", expected: "the ID of the app group")
      }
      guard info["BAHasManagedAssetPacks"] as? Bool == true else {
        return .infoPlist(key: "BAHasManagedAssetPacks", expected: "true")
      }
      if info["BAUsesAppleHosting"] as? Bool != true, let problem = selfHostingProblem {
        return problem
      }
      guard extensionPoints.contains("com.apple.background-asset-downloader-extension") else {
        return .noExtension
      }
      return hasTeamID ? nil : .noTeamID
    }

    /// The first problem of the keys for packs on a server of the developer.
    private var selfHostingProblem: Problem? {
      guard let address = info["BAManifestURL"] as? String,
        URL(string: address)?.scheme?.lowercased() == "https"
      else {
        return .infoPlist(
          key: "BAManifestURL",
          expected: "an https URL, or 'BAUsesAppleHosting' with the value true")
      }
      let name = "BAInitialDownloadRestrictions"
      guard let limits = info[name] as? [String: Any] else {
        return .infoPlist(key: name, expected: "a dictionary")
      }
      let domains = limits["BADownloadDomainAllowList"] as? [String] ?? []
      if domains.isEmpty || domains.contains("") {
        return .infoPlist(key: name + ".BADownloadDomainAllowList", expected: "an array of domains")
      }
      for key in ["BADownloadAllowance", "BAEssentialDownloadAllowance"] {
        guard let number = limits[key] as? NSNumber, number.int64Value >= 0 else {
          return .infoPlist(key: name + "." + key, expected: "a number of bytes")
        }
      }
      return nil
    }
  }

  private static let problem: Problem? = {
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else { return .oldSystem }
    let bundle = Bundle.main
    return App(
      bundleID: bundle.bundleIdentifier, info: bundle.infoDictionary ?? [:],
      extensionPoints: extensionPoints(of: bundle.bundleURL), hasTeamID: hasTeamID
    ).problem
  }()

  /// Returns the extension points of the extensions in an app.
  static func extensionPoints(of app: URL) -> [String] {
    var points: [String] = []
    for parent in [app, app.appendingPathComponent("Contents")] {
      let folder = parent.appendingPathComponent("Extensions")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".appex") {
        for place in ["Info.plist", "Contents/Info.plist"] {
          let file = folder.appendingPathComponent(name).appendingPathComponent(place)
          guard let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let attributes = (list as? [String: Any])?["EXAppExtensionAttributes"],
            let point = (attributes as? [String: Any])?["EXExtensionPointIdentifier"] as? String
          else { continue }
          points.append(point)
        }
      }
    }
    return points
  }

  /// Whether the app is signed with a team ID; only macOS starts an app without one.
  private static var hasTeamID: Bool {
    #if os(macOS)
      var code: SecCode?
      var file: SecStaticCode?
      var information: CFDictionary?
      guard SecCodeCopySelf([], &code) == errSecSuccess, let code,
        SecCodeCopyStaticCode(code, [], &file) == errSecSuccess, let file,
        SecCodeCopySigningInformation(
          file, SecCSFlags(rawValue: kSecCSSigningInformation), &information) == errSecSuccess
      else { return false }
      let team = (information as? [String: Any])?[kSecCodeInfoTeamIdentifier as String] as? String
      return team?.isEmpty == false
    #else
      return true
    #endif
  }
}

// MARK: - The files in the resources of the app

nonisolated extension AssetPacks {
  /// The folder 'AssetPacks' in the resources of the app; nil if it does not exist.
  public static let bundledFiles: URL? = {
    guard let folder = Bundle.main.resourceURL?.appendingPathComponent("AssetPacks") else {
      return nil
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? folder : nil
  }()

  /// Returns the folder with the files of this build; nil if the system manages them.
  private static func bundleFolder() throws(Problem) -> URL? {
    #if DEBUG
      if let bundledFiles { return bundledFiles }
    #endif
    guard let problem else { return nil }
    guard let bundledFiles else { throw problem }
    return bundledFiles
  }

  /// Returns the place of a file in the resources; `packs` are searched in their order.
  private static func bundled(
    _ path: String, _ packs: [Pack], in folder: URL
  ) throws(Problem) -> URL {
    let places = packs.map { folder.appendingPathComponent($0.id) } + [folder]
    for place in places {
      let file = place.appendingPathComponent(path)
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    throw .noFile(path)
  }

  private static func bundled(
    _ file: File, _ pack: Pack?, in folder: URL
  ) throws(Problem) -> URL {
    if let pack { return try bundled(file.path, [pack], in: folder) }
    let packs = file.packs.isEmpty ? Pack.all : file.packs
    // The translation for the user is first.
    let languages = Bundle.preferredLocalizations(from: packs.compactMap(\.language))
    let preferred = packs.filter { $0.language.map { languages.contains($0) } ?? false }
    return try bundled(file.path, preferred + packs, in: folder)
  }

  private static func bundled(
    _ file: File, language: String, in folder: URL
  ) throws(Problem) -> URL {
    let all = file.packs.isEmpty ? Pack.all : file.packs
    let packs = all.filter { $0.language.map { isSame($0, language) } ?? false }
    return try bundled(file.path, packs, in: folder)
  }

  /// Returns whether two language tags mean the same language, such as `en` and `en-US`.
  fileprivate static func isSame(_ tag: String, _ other: String) -> Bool {
    if tag.lowercased() == other.lowercased() { return true }
    guard #available(iOS 16.0, macOS 13.0, tvOS 16.0, visionOS 1.0, *) else { return false }
    return Locale.Language(identifier: tag).isEquivalent(to: Locale.Language(identifier: other))
  }
}

// MARK: - Downloads

nonisolated extension AssetPacks {
  /// Returns when packs are on the device; downloads the missing ones.
  ///
  /// If the task is cancelled, the downloads end with their next progress, and the function throws
  /// a `CancellationError`. (iOS 26.0 to 26.3 can refuse a second cancellation.) A system before
  /// 26.4 does not download an update for `requireLatest`.
  ///
  /// - Parameters:
  ///   - packs: The packs.
  ///   - requireLatest: Whether updates of packs on the device are downloaded, too.
  ///   - progress: A function that receives the finished part, from 0 to 1, on any thread.
  public static func ensure(
    _ packs: [Pack], requireLatest: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws {
    if try bundleFolder() == nil {
      guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
        throw Problem.oldSystem
      }
      try await download(packs, requireLatest, progress)
    }
    progress(1)
  }

  /// Returns when packs are on the device; downloads the missing ones.
  public static func ensure(
    _ packs: Pack..., requireLatest: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws {
    try await ensure(packs, requireLatest: requireLatest, progress: progress)
  }

  /// Returns the size of the downloads of missing packs in bytes, to show it before a download.
  public static func downloadSize(of packs: [Pack]) async throws -> Int {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return 0 }
    var missing: [Pack] = []
    for pack in packs where try await !isOnDevice(pack) { missing.append(pack) }
    return try await assetPacks(missing).reduce(0) { $0 + $1.downloadSize }
  }

  /// Returns whether a pack is on the device, without a request.
  ///
  /// Before iOS 26.4 the system may send a request.
  public static func isOnDevice(_ pack: Pack) async throws -> Bool {
    if try bundleFolder() != nil { return true }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else { return false }
    let manager = AssetPackManager.shared
    if #available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *) {
      return manager.assetPackIsAvailableLocally(withID: pack.id)
    }
    // The status is a set of options.
    return (try? await manager.status(ofAssetPackWithID: pack.id).contains(.downloaded)) ?? false
  }

  /// Starts updates, and removes packs that the server no longer has.
  ///
  /// - Returns: The IDs of the packs that are being updated, and of the removed ones.
  public static func checkForUpdates() async throws -> (updating: Set<String>, removed: Set<String>)
  {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return ([], []) }
    let (updating, removed) = try await AssetPackManager.shared.checkForUpdates()
    return (updating, removed)
  }

  /// Removes a pack from the device; the system removes no pack by itself while it is offered.
  public static func remove(_ pack: Pack) async throws {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return }
    try await AssetPackManager.shared.remove(assetPackWithID: pack.id)
  }

  #if ASSET_PACKS_SDK_27_2
    /// Returns the version of a pack on the device.
    public static func localVersion(of pack: Pack) throws -> Int {
      guard try bundleFolder() == nil,
        #available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)
      else { throw Problem.requires("iOS 27.2") }
      return try AssetPackManager.shared.localVersion(ofAssetPackWithID: pack.id)
    }

    /// Returns the size of a pack on the device in bytes; slow for a pack with many files.
    public static func localSize(of pack: Pack) async throws -> Int64 {
      guard try bundleFolder() == nil,
        #available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)
      else { throw Problem.requires("iOS 27.2") }
      return try await AssetPackManager.shared.localSize(
        ofAssetPackWithID: pack.id, calculationMethod: .allocated)
    }
  #endif

  #if !ASSET_PACKS_SDK_26
    /// Sets the language of localized packs, downloads its packs, and removes those of others.
    ///
    /// It is also the language of the app's texts; nil is the language of the system.
    public static func use(language: String?) async throws {
      guard try bundleFolder() == nil else { return }
      guard #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) else {
        throw Problem.requires("iOS 27, macOS 27, tvOS 27 or visionOS 27")
      }
      let manager = AssetPackManager.shared
      manager.resolvedLanguage = language.map { Locale.Language(identifier: $0) }
      try await manager.reconcilePreferredLanguages()
    }
  #endif

  /// Returns the system's values for packs.
  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func assetPacks(_ packs: [Pack]) async throws -> [AssetPack] {
    if packs.isEmpty { return [] }
    let manager = AssetPackManager.shared
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        let manifest = try await manager.manifest
        return try packs.map { pack in
          guard let found = manifest.assetPack(withID: pack.id) else {
            throw Problem.noPack(pack.id)
          }
          return found
        }
      }
    #endif
    var found: [AssetPack] = []
    for pack in packs { found.append(try await manager.assetPack(withID: pack.id)) }
    return found
  }

  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func download(
    _ packs: [Pack], _ requireLatest: Bool, _ progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    // A pack on the device needs no request, so that the app works without a network.
    var missing: [Pack] = []
    for pack in packs {
      let isLocal = requireLatest ? false : try await isOnDevice(pack)
      if !isLocal { missing.append(pack) }
    }
    let found = try await assetPacks(missing)
    if found.isEmpty { return }
    let downloads = Downloads(found.map { ($0.id, $0.downloadSize) }, progress)
    let watchers = found.map { pack in
      let updates = AssetPackManager.shared.statusUpdates(forAssetPackWithID: pack.id)
      return Task {
        for await update in updates {
          if case .downloading(_, let progress) = update {
            await downloads.note(progress, of: pack.id)
          }
        }
      }
    }
    defer { for watcher in watchers { watcher.cancel() } }
    do {
      try await withTaskCancellationHandler {
        try await request(found, requireLatest)
      } onCancel: {
        Task { await downloads.cancel() }
      }
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw error
    }
    try Task.checkCancellation()
  }

  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func request(_ packs: [AssetPack], _ requireLatest: Bool) async throws {
    let manager = AssetPackManager.shared
    #if !ASSET_PACKS_SDK_26
      if packs.count > 1, #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try await manager.ensureLocalAvailability(
          of: Set(packs), requireLatestVersions: requireLatest)
      }
    #endif
    for pack in packs {
      try Task.checkCancellation()
      if #available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *) {
        try await manager.ensureLocalAvailability(of: pack, requireLatestVersion: requireLatest)
      } else {
        try await manager.ensureLocalAvailability(of: pack)
      }
    }
  }

  /// The progress of several downloads.
  private actor Downloads {
    private let sizes: [String: Int]
    private let report: @Sendable (Double) -> Void
    private var running: [String: Progress] = [:]
    private var parts: [String: Double] = [:]
    private var isCancelled = false

    init(_ sizes: [(String, Int)], _ report: @escaping @Sendable (Double) -> Void) {
      self.sizes = Dictionary(sizes, uniquingKeysWith: { first, _ in first })
      self.report = report
    }

    func note(_ progress: Progress, of pack: String) {
      running[pack] = progress
      if isCancelled { return progress.cancel() }
      parts[pack] = progress.fractionCompleted
      let total = sizes.values.reduce(0) { $0 + Double(max($1, 1)) }
      let done = parts.reduce(0) { $0 + Double(max(sizes[$1.key] ?? 0, 1)) * $1.value }
      report(min(done / total, 1))
    }

    func cancel() {
      isCancelled = true
      for progress in running.values { progress.cancel() }
    }
  }
}

// MARK: - Files

nonisolated extension AssetPacks {
  /// Returns the contents of a file of a pack that is on the device.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - pack: The pack to search. Without it, the system chooses one of the packs on the device
  ///     that have the file, and its choice is undefined.
  ///   - options: How the file is read; by default it is mapped into memory.
  public static func contents(
    of file: File, in pack: Pack? = nil, options: Data.ReadingOptions = .mappedIfSafe
  ) throws -> Data {
    if let folder = try bundleFolder() {
      return try Data(contentsOf: bundled(file, pack, in: folder), options: options)
    }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try AssetPackManager.shared.contents(
      at: FilePath(file.path), searchingInAssetPackWithID: pack?.id, options: options)
  }

  /// Returns the contents of the translation of a file.
  public static func contents(
    of file: File, language: String, options: Data.ReadingOptions = .mappedIfSafe
  ) throws -> Data {
    if let folder = try bundleFolder() {
      return try Data(contentsOf: bundled(file, language: language, in: folder), options: options)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try AssetPackManager.shared.contents(
          at: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language),
          options: options)
      }
    #endif
    return try contents(of: file, in: translation(of: file, language), options: options)
  }

  /// Opens a file of a pack that is on the device; the caller closes the descriptor.
  public static func descriptor(of file: File, in pack: Pack? = nil) throws -> FileDescriptor {
    if let folder = try bundleFolder() {
      return try FileDescriptor.open(FilePath(bundled(file, pack, in: folder).path), .readOnly)
    }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try AssetPackManager.shared.descriptor(
      for: FilePath(file.path), searchingInAssetPackWithID: pack?.id)
  }

  /// Opens the translation of a file; the caller closes the descriptor.
  public static func descriptor(of file: File, language: String) throws -> FileDescriptor {
    if let folder = try bundleFolder() {
      let path = try bundled(file, language: language, in: folder).path
      return try FileDescriptor.open(FilePath(path), .readOnly)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try AssetPackManager.shared.descriptor(
          for: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language))
      }
    #endif
    return try descriptor(of: file, in: translation(of: file, language))
  }

  /// Returns the URL of a file, or of a folder such as a compiled model.
  ///
  /// It is slow: do not call it on the main thread. Do not store the URL for a later start of the
  /// app.
  public static func url(of file: File) throws -> URL {
    if let folder = try bundleFolder() { return try bundled(file, nil, in: folder) }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try existing(file.path) { try AssetPackManager.shared.url(for: FilePath(file.path)) }
  }

  /// Returns the URL of the translation of a file.
  public static func url(of file: File, language: String) throws -> URL {
    if let folder = try bundleFolder() {
      return try bundled(file, language: language, in: folder)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try existing(file.path) {
          try AssetPackManager.shared.url(
            for: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language))
        }
      }
    #endif
    throw Problem.requires("iOS 27, macOS 27, tvOS 27 or visionOS 27")
  }

  /// Returns the URL of a folder of the packs.
  public static func url(of folder: Folder) throws -> URL { try url(of: File(path: folder.path)) }

  /// Returns the URL that a function finds, if a file is there: the system also returns URLs of
  /// files that do not exist.
  private static func existing(_ path: String, _ find: () throws -> URL) throws -> URL {
    let url: URL
    do {
      url = try find()
    } catch CocoaError.fileWriteNoPermission {
      // Seen for some milliseconds after the state of a pack changed.
      Thread.sleep(forTimeInterval: 0.05)
      url = try find()
    }
    guard FileManager.default.fileExists(atPath: url.path) else { throw Problem.noFile(path) }
    return url
  }

  /// Returns the pack with a translation, for systems that do not search by language.
  private static func translation(of file: File, _ language: String) throws(Problem) -> Pack {
    guard let pack = file.pack(for: language) else { throw .noFile(file.path) }
    return pack
  }
}

"""#
}
