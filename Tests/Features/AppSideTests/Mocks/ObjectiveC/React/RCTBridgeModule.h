// A mock of the header of React Native.
#pragma once
#import <Foundation/Foundation.h>
typedef void (^RCTPromiseResolveBlock)(id result);
typedef void (^RCTPromiseRejectBlock)(NSString *code, NSString *message, NSError *error);
#define RCT_EXTERN_MODULE(name, parent) name : parent @end @interface name (RCTExternModule)
#define RCT_EXTERN_METHOD(method) - (void)method;
