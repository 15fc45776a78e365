// A mock of the declarations of Apple's framework that the generated code and the code on the pages
// in docs/app/ use, with their availability.
#pragma once

#import <Foundation/Foundation.h>

#define MOCK_26 API_AVAILABLE(ios(26.0), macos(26.0), tvos(26.0), visionos(26.0))
#define MOCK_26_4 API_AVAILABLE(ios(26.4), macos(26.4), tvos(26.4), visionos(26.4))
#define MOCK_27 API_AVAILABLE(ios(27.0), macos(27.0), tvos(27.0), visionos(27.0))
#define MOCK_27_2 API_AVAILABLE(ios(27.2), macos(27.2), tvos(27.2), visionos(27.2))

NS_ASSUME_NONNULL_BEGIN

MOCK_26 typedef NS_OPTIONS(NSUInteger, BAAssetPackStatus) {
  BAAssetPackStatusDownloadAvailable = 1 << 0,
  BAAssetPackStatusDownloaded = 1 << 6,
};

#ifndef MOCK_SDK_26
MOCK_27_2 typedef NS_ENUM(NSInteger, BASizeCalculationMethod) {
  BASizeCalculationMethodLogical,
  BASizeCalculationMethodAllocated,
};
#endif

MOCK_26 @interface BAAssetPack : NSObject
@property(readonly, copy) NSString *identifier;
@property(readonly) NSInteger downloadSize;
@property(readonly) NSInteger version;
@end

MOCK_26 @interface BAAssetPackManifest : NSObject
- (nullable BAAssetPack *)assetPackWithIdentifier:(NSString *)identifier MOCK_27;
@end

MOCK_26 @protocol BAManagedAssetPackDownloadDelegate <NSObject>
@optional
- (void)downloadOfAssetPackBegan:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPackPaused:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPack:(BAAssetPack *)assetPack hasProgress:(NSProgress *)progress;
- (void)downloadOfAssetPackFinished:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPack:(BAAssetPack *)assetPack failedWithError:(NSError *)error;
@end

MOCK_26 @interface BAAssetPackManager : NSObject
@property(class, readonly) BAAssetPackManager *sharedManager;
@property(weak, nullable) id<BAManagedAssetPackDownloadDelegate> delegate;
- (void)getAssetPackWithIdentifier:(NSString *)identifier
                 completionHandler:(void (^)(BAAssetPack *_Nullable pack,
                                             NSError *_Nullable error))handler;
- (void)getStatusOfAssetPackWithIdentifier:(NSString *)identifier
                         completionHandler:(void (^)(BAAssetPackStatus status,
                                                     NSError *_Nullable error))handler;
- (void)ensureLocalAvailabilityOfAssetPack:(BAAssetPack *)pack
                         completionHandler:(void (^)(NSError *_Nullable error))handler;
- (void)ensureLocalAvailabilityOfAssetPack:(BAAssetPack *)pack
                      requireLatestVersion:(BOOL)requireLatestVersion
                         completionHandler:(void (^)(NSError *_Nullable error))handler MOCK_26_4;
- (BOOL)assetPackIsAvailableLocallyWithIdentifier:(NSString *)identifier MOCK_26_4;
- (void)checkForUpdatesWithCompletionHandler:(void (^)(NSSet<NSString *> *_Nullable updating,
                                                       NSSet<NSString *> *_Nullable removed,
                                                       NSError *_Nullable error))handler;
- (void)removeAssetPackWithIdentifier:(NSString *)identifier
                    completionHandler:(void (^)(NSError *_Nullable error))handler;
- (nullable NSData *)contentsAtPath:(NSString *)path
    searchingInAssetPackWithIdentifier:(nullable NSString *)identifier
                               options:(NSDataReadingOptions)options
                                 error:(NSError **)error;
- (int)fileDescriptorForPath:(NSString *)path
    searchingInAssetPackWithIdentifier:(nullable NSString *)identifier
                                 error:(NSError **)error;
- (nullable NSURL *)URLForPath:(NSString *)path error:(NSError **)error;

#ifndef MOCK_SDK_26
@property(copy, nullable) NSString *resolvedLanguage MOCK_27;
- (void)getManifestWithCompletionHandler:(void (^)(BAAssetPackManifest *_Nullable manifest,
                                                   NSError *_Nullable error))handler MOCK_27;
- (void)ensureLocalAvailabilityOfAssetPacks:(NSSet<BAAssetPack *> *)packs
                      requireLatestVersions:(BOOL)requireLatestVersions
                          completionHandler:(void (^)(NSError *_Nullable error))handler MOCK_27;
- (void)reconcilePreferredLanguagesWithCompletionHandler:
    (void (^)(NSError *_Nullable error))handler MOCK_27;
- (nullable NSData *)contentsAtPath:(NSString *)path
             asLocalizedForLanguage:(NSString *)language
                            options:(NSDataReadingOptions)options
                              error:(NSError **)error MOCK_27;
- (int)fileDescriptorForPath:(NSString *)path
      asLocalizedForLanguage:(NSString *)language
                       error:(NSError **)error MOCK_27;
- (nullable NSURL *)URLForPath:(NSString *)path
        asLocalizedForLanguage:(NSString *)language
                         error:(NSError **)error MOCK_27;
- (NSInteger)localVersionOfAssetPackWithIdentifier:(NSString *)identifier
                                             error:(NSError **)error MOCK_27_2;
- (void)getLocalSizeOfAssetPackWithIdentifier:(NSString *)identifier
                            calculationMethod:(BASizeCalculationMethod)method
                            completionHandler:(void (^)(long long size,
                                                        NSError *_Nullable error))handler MOCK_27_2;
#endif
@end

typedef NSInteger BAContentRequest;
@interface BAAppExtensionInfo : NSObject
@end
@interface BADownload : NSObject
@end

@protocol BADownloaderExtension <NSObject>
@optional
- (NSSet<BADownload *> *)downloadsForRequest:(BAContentRequest)contentRequest
                                 manifestURL:(NSURL *)manifestURL
                               extensionInfo:(BAAppExtensionInfo *)extensionInfo;
- (void)backgroundDownload:(BADownload *)finishedDownload finishedWithFileURL:(NSURL *)fileURL;
@end
MOCK_26 @protocol BAManagedDownloaderExtension <BADownloaderExtension>
@optional
- (BOOL)shouldDownloadAssetPack:(BAAssetPack *)assetPack;
@end

NS_ASSUME_NONNULL_END
