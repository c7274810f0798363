/* What a card of a row sharing does, as JSON (row E33). */
#include "kernels/share_state.h"
#include "devices/device.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Drivers may put any bytes into a name; JSON takes UTF-8 only. */
static json_t *name_json(const char *name)
{
    json_t *text = json_string(name);
    return text ? text : json_string("?");
}

char *assay_share_status(const struct assay_share *share, size_t card)
{
    if (card >= share->card_count || !share->card[card].engine) return strdup("null");
    const struct share_card *c = &share->card[card];
    const struct assay_share_memory memory = share_card_memory(share, card);
    const uint64_t passed_ns = share_now_ns(share) - share->opened_ns;
    json_int_t shapes[SHARE_SIDES + 1] = {0};
    for (const struct share_shape *s = share->shapes; s; s = s->next)
        shapes[share->always ? SHARE_CARD : s->tune.decided ? s->tune.side : SHARE_SIDES]++;
    json_t *root =
        json_pack("{s:o, s:f, s:f, s:I, s:I, s:b, s:f, s:I, s:I, s:I, s:I, s:I, s:I}", "card",
                  name_json(assay_engine_device(c->engine)->name), "limit", share->limit, "share",
                  share->part[card], "allocated_bytes", (json_int_t)c->allocated_bytes, "heap_bytes",
                  (json_int_t)memory.heap_bytes, "integrated", (int)memory.integrated, "busy",
                  passed_ns ? (double)c->busy_ns / (double)passed_ns : 0.0, "products_on_card",
                  (json_int_t)c->products, "products_on_cpu_resting", (json_int_t)c->resting,
                  "products_on_cpu_memory", (json_int_t)c->no_room, "shapes_on_card", shapes[SHARE_CARD],
                  "shapes_on_cpu", shapes[SHARE_CPU], "shapes_tuning", shapes[SHARE_SIDES]);
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}
