#pragma once
#include <lzma.h>

static inline lzma_vli ba_lzma_filter_lzma2(void) { return LZMA_FILTER_LZMA2; }
static inline lzma_vli ba_lzma_filters_end(void) { return LZMA_VLI_UNKNOWN; }
static inline uint32_t ba_lzma_preset_extreme(void) { return LZMA_PRESET_EXTREME; }
