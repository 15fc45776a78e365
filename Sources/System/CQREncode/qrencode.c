#include "shim.h"
#include "../CSystem/opened.h"

/* The functions that we call. Each of them is called only after ba_qrencode_fill(). */
#define FUNCTIONS(X) \
  X(QRcode *, QRcode_encodeString, (const char *a, int b, QRecLevel c, QRencodeMode d, int e), \
    (a, b, c, d, e)) \
  X(void, QRcode_free, (QRcode *a), (a))

BA_OPENED(FUNCTIONS, ba_qrencode_fill)
