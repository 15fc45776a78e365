// A stub of Apple's framework: the declarations that the pages in docs/app/ use.
#pragma once
#import <Foundation/Foundation.h>

@interface BAAssetPack : NSObject
@property (readonly) NSString *identifier;
@property (readonly) NSInteger version;
@end

@protocol BAManagedAssetPackDownloadDelegate <NSObject>
@optional
- (void)downloadOfAssetPackBegan:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPackPaused:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPack:(BAAssetPack *)assetPack hasProgress:(NSProgress *)progress;
- (void)downloadOfAssetPackFinished:(BAAssetPack *)assetPack;
- (void)downloadOfAssetPack:(BAAssetPack *)assetPack failedWithError:(NSError *)error;
@end

@interface BAAssetPackManager : NSObject
@property (class, readonly) BAAssetPackManager *sharedManager;
@property (weak) id<BAManagedAssetPackDownloadDelegate> delegate;
- (void)getAssetPackWithIdentifier:(NSString *)identifier
                 completionHandler:(void (^)(BAAssetPack *pack, NSError *error))handler;
- (void)ensureLocalAvailabilityOfAssetPack:(BAAssetPack *)pack
                         completionHandler:(void (^)(NSError *error))handler;
- (void)ensureLocalAvailabilityOfAssetPack:(BAAssetPack *)pack
                      requireLatestVersion:(BOOL)isLatest
                         completionHandler:(void (^)(NSError *error))handler
    __attribute__((availability(ios, introduced = 26.4)));
- (NSData *)contentsAtPath:(NSString *)path
    searchingInAssetPackWithIdentifier:(NSString *)identifier
                               options:(NSDataReadingOptions)options
                                 error:(NSError **)error;
- (NSURL *)URLForPath:(NSString *)path error:(NSError **)error;
- (NSURL *)URLForPath:(NSString *)path
    asLocalizedForLanguage:(NSString *)language
                     error:(NSError **)error;
- (void)removeAssetPackWithIdentifier:(NSString *)identifier
                    completionHandler:(void (^)(NSError *error))handler;
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
- (void)backgroundDownload:(BADownload *)finishedDownload
       finishedWithFileURL:(NSURL *)fileURL;
@end
@protocol BAManagedDownloaderExtension <BADownloaderExtension>
@optional
- (BOOL)shouldDownloadAssetPack:(BAAssetPack *)assetPack;
@end
