// A mock of Apple's framework.
#pragma once
#import <BackgroundAssets/BackgroundAssets.h>

@protocol SKDownloaderExtension <BAManagedDownloaderExtension>
@end
