// A mock of the declarations of Foundation that the generated code and the code on the pages in
// docs/app/ use, for clang -fsyntax-only without an SDK.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#undef NULL

#if __OBJC_BOOL_IS_BOOL && !defined(__cplusplus)
typedef _Bool BOOL;
#elif __OBJC_BOOL_IS_BOOL
typedef bool BOOL;
#else
typedef signed char BOOL;
#endif
#define YES __objc_yes
#define NO __objc_no
#define nil MOCK_NIL
#ifdef __cplusplus
#define NULL __null
#define MOCK_NIL nullptr
#else
#define NULL ((void *)0)
#define MOCK_NIL ((void *)0)
#endif
typedef long NSInteger;
typedef unsigned long NSUInteger;
#ifdef __APPLE__
typedef long long int64_t;
#else
#include <stdint.h>
#endif

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define NS_OPTIONS(type, name) enum name : type name; enum __attribute__((flag_enum)) name : type
#define MOCK_PLATFORM_ios(version) ios, introduced = version
#define MOCK_PLATFORM_macos(version) macos, introduced = version
#define MOCK_PLATFORM_tvos(version) tvos, introduced = version
#define MOCK_PLATFORM_visionos(version) visionos, introduced = version
#define MOCK_AVAILABLE(platform) __attribute__((availability(MOCK_PLATFORM_##platform)))
#define API_AVAILABLE(a, b, c, d) \
  MOCK_AVAILABLE(a) MOCK_AVAILABLE(b) MOCK_AVAILABLE(c) MOCK_AVAILABLE(d)
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

#ifdef __cplusplus
extern "C" {
#endif
typedef long dispatch_once_t;
void dispatch_once(dispatch_once_t *_Nonnull once, void (^_Nonnull block)(void));
typedef void (^dispatch_block_t)(void);
@class NSObject;
NSObject *_Nonnull dispatch_get_main_queue(void);
void dispatch_async(NSObject *_Nonnull queue, dispatch_block_t _Nonnull block);
int strcmp(const char *_Nonnull, const char *_Nonnull);
#ifdef __cplusplus
}
#endif

typedef struct {
  unsigned long state;
  __unsafe_unretained id _Nullable *_Nullable itemsPtr;
  unsigned long *_Nullable mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;
typedef struct { NSUInteger location, length; } NSRange;
static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length) {
  NSRange range = {location, length};
  return range;
}

NS_ASSUME_NONNULL_BEGIN

@class NSString, NSError;
@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
- (BOOL)isKindOfClass:(Class)type;
@end
__attribute__((objc_root_class)) @interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
- (instancetype)init;
+ (Class)class;
- (id)copy;
@end
@protocol NSCopying
@end
@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(__unsafe_unretained id _Nullable *_Nonnull)buffer
                                    count:(NSUInteger)count;
@end

@interface NSString : NSObject <NSCopying>
@property(readonly) NSUInteger length;
@property(readonly, copy) NSString *lowercaseString;
@property(nullable, readonly) const char *UTF8String;
+ (instancetype)stringWithFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
- (BOOL)isEqualToString:(NSString *)other;
- (BOOL)hasPrefix:(NSString *)prefix;
- (BOOL)hasSuffix:(NSString *)suffix;
- (NSString *)stringByAppendingString:(NSString *)other;
+ (nullable instancetype)stringWithUTF8String:(const char *)text;
- (NSString *)stringByAppendingPathComponent:(NSString *)name;
- (BOOL)getFileSystemRepresentation:(char *)buffer maxLength:(NSUInteger)size;
@end
@interface NSConstantString : NSString
@end

@interface NSNumber : NSObject
@property(readonly) long long longLongValue;
@property(readonly) double doubleValue;
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithLong:(long)value;
+ (NSNumber *)numberWithInteger:(NSInteger)value;
+ (NSNumber *)numberWithDouble:(double)value;
@end

@interface NSArray<__covariant Element> : NSObject <NSFastEnumeration, NSCopying>
@property(readonly) NSUInteger count;
+ (instancetype)arrayWithObjects:(const Element _Nonnull[_Nullable])objects count:(NSUInteger)count;
- (Element)objectAtIndexedSubscript:(NSUInteger)index;
- (BOOL)containsObject:(Element)object;
- (NSArray<Element> *)arrayByAddingObject:(Element)object;
- (NSArray<Element> *)arrayByAddingObjectsFromArray:(NSArray<Element> *)other;
- (NSArray<Element> *)subarrayWithRange:(NSRange)range;
@end
@interface NSMutableArray<Element> : NSArray<Element>
+ (instancetype)array;
- (void)addObject:(Element)object;
- (void)removeObject:(Element)object;
@end

@interface NSDictionary<__covariant Key, __covariant Object> : NSObject <NSFastEnumeration, NSCopying>
+ (instancetype)dictionaryWithObjects:(const Object _Nonnull[_Nullable])objects
                              forKeys:(const Key _Nonnull[_Nullable])keys
                                count:(NSUInteger)count;
- (nullable Object)objectForKeyedSubscript:(Key)key;
@end
@interface NSMutableDictionary<Key, Object> : NSDictionary<Key, Object>
+ (instancetype)dictionary;
- (void)setObject:(nullable Object)object forKeyedSubscript:(Key)key;
@end
@class NSURL;
@interface NSDictionary (Files)
+ (nullable NSDictionary<NSString *, id> *)dictionaryWithContentsOfURL:(NSURL *)url
                                                                 error:(NSError **)error;
@end

@interface NSSet<__covariant Element> : NSObject <NSFastEnumeration, NSCopying>
+ (instancetype)set;
+ (instancetype)setWithArray:(NSArray<Element> *)array;
@end

@interface NSURL : NSObject
@property(nullable, readonly, copy) NSString *scheme;
@property(nullable, readonly, copy) NSString *path;
@property(readonly) const char *fileSystemRepresentation;
+ (nullable instancetype)URLWithString:(NSString *)text;
- (nullable NSURL *)URLByAppendingPathComponent:(NSString *)name;
@end

typedef NS_OPTIONS(NSUInteger, NSDataReadingOptions) { NSDataReadingMappedIfSafe = 1 };
@interface NSData : NSObject
+ (nullable instancetype)dataWithContentsOfURL:(NSURL *)url
                                       options:(NSDataReadingOptions)options
                                         error:(NSError **)error;
@end

typedef NSString *NSErrorDomain;
typedef NSString *NSErrorUserInfoKey;
extern NSErrorUserInfoKey const NSLocalizedDescriptionKey;
@interface NSError : NSObject
@property(readonly) NSInteger code;
@property(readonly, copy) NSString *localizedDescription;
+ (instancetype)errorWithDomain:(NSErrorDomain)domain
                           code:(NSInteger)code
                       userInfo:(nullable NSDictionary<NSErrorUserInfoKey, id> *)info;
@end

@interface NSProgress : NSObject
@property int64_t totalUnitCount;
@property int64_t completedUnitCount;
@property(readonly) double fractionCompleted;
@property(readonly, getter=isCancelled) BOOL cancelled;
@property(nullable, copy) void (^cancellationHandler)(void);
+ (NSProgress *)progressWithTotalUnitCount:(int64_t)count;
- (void)cancel;
@end

@interface NSBundle : NSObject
@property(class, readonly, strong) NSBundle *mainBundle;
@property(nullable, readonly, copy) NSDictionary<NSString *, id> *infoDictionary;
@property(nullable, readonly, copy) NSString *bundleIdentifier;
@property(readonly, copy) NSURL *bundleURL;
@property(readonly, copy) NSString *bundlePath;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@property(nullable, readonly, copy) NSURL *resourceURL;
@end

@interface NSFileManager : NSObject
@property(class, readonly, strong) NSFileManager *defaultManager;
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path error:(NSError **)error;
- (BOOL)fileExistsAtPath:(NSString *)path;
- (BOOL)fileExistsAtPath:(NSString *)path isDirectory:(nullable BOOL *)isDirectory;
@end

@interface NSThread : NSObject
+ (void)sleepForTimeInterval:(double)time;
@end

NS_ASSUME_NONNULL_END
