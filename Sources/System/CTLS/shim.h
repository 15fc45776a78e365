#pragma once
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

/* What OpenSSL has only as macros. */
static inline int ba_SSL_CTX_set_min_proto_version(SSL_CTX *_Nonnull context) {
  return (int)SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}
static inline int ba_SSL_CTX_set_groups(SSL_CTX *_Nonnull context, const char *_Nonnull groups) {
  return (int)SSL_CTX_set1_groups_list(context, groups);
}
static inline void ba_SSL_CTX_set_server_options(SSL_CTX *_Nonnull context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                   SSL_OP_IGNORE_UNEXPECTED_EOF | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                   SSL_OP_PRIORITIZE_CHACHA | SSL_OP_ENABLE_KTLS);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                SSL_MODE_RELEASE_BUFFERS);
  /* A client that can go on with a session keeps it itself, in a ticket. Sessions kept here would be
     20,000 for whoever connects as often. */
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  /* The head of a record and the rest come in one call. */
  SSL_CTX_set_read_ahead(context, 1);
}
static inline const char *_Nullable ba_SSL_server_name(const SSL *_Nonnull session) {
  return SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
}
static inline int ba_SSL_add_issuer(SSL *_Nonnull session, X509 *_Nonnull issuer) {
  return (int)SSL_add1_chain_cert(session, issuer);
}

/* Looks up the functions in the library; the name of the first function that it lacks. */
const char *_Nullable ba_tls_fill(void *_Nonnull library);
