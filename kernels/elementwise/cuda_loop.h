/* How CUDA kernels of this folder go through their elements, for any operator and types.
 *
 * Exactness: text.h; an element depends on no other, so no order of threads changes a bit. Device code only. */
#ifndef ASSAY_ELEMENTWISE_CUDA_LOOP_H
#define ASSAY_ELEMENTWISE_CUDA_LOOP_H

#include "kernels/exact/cuda.h"

#include "kernels/elementwise/cuda_args.h"
#include "kernels/elementwise/text.h"

#define THREADS 256u
#define VECTOR  4u /* elementwise.h */

template <u32 kind> struct ew_storage {
    typedef u32 type;
};
template <> struct ew_storage<EW_F16> {
    typedef unsigned short type;
};
template <> struct ew_storage<EW_BF16> {
    typedef unsigned short type;
};
template <> struct ew_storage<EW_I8> {
    typedef unsigned char type;
};
template <> struct ew_storage<EW_U8> {
    typedef unsigned char type;
};
template <> struct ew_storage<EW_BOOL> {
    typedef unsigned char type;
};
template <> struct ew_storage<EW_I64> {
    typedef u64 type;
};

/* Four elements as one access, two for 64-bit ones. */
template <class T> struct __attribute__((aligned(sizeof(T) * 4 > 16 ? 16 : sizeof(T) * 4))) ew_four {
    T v[4];
};

CU_FN XF_WIDE ew_open(u32 x)
{
    return xc_wide(0u, x);
}
CU_FN XF_WIDE ew_open(u64 x)
{
    return xc_wide((u32)(x >> 32), (u32)x);
}
template <class T> CU_FN T ew_close(XF_WIDE x)
{
    return sizeof(T) == 8 ? (T)((u64)x.hi << 32 | x.lo) : (T)x.lo;
}
CU_FN XF_WIDE ew_read(const unsigned char &x)
{
    return ew_open((u32)x);
}
CU_FN XF_WIDE ew_read(const unsigned short &x)
{
    return ew_open((u32)x);
}
CU_FN XF_WIDE ew_read(const u32 &x)
{
    return ew_open(x);
}
CU_FN XF_WIDE ew_read(const u64 &x)
{
    return ew_open(x);
}

/* The tensors of a kernel: inputs that an operator lacks are null. */
struct ew_tensors {
    const void *a, *b, *c;
    void *y;
};

template <u32 form, u32 op, u32 from, u32 to> struct ew_loop {
    typedef typename ew_storage<op == EW_WHERE ? EW_BOOL : from>::type A;
    typedef typename ew_storage<from>::type B;
    typedef typename ew_storage<to>::type Y;
    static const bool has_b = op != EW_NOT && op != EW_CAST, has_c = op == EW_WHERE;

    static CU_METHOD Y one(const A &a, const B &b, const B &c)
    {
        return ew_close<Y>(ew_element(form, op, from, to, ew_read(a), has_b ? ew_read(b) : ew_open(0u),
                                      has_c ? ew_read(c) : ew_open(0u)));
    }

    template <class T> static CU_METHOD ew_four<T> four(const T *from_, bool step, u64 at)
    {
        ew_four<T> r;
        if (step)
            r = *(const ew_four<T> *)(from_ + at);
        else
            r.v[0] = r.v[1] = r.v[2] = r.v[3] = from_[0];
        return r;
    }

    /* All strides are 0 or 1, all starts multiples of four elements. */
    static CU_METHOD void vector(const A *a, const B *b, const B *c, Y *y, u64 count, u32 mask)
    {
        const u64 step = (u64)cu_blocks_x() * THREADS * 4u;
        u64 at = ((u64)cu_block_x() * THREADS + cu_thread()) * 4u;
        const bool sa = (mask & 1u) != 0u, sb = (mask >> 8 & 1u) != 0u, sc = (mask >> 16 & 1u) != 0u;
        for (; at < count; at += step) {
            if (count - at < 4u) {
                for (; at < count; at++) y[at] = one(a[sa ? at : 0u], b[sb ? at : 0u], c[sc ? at : 0u]);
                return;
            }
            ew_four<A> x = four(a, sa, at);
            ew_four<B> z = {}, w = {};
            ew_four<Y> r;
            if (has_b) z = four(b, sb, at);
            if (has_c) w = four(c, sc, at);
#pragma unroll
            for (int i = 0; i < 4; i++) r.v[i] = one(x.v[i], z.v[i], w.v[i]);
            *(ew_four<Y> *)(y + at) = r;
        }
    }

    /* One element, by the numbers of its operands in their tensors. */
    static CU_METHOD void single(const ew_tensors &t, const u64 at[4])
    {
        const A *a = (const A *)t.a;
        const B *b = has_b ? (const B *)t.b : (const B *)t.a;
        const B *c = has_c ? (const B *)t.c : b;
        ((Y *)t.y)[at[3]] = one(a[at[0]], b[has_b ? at[1] : 0u], c[has_c ? at[2] : 0u]);
    }

    static CU_METHOD void flat(const ew_tensors &t, const elementwise_args &p)
    {
        const A *a = (const A *)t.a + (p.start & 255u);
        const B *b = has_b ? (const B *)t.b + (p.start >> 8 & 255u) : (const B *)t.a;
        const B *c = has_c ? (const B *)t.c + (p.start >> 16 & 255u) : b;
        vector(a, b, c, (Y *)t.y + (p.start >> 24), (u64)p.count_high << 32 | p.count_low, p.mask);
    }
};

/* Where element `number` of Y and its operands lie. */
CU_FN void ew_places(const elementwise_args &p, u64 number, u64 at[4])
{
    const u32 rank = p.what >> 24 & 15u;
    u32 used = rank;
    at[0] = p.start & 255u;
    at[1] = p.start >> 8 & 255u;
    at[2] = p.start >> 16 & 255u;
    at[3] = p.start >> 24;
    for (u32 d = rank; d-- > 0u;) {
        u64 index = number;
        if (d > 0u && number >> 32 == 0u) { /* short divisions are much faster */
            index = (u32)number % p.word[d];
            number = (u32)number / p.word[d];
        } else if (d > 0u) {
            index = number % p.word[d];
            number = number / p.word[d];
        }
#pragma unroll
        for (u32 k = 0u; k < 4u; k++)
            if ((p.mask >> (8u * k + d) & 1u) != 0u) at[k] += index * p.word[used++];
    }
}

#define FLAT_CASE(form, op, from, to)                                                                        \
    case op:                                                                                                 \
        ew_loop<form, op, from, to>::flat(t, p);                                                             \
        break;
#define SINGLE_CASE(form, op, from, to)                                                                      \
    case op:                                                                                                 \
        ew_loop<form, op, from, to>::single(t, at);                                                          \
        break;

/* A kernel's body: a list of operators is a macro LIST(DO, type, form), used once for whole vectors and once for single
 * elements. `word` says which operator, or for Cast which type, is wanted. */
#define BODY(LIST, word, kind, form)                                                                         \
    {                                                                                                        \
        if ((p.what >> 28 & VECTOR) != 0u) {                                                                 \
            switch (word) {                                                                                  \
                LIST(FLAT_CASE, kind, form)                                                                  \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        const u64 count = (u64)p.count_high << 32 | p.count_low, step = (u64)cu_blocks_x() * THREADS;        \
        for (u64 i = (u64)cu_block_x() * THREADS + cu_thread(); i < count; i += step) {                      \
            u64 at[4];                                                                                       \
            ew_places(p, i, at);                                                                             \
            switch (word) {                                                                                  \
                LIST(SINGLE_CASE, kind, form)                                                                \
            }                                                                                                \
        }                                                                                                    \
    }

/* Kernels of one, two and three inputs. */
#define KERNEL1(name, LIST, kind, form)                                                                      \
    CU_KERNEL(256, 1) elementwise_##name(const void *a, void *y, elementwise_args p)                         \
    {                                                                                                        \
        const ew_tensors t = {a, 0, 0, y};                                                                   \
        BODY(LIST, p.what & 255u, kind, form)                                                                \
    }
#define KERNEL2(name, LIST, kind, form)                                                                      \
    CU_KERNEL(256, 1) elementwise_##name(const void *a, const void *b, void *y, elementwise_args p)          \
    {                                                                                                        \
        const ew_tensors t = {a, b, 0, y};                                                                   \
        BODY(LIST, p.what & 255u, kind, form)                                                                \
    }
#define KERNEL3(name, LIST, kind, form)                                                                      \
    CU_KERNEL(256, 1)                                                                                        \
    elementwise_##name(const void *a, const void *b, const void *c, void *y, elementwise_args p)             \
    {                                                                                                        \
        const ew_tensors t = {a, b, c, y};                                                                   \
        BODY(LIST, p.what & 255u, kind, form)                                                                \
    }

#define ARITHMETIC(DO, kind, form)                                                                           \
    DO(form, EW_ADD, kind, kind)                                                                             \
    DO(form, EW_SUB, kind, kind)                                                                             \
    DO(form, EW_MUL, kind, kind)                                                                             \
    DO(form, EW_DIV, kind, kind)
#define OTHERS(DO, kind, form)                                                                               \
    DO(form, EW_MIN, kind, kind)                                                                             \
    DO(form, EW_MAX, kind, kind)                                                                             \
    DO(form, EW_FMOD, kind, kind)                                                                            \
    DO(form, EW_EQUAL, kind, EW_BOOL)                                                                        \
    DO(form, EW_LESS, kind, EW_BOOL)                                                                         \
    DO(form, EW_LESS_EQUAL, kind, EW_BOOL)                                                                   \
    DO(form, EW_GREATER, kind, EW_BOOL)                                                                      \
    DO(form, EW_GREATER_EQUAL, kind, EW_BOOL)

#endif
