/* A real browser for tests: headless Chromium, driven over a pair of pipes by its DevTools protocol. */
#ifndef TESTS_DASHBOARD_BROWSER_H
#define TESTS_DASHBOARD_BROWSER_H

#include <stdbool.h>
#include <stddef.h>

struct browser;

/* NULL where this machine has no Chromium. Anything else that goes wrong fails the test, also below. */
struct browser *browser_start(void);
void browser_stop(struct browser *browser); /* accepts NULL */
/* Go to file://PATH (which may end in #...) and wait until the page says that it is ready. */
void browser_open(struct browser *browser, const char *path);
/* The value of a JavaScript expression, which may be a promise, as malloc'ed text: strings as they are, else JSON. */
char *browser_value(struct browser *browser, const char *expression);
/* Wait until the expression is true; fails the test after ten seconds. */
void browser_await(struct browser *browser, const char *expression);
/* Size of the window, and which of the two looks. */
void browser_look(struct browser *browser, int width, int height, bool dark);
void browser_key(struct browser *browser, const char *key, int code);
/* The whole page as a PNG file. */
void browser_picture(struct browser *browser, const char *path);
/* What the console complained of since the start (errors, warnings, exceptions, refused loads); "" for nothing. */
const char *browser_complaints(struct browser *browser);

#endif
