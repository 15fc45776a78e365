// A stub of Apple's framework: the declarations that the pages in docs/app/ use.
#pragma once
#include <stdbool.h>
#include <stddef.h>
typedef signed char BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
#ifdef __cplusplus
#define nil nullptr
#else
#define nil ((void *)0)
#endif
#define API_AVAILABLE(...)
typedef unsigned long NSUInteger;
typedef long NSInteger;

@protocol NSObject
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
- (instancetype)init;
@end
@interface NSString : NSObject
@property (readonly) const char *UTF8String;
+ (instancetype)stringWithUTF8String:(const char *)text;
- (NSString *)stringByAppendingPathComponent:(NSString *)name;
- (BOOL)getFileSystemRepresentation:(char *)buffer maxLength:(NSUInteger)size;
@end
@interface NSConstantString : NSString
@end
@interface NSError : NSObject
@property (readonly) NSString *localizedDescription;
@end
@interface NSData : NSObject
@end
typedef enum { NSDataReadingMappedIfSafe = 1 } NSDataReadingOptions;
@interface NSURL : NSObject
@property (readonly) NSString *path;
@end
@interface NSProgress : NSObject
@property (readonly) double fractionCompleted;
- (void)cancel;
@end
typedef struct { unsigned long state; id __unsafe_unretained *itemsPtr; unsigned long *mutationsPtr; unsigned long extra[5]; } NSFastEnumerationState;
@interface NSArray<Element> : NSObject
@property (readonly) NSUInteger count;
+ (instancetype)arrayWithObjects:(const id _Nonnull[])objects count:(NSUInteger)count;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained[])buffer count:(NSUInteger)count;
@end
@interface NSSet<Element> : NSObject
+ (instancetype)set;
@end
@interface NSBundle : NSObject
@property (class, readonly) NSBundle *mainBundle;
@property (readonly) NSString *bundlePath;
- (id)objectForInfoDictionaryKey:(NSString *)key;
@end
@interface NSFileManager : NSObject
@property (class, readonly) NSFileManager *defaultManager;
- (NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
@end
#ifdef __cplusplus
extern "C" {
#endif
typedef void (^dispatch_block_t)(void);
NSObject *dispatch_get_main_queue(void);
void dispatch_async(NSObject *queue, dispatch_block_t block);
#ifdef __cplusplus
}
#endif
