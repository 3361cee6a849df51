// NVTX: names and ranges for a profiler. There is none to hear them, so every call does nothing.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#ifndef NVTX_VERSION
#define NVTX_VERSION 3
#endif
#define NVTX_SUCCESS 0
#define NVTX_FAIL 1
#define NVTX_NO_PUSH_POP_TRACKING ((int)-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)(sizeof(nvtxEventAttributes_t)))

typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN = 0, NVTX_COLOR_ARGB = 1 } nvtxColorType_t;
typedef enum nvtxMessageType_t {
  NVTX_MESSAGE_UNKNOWN = 0,
  NVTX_MESSAGE_TYPE_ASCII = 1,
  NVTX_MESSAGE_TYPE_UNICODE = 2,
  NVTX_MESSAGE_TYPE_REGISTERED = 3
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
  NVTX_PAYLOAD_UNKNOWN = 0,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
  NVTX_PAYLOAD_TYPE_INT64 = 2,
  NVTX_PAYLOAD_TYPE_DOUBLE = 3,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32 = 4,
  NVTX_PAYLOAD_TYPE_INT32 = 5,
  NVTX_PAYLOAD_TYPE_FLOAT = 6
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st* nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st* nvtxStringHandle_t;
typedef union nvtxMessageValue_t {
  const char* ascii;
  const wchar_t* unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define __HPML_NVTX__(__result, __name, __value, ...) \
  static __inline__ __attribute__((unused)) __result __name(__VA_ARGS__) { return __value; }
#define __HPML_NVTX_NOTHING__(__name, ...) \
  static __inline__ __attribute__((unused)) void __name(__VA_ARGS__) {}
#define __HPML_NVTX_ATTRIBUTES__ const nvtxEventAttributes_t*

__HPML_NVTX_NOTHING__(nvtxInitialize, const void*)
__HPML_NVTX_NOTHING__(nvtxMarkEx, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX_NOTHING__(nvtxMarkA, const char*)
__HPML_NVTX_NOTHING__(nvtxMarkW, const wchar_t*)
__HPML_NVTX__(nvtxRangeId_t, nvtxRangeStartEx, 0, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX__(nvtxRangeId_t, nvtxRangeStartA, 0, const char*)
__HPML_NVTX__(nvtxRangeId_t, nvtxRangeStartW, 0, const wchar_t*)
__HPML_NVTX_NOTHING__(nvtxRangeEnd, nvtxRangeId_t)
__HPML_NVTX__(int, nvtxRangePushEx, NVTX_NO_PUSH_POP_TRACKING, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX__(int, nvtxRangePushA, NVTX_NO_PUSH_POP_TRACKING, const char*)
__HPML_NVTX__(int, nvtxRangePushW, NVTX_NO_PUSH_POP_TRACKING, const wchar_t*)
__HPML_NVTX__(int, nvtxRangePop, NVTX_NO_PUSH_POP_TRACKING, void)
__HPML_NVTX_NOTHING__(nvtxNameCategoryA, uint32_t, const char*)
__HPML_NVTX_NOTHING__(nvtxNameCategoryW, uint32_t, const wchar_t*)
__HPML_NVTX_NOTHING__(nvtxNameOsThreadA, uint32_t, const char*)
__HPML_NVTX_NOTHING__(nvtxNameOsThreadW, uint32_t, const wchar_t*)
__HPML_NVTX__(nvtxDomainHandle_t, nvtxDomainCreateA, NULL, const char*)
__HPML_NVTX__(nvtxDomainHandle_t, nvtxDomainCreateW, NULL, const wchar_t*)
__HPML_NVTX_NOTHING__(nvtxDomainDestroy, nvtxDomainHandle_t)
__HPML_NVTX_NOTHING__(nvtxDomainMarkEx, nvtxDomainHandle_t, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX__(nvtxRangeId_t, nvtxDomainRangeStartEx, 0, nvtxDomainHandle_t, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX_NOTHING__(nvtxDomainRangeEnd, nvtxDomainHandle_t, nvtxRangeId_t)
__HPML_NVTX__(int, nvtxDomainRangePushEx, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t, __HPML_NVTX_ATTRIBUTES__)
__HPML_NVTX__(int, nvtxDomainRangePop, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainHandle_t)
__HPML_NVTX_NOTHING__(nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t, const char*)
__HPML_NVTX__(nvtxStringHandle_t, nvtxDomainRegisterStringA, NULL, nvtxDomainHandle_t, const char*)
#undef __HPML_NVTX__
#undef __HPML_NVTX_NOTHING__
#undef __HPML_NVTX_ATTRIBUTES__

#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#define nvtxNameCategory nvtxNameCategoryW
#define nvtxNameOsThread nvtxNameOsThreadW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#endif
