-- Version 2: what a verify did to a device's trust record. The file is the authority (docs/trust.md), this is its history.
CREATE TABLE trust (
    trust_id INTEGER PRIMARY KEY,
    run_id INTEGER NOT NULL,
    device_id INTEGER NOT NULL,
    recorded_utc TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('granted', 'withdrawn')),
    reason TEXT NOT NULL,                   -- of a withdrawal; "" when granted
    path TEXT NOT NULL,                     -- of the file
    record TEXT NOT NULL,                   -- JSON: the file as written
    FOREIGN KEY (run_id, device_id) REFERENCES run_device ON DELETE CASCADE
) STRICT;
CREATE INDEX trust_by_device ON trust (device_id, trust_id);
