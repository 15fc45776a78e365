// A mock of the declarations of Security that the generated code uses on macOS.
#pragma once

typedef const void *CFTypeRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef const struct __CFString *CFStringRef;
typedef struct __SecCode *SecCodeRef;
typedef const struct __SecCode *SecStaticCodeRef;
typedef unsigned SecCSFlags;
typedef int OSStatus;
enum { kSecCSDefaultFlags = 0, kSecCSSigningInformation = 2 };
enum { errSecSuccess = 0 };
extern const CFStringRef kSecCodeInfoTeamIdentifier;
OSStatus SecCodeCopySelf(SecCSFlags flags, SecCodeRef *code);
OSStatus SecCodeCopyStaticCode(SecCodeRef code, SecCSFlags flags, SecStaticCodeRef *file);
OSStatus SecCodeCopySigningInformation(
    SecStaticCodeRef code, SecCSFlags flags, CFDictionaryRef *information);
const void *CFDictionaryGetValue(CFDictionaryRef dictionary, const void *key);
long CFStringGetLength(CFStringRef text);
void CFRelease(CFTypeRef object);
