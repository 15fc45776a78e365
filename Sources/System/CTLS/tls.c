#include "shim.h"
#include "../CSystem/opened.h"

/* The functions that we call. Each of them is called only after ba_tls_fill(). */
#define FUNCTIONS(X) \
  X(long, SSL_CTX_ctrl, (SSL_CTX *a, int b, long c, void *d), (a, b, c, d)) \
  X(void, SSL_CTX_free, (SSL_CTX *a), (a)) \
  X(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *a), (a)) \
  X(void, SSL_CTX_set_alpn_select_cb, (SSL_CTX *a, SSL_CTX_alpn_select_cb_func b, void *c), (a, \
    b, c)) \
  X(int, SSL_CTX_set_cipher_list, (SSL_CTX *a, const char *b), (a, b)) \
  X(int, SSL_CTX_set_ciphersuites, (SSL_CTX *a, const char *b), (a, b)) \
  X(uint64_t, SSL_CTX_set_options, (SSL_CTX *a, uint64_t b), (a, b)) \
  X(long, SSL_ctrl, (SSL *a, int b, long c, void *d), (a, b, c, d)) \
  X(int, SSL_do_handshake, (SSL *a), (a)) \
  X(void, SSL_free, (SSL *a), (a)) \
  X(int, SSL_get_error, (const SSL *a, int b), (a, b)) \
  X(const char *, SSL_get_servername, (const SSL *a, const int b), (a, b)) \
  X(SSL *, SSL_new, (SSL_CTX *a), (a)) \
  X(int, SSL_read, (SSL *a, void *b, int c), (a, b, c)) \
  X(void, SSL_set_accept_state, (SSL *a), (a)) \
  X(void, SSL_set_cert_cb, (SSL *a, int (*b)(SSL *, void *), void *c), (a, b, c)) \
  X(int, SSL_set_fd, (SSL *a, int b), (a, b)) \
  X(int, SSL_shutdown, (SSL *a), (a)) \
  X(int, SSL_use_cert_and_key, (SSL *a, X509 *b, EVP_PKEY *c, STACK_OF(X509) *d, int e), (a, b, \
    c, d, e)) \
  X(int, SSL_write, (SSL *a, const void *b, int c), (a, b, c)) \
  X(const SSL_METHOD *, TLS_server_method, (void), ())

BA_OPENED(FUNCTIONS, ba_tls_fill)
