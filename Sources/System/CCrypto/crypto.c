#include "shim.h"
#include "../CSystem/opened.h"

/* The functions that we call. Each of them is called only after ba_crypto_fill(). */
#define FUNCTIONS(X) \
  X(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *a), (a)) \
  X(int, ASN1_STRING_length, (const ASN1_STRING *a), (a)) \
  X(int, ASN1_TIME_diff, (int *a, int *b, const ASN1_TIME *c, const ASN1_TIME *d), (a, b, c, \
    d)) \
  X(void, ASN1_TIME_free, (ASN1_TIME *a), (a)) \
  X(ASN1_TIME *, ASN1_TIME_set, (ASN1_TIME *a, time_t b), (a, b)) \
  X(long, BIO_ctrl, (BIO *a, int b, long c, void *d), (a, b, c, d)) \
  X(int, BIO_free, (BIO *a), (a)) \
  X(BIO *, BIO_new, (const BIO_METHOD *a), (a)) \
  X(const BIO_METHOD *, BIO_s_mem, (void), ()) \
  X(int, BIO_write, (BIO *a, const void *b, int c), (a, b, c)) \
  X(BIGNUM *, BN_bin2bn, (const unsigned char *a, int b, BIGNUM *c), (a, b, c)) \
  X(int, BN_bn2binpad, (const BIGNUM *a, unsigned char *b, int c), (a, b, c)) \
  X(void, BN_free, (BIGNUM *a), (a)) \
  X(BIGNUM *, BN_new, (void), ()) \
  X(int, BN_rand, (BIGNUM *a, int b, int c, int d), (a, b, c, d)) \
  X(ASN1_INTEGER *, BN_to_ASN1_INTEGER, (const BIGNUM *a, ASN1_INTEGER *b), (a, b)) \
  X(void, CMS_ContentInfo_free, (CMS_ContentInfo *a), (a)) \
  X(ASN1_OCTET_STRING **, CMS_get0_content, (CMS_ContentInfo *a), (a)) \
  X(void, ECDSA_SIG_free, (ECDSA_SIG *a), (a)) \
  X(const BIGNUM *, ECDSA_SIG_get0_r, (const ECDSA_SIG *a), (a)) \
  X(const BIGNUM *, ECDSA_SIG_get0_s, (const ECDSA_SIG *a), (a)) \
  X(ECDSA_SIG *, ECDSA_SIG_new, (void), ()) \
  X(int, ECDSA_SIG_set0, (ECDSA_SIG *a, BIGNUM *b, BIGNUM *c), (a, b, c)) \
  X(void, ERR_clear_error, (void), ()) \
  X(unsigned long, ERR_peek_error, (void), ()) \
  X(const char *, ERR_reason_error_string, (unsigned long a), (a)) \
  X(int, EVP_DigestFinal_ex, (EVP_MD_CTX *a, unsigned char *b, unsigned int *c), (a, b, c)) \
  X(int, EVP_DigestInit_ex, (EVP_MD_CTX *a, const EVP_MD *b, ENGINE *c), (a, b, c)) \
  X(int, EVP_DigestSign, (EVP_MD_CTX *a, unsigned char *b, size_t *c, const unsigned char *d, \
    size_t e), (a, b, c, d, e)) \
  X(int, EVP_DigestSignInit, (EVP_MD_CTX *a, EVP_PKEY_CTX **b, const EVP_MD *c, ENGINE *d, \
    EVP_PKEY *e), (a, b, c, d, e)) \
  X(int, EVP_DigestUpdate, (EVP_MD_CTX *a, const void *b, size_t c), (a, b, c)) \
  X(int, EVP_DigestVerify, (EVP_MD_CTX *a, const unsigned char *b, size_t c, const unsigned \
    char *d, size_t e), (a, b, c, d, e)) \
  X(int, EVP_DigestVerifyInit, (EVP_MD_CTX *a, EVP_PKEY_CTX **b, const EVP_MD *c, ENGINE *d, \
    EVP_PKEY *e), (a, b, c, d, e)) \
  X(int, EVP_EncodeBlock, (unsigned char *a, const unsigned char *b, int c), (a, b, c)) \
  X(void, EVP_MD_CTX_free, (EVP_MD_CTX *a), (a)) \
  X(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ()) \
  X(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *a), (a)) \
  X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_from_name, (OSSL_LIB_CTX *a, const char *b, const char \
    *c), (a, b, c)) \
  X(int, EVP_PKEY_CTX_set_group_name, (EVP_PKEY_CTX *a, const char *b), (a, b)) \
  X(void, EVP_PKEY_free, (EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_generate, (EVP_PKEY_CTX *a, EVP_PKEY **b), (a, b)) \
  X(int, EVP_PKEY_get_group_name, (const EVP_PKEY *a, char *b, size_t c, size_t *d), (a, b, c, \
    d)) \
  X(int, EVP_PKEY_get_id, (const EVP_PKEY *a), (a)) \
  X(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *a), (a)) \
  X(const EVP_MD *, EVP_md5, (void), ()) \
  X(const EVP_MD *, EVP_sha1, (void), ()) \
  X(const EVP_MD *, EVP_sha256, (void), ()) \
  X(const EVP_MD *, EVP_sha384, (void), ()) \
  X(const EVP_MD *, EVP_sha512, (void), ()) \
  X(void, GENERAL_NAMES_free, (GENERAL_NAMES *a), (a)) \
  X(void *, GENERAL_NAME_get0_value, (const GENERAL_NAME *a, int *b), (a, b)) \
  X(unsigned char *, HMAC, (const EVP_MD *a, const void *b, int c, const unsigned char *d, \
    size_t e, unsigned char *f, unsigned int *g), (a, b, c, d, e, f, g)) \
  X(void, OPENSSL_sk_free, (OPENSSL_STACK *a), (a)) \
  X(OPENSSL_STACK *, OPENSSL_sk_new_null, (void), ()) \
  X(int, OPENSSL_sk_num, (const OPENSSL_STACK *a), (a)) \
  X(int, OPENSSL_sk_push, (OPENSSL_STACK *a, const void *b), (a, b)) \
  X(void *, OPENSSL_sk_value, (const OPENSSL_STACK *a, int b), (a, b)) \
  X(EVP_PKEY *, PEM_read_bio_PrivateKey, (BIO *a, EVP_PKEY **b, pem_password_cb *c, void *d), \
    (a, b, c, d)) \
  X(X509 *, PEM_read_bio_X509, (BIO *a, X509 **b, pem_password_cb *c, void *d), (a, b, c, d)) \
  X(int, PEM_write_bio_PrivateKey, (BIO *a, const EVP_PKEY *b, const EVP_CIPHER *c, const \
    unsigned char *d, int e, pem_password_cb *f, void *g), (a, b, c, d, e, f, g)) \
  X(int, PEM_write_bio_X509, (BIO *a, const X509 *b), (a, b)) \
  X(PKCS12 *, PKCS12_create, (const char *a, const char *b, EVP_PKEY *c, X509 *d, \
    STACK_OF(X509) *e, int f, int g, int h, int i, int j), (a, b, c, d, e, f, g, h, i, j)) \
  X(void, PKCS12_free, (PKCS12 *a), (a)) \
  X(int, PKCS12_set_mac, (PKCS12 *a, const char *b, int c, unsigned char *d, int e, int f, \
    const EVP_MD *g), (a, b, c, d, e, f, g)) \
  X(X509_EXTENSION *, X509V3_EXT_conf_nid, (struct lhash_st_CONF_VALUE *a, X509V3_CTX *b, int \
    c, const char *d), (a, b, c, d)) \
  X(void, X509V3_set_ctx, (X509V3_CTX *a, X509 *b, X509 *c, X509_REQ *d, X509_CRL *e, int f), \
    (a, b, c, d, e, f)) \
  X(void, X509_EXTENSION_free, (X509_EXTENSION *a), (a)) \
  X(int, X509_NAME_add_entry_by_NID, (X509_NAME *a, int b, int c, const unsigned char *d, int \
    e, int f, int g), (a, b, c, d, e, f, g)) \
  X(void, X509_STORE_CTX_free, (X509_STORE_CTX *a), (a)) \
  X(int, X509_STORE_CTX_init, (X509_STORE_CTX *a, X509_STORE *b, X509 *c, STACK_OF(X509) *d), \
    (a, b, c, d)) \
  X(X509_STORE_CTX *, X509_STORE_CTX_new, (void), ()) \
  X(void, X509_STORE_CTX_set_flags, (X509_STORE_CTX *a, unsigned long b), (a, b)) \
  X(void, X509_STORE_CTX_set_time, (X509_STORE_CTX *a, unsigned long b, time_t c), (a, b, c)) \
  X(int, X509_STORE_add_cert, (X509_STORE *a, X509 *b), (a, b)) \
  X(void, X509_STORE_free, (X509_STORE *a), (a)) \
  X(X509_STORE *, X509_STORE_new, (void), ()) \
  X(int, X509_add_ext, (X509 *a, X509_EXTENSION *b, int c), (a, b, c)) \
  X(int, X509_check_ca, (X509 *a), (a)) \
  X(int, X509_check_private_key, (const X509 *a, const EVP_PKEY *b), (a, b)) \
  X(int, X509_digest, (const X509 *a, const EVP_MD *b, unsigned char *c, unsigned int *d), (a, \
    b, c, d)) \
  X(void, X509_free, (X509 *a), (a)) \
  X(const ASN1_TIME *, X509_get0_notAfter, (const X509 *a), (a)) \
  X(const ASN1_TIME *, X509_get0_notBefore, (const X509 *a), (a)) \
  X(EVP_PKEY *, X509_get0_pubkey, (const X509 *a), (a)) \
  X(int, X509_get_ext_by_NID, (const X509 *a, int b, int c), (a, b, c)) \
  X(void *, X509_get_ext_d2i, (const X509 *a, int b, int *c, int *d), (a, b, c, d)) \
  X(ASN1_INTEGER *, X509_get_serialNumber, (X509 *a), (a)) \
  X(X509_NAME *, X509_get_subject_name, (const X509 *a), (a)) \
  X(ASN1_TIME *, X509_getm_notAfter, (const X509 *a), (a)) \
  X(ASN1_TIME *, X509_getm_notBefore, (const X509 *a), (a)) \
  X(X509 *, X509_new, (void), ()) \
  X(int, X509_set_issuer_name, (X509 *a, const X509_NAME *b), (a, b)) \
  X(int, X509_set_pubkey, (X509 *a, EVP_PKEY *b), (a, b)) \
  X(int, X509_set_version, (X509 *a, long b), (a, b)) \
  X(int, X509_sign, (X509 *a, EVP_PKEY *b, const EVP_MD *c), (a, b, c)) \
  X(int, X509_up_ref, (X509 *a), (a)) \
  X(int, X509_verify, (X509 *a, EVP_PKEY *b), (a, b)) \
  X(int, X509_verify_cert, (X509_STORE_CTX *a), (a)) \
  X(const char *, X509_verify_cert_error_string, (long a), (a)) \
  X(ECDSA_SIG *, d2i_ECDSA_SIG, (ECDSA_SIG **a, const unsigned char **b, long c), (a, b, c)) \
  X(CMS_ContentInfo *, d2i_CMS_bio, (BIO *a, CMS_ContentInfo **b), (a, b)) \
  X(int, i2d_ECDSA_SIG, (const ECDSA_SIG *a, unsigned char **b), (a, b)) \
  X(int, i2d_PKCS12_bio, (BIO *a, const PKCS12 *b), (a, b)) \
  X(int, i2d_X509_bio, (BIO *a, const X509 *b), (a, b))

BA_OPENED(FUNCTIONS, ba_crypto_fill)
