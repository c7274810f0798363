/* Going on with a run that did not end: finding it, making sure that nothing it rests on has changed, taking its plan
 * and its results from the database. And the lock that tells a run at work from one that was killed. Until resume_begin
 * has returned, the stored run is as it was. */
#ifndef ASSAY_RESUME_H
#define ASSAY_RESUME_H

#include "harness/run.h"

/* Which run is meant, and its settings: run->store, run->past and run->options are set. Without a word it is the newest
 * that can go on, and those that were passed over are printed. Refused are a run that ended,
 * that has no plan, that is at work in another process, that another build of this program began, and options that
 * contradict it. */
enum assay_status resume_find(struct run *run, struct assay_error *error);
/* Engine and cases must be those of the run, and its devices must be there with the same driver; chooses them. Needs
 * run->corpus and run->inventory. */
enum assay_status resume_check(struct run *run, struct assay_error *error);
/* Open the devices (kernels and arithmetic must be those of the run), take plan and results over, and mark the run as at
 * work. After an error nothing is marked, and trust records are as they were. */
enum assay_status resume_begin(struct run *run, struct assay_error *error);

/* Hold the lock of the run that was just recorded. */
enum assay_status resume_lock_new(struct run *run, struct assay_error *error);
void resume_free(struct run *run); /* lock, past and settings; accepts a run without them */

#endif
