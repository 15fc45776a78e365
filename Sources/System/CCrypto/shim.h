#pragma once
#include <openssl/cms.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Looks up the functions in the library; the name of the first function that it lacks. */
const char *_Nullable ba_crypto_fill(void *_Nonnull library);

/* EVP_EC_gen calls a variadic function. This is what that function does. */
static inline EVP_PKEY *_Nullable ba_EVP_EC_gen(const char *_Nonnull curve) {
  EVP_PKEY *key = NULL;
  EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
  if (context != NULL && EVP_PKEY_keygen_init(context) > 0 &&
      EVP_PKEY_CTX_set_group_name(context, curve) > 0)
    EVP_PKEY_generate(context, &key);
  EVP_PKEY_CTX_free(context);
  return key;
}

/* What OpenSSL has only as macros. */
static inline void ba_X509V3_set_ctx_nodb(X509V3_CTX *_Nonnull context) {
  X509V3_set_ctx_nodb(context);
}
static inline long ba_BIO_get_mem_data(BIO *_Nonnull memory, char *_Nullable *_Nonnull bytes) {
  return BIO_get_mem_data(memory, bytes);
}
static inline STACK_OF(X509) *_Nullable ba_X509_stack(X509 *_Nonnull certificate) {
  STACK_OF(X509) *stack = sk_X509_new_null();
  if (stack != NULL && sk_X509_push(stack, certificate) == 0) {
    sk_X509_free(stack);
    return NULL;
  }
  return stack;
}
static inline void ba_X509_stack_free(STACK_OF(X509) *_Nullable stack) { sk_X509_free(stack); }
static inline int ba_GENERAL_NAMES_count(const GENERAL_NAMES *_Nonnull names) {
  return sk_GENERAL_NAME_num(names);
}
static inline GENERAL_NAME *_Nullable ba_GENERAL_NAMES_at(const GENERAL_NAMES *_Nonnull names,
                                                          int index) {
  return sk_GENERAL_NAME_value(names, index);
}
