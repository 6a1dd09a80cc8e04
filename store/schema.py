"""The tables of a gofer database, and its version. SQL text only.

`event` is the log and the truth; everything else is derived from it. The database itself keeps the log append-only
and dense, so that no program that opens the file, ours or another's, changes history by an ordinary statement.
"""

from typing import Final

APPLICATION_ID: Final = 0x676F6672  # "gofr", so that `file` and we know the file for ours
SCHEMA_VERSION: Final = 1

DATA: Final = "coalesce(CAST(data AS BLOB), x'')"
"""An event's bytes in an audit's query: a damaged page may hold text that is none, or no value at all."""

TABLES: Final = """
CREATE TABLE event (
    seq     INTEGER PRIMARY KEY,    -- position in the log: 1, 2, 3 ...
    job_id  TEXT NOT NULL,          -- the stream
    version INTEGER NOT NULL,       -- position in the stream: 1, 2, 3 ...
    data    TEXT NOT NULL,          -- its canonical bytes: the stream, the version and the event as JSON
    leaf    BLOB NOT NULL,          -- their Merkle leaf hash (RFC 6962)
    type    TEXT GENERATED ALWAYS AS (data ->> '$.event.type') VIRTUAL,
    UNIQUE (job_id, version)
) STRICT;

CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;

-- The oldest events may be archived: a prefix of the log then lies in files, and here is what binds them.
CREATE TABLE segment (
    upto     INTEGER PRIMARY KEY,   -- the seq of its last event; it begins behind the segment before it
    subtrees BLOB NOT NULL,         -- the tree over the first `upto` events
    file     TEXT NOT NULL,         -- the file's name, without a folder
    sha256   TEXT NOT NULL          -- of the file, in hex
) STRICT;

-- Before the insert, so that INSERT OR REPLACE is refused too, on connections without recursive_triggers as well.
CREATE TRIGGER event_is_dense BEFORE INSERT ON event
WHEN NEW.seq IS NOT 1 + (SELECT coalesce(max(seq), (SELECT max(upto) FROM segment), 0) FROM event)
  OR NEW.version IS NOT 1 + (SELECT coalesce(max(version), 0) FROM event WHERE job_id = NEW.job_id)
BEGIN SELECT RAISE(ABORT, 'the log is append-only and dense'); END;

-- The Merkle tree over all leaves, as a compact range: it moves with each commit.
CREATE TABLE tree (
    size     INT NOT NULL,
    subtrees BLOB NOT NULL
) STRICT;
INSERT INTO tree VALUES (0, x'');

-- The tree as it was when a checkpoint was taken: verifying the log from there need not hash what lies before.
CREATE TABLE checkpoint (
    size     INTEGER PRIMARY KEY,
    subtrees BLOB NOT NULL
) STRICT;

-- What opens the private part of a job's events. It is deleted with the job, and then nothing opens them.
CREATE TABLE job_key (
    job_id TEXT PRIMARY KEY,
    key    BLOB NOT NULL
) STRICT;

CREATE TABLE batch_job (
    id            TEXT PRIMARY KEY,
    caller        TEXT NOT NULL,
    caller_class  TEXT NOT NULL CHECK (caller_class IN ('fleet', 'restricted')),
    idem_key      TEXT NOT NULL,
    status        TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'partial', 'failed', 'cancelled')),
    error         TEXT NOT NULL DEFAULT '',
    targets_total INT NOT NULL,
    targets_done  INT NOT NULL DEFAULT 0,
    created_at    INT NOT NULL,
    lease         INT NOT NULL,
    nbytes        INT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX batch_job_idem ON batch_job (caller, idem_key);
CREATE INDEX batch_job_lease ON batch_job (lease);

-- `result` stands last: a status read never walks its overflow pages.
CREATE TABLE batch_target (
    job_id  TEXT NOT NULL,
    idx     INT NOT NULL,
    url     TEXT NOT NULL,
    options TEXT NOT NULL,
    status  TEXT NOT NULL CHECK (status IN ('pending', 'running', 'done', 'failed')),
    error   TEXT,
    hint    TEXT,
    result  TEXT,
    PRIMARY KEY (job_id, idx)
) STRICT;

-- How far the tables above have come: the seq of the last event in them.
CREATE TABLE projection (
    position INT NOT NULL
) STRICT;
INSERT INTO projection VALUES (0);
"""
