/**
 * The function that judges and writes items one by one in the server, where acceptance shows from few rows: no second
 * trip to load them first. It accepts only what `decide` would accept; whatever it is not sure of it leaves, for the
 * caller to judge the long way. Races end at unique positions, names and receipts: then nothing of the call is written.
 */
import { stampTolerance } from "@swl/store-provider";
import { format } from "./schema.js";
import { changedMeanwhile, wrongSession } from "./sqlstates.js";

/** `p`: items as direct.ts makes them. Gives the moment, then each item's first position, or NULL where it is left. */
export const appendDirect = `CREATE OR REPLACE FUNCTION swl.append_direct(written int, clock bigint, p jsonb, docs bytea)
RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := swl.now_by(clock);
  answers bigint[] := ARRAY[moment];
  i jsonb;
  x jsonb;
  s swl.streams;
  found_at bigint;
  last_at bigint;
  n int;
BEGIN
  PERFORM swl.begin_write();
  IF written IS DISTINCT FROM ${format} THEN
    RAISE EXCEPTION 'the schema has been brought forward' USING ERRCODE = '${wrongSession}';
  END IF;
  <<items>> FOR number IN 0 .. jsonb_array_length(p) - 1 LOOP
    i := p->number;
    answers[number + 2] := NULL;
    CONTINUE WHEN (i->>'stamp')::bigint > moment + ${stampTolerance};
    SELECT * INTO s FROM swl.streams f WHERE f.stream = i->>'stream';
    IF i->'origin' IS NOT NULL THEN
      CONTINUE WHEN FOUND;
      found_at := (i->>'origin')::bigint;
    ELSE
      CONTINUE WHEN NOT FOUND OR s.closed OR s.hold IS NOT NULL;
      found_at := (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid);
      CONTINUE WHEN found_at IS DISTINCT FROM coalesce((i->>'expect')::bigint, found_at);
    END IF;
    IF i->>'owner' IS NOT NULL THEN
      CONTINUE WHEN s.owner <> i->>'owner' OR NOT EXISTS (
        SELECT 1 FROM swl.holders h WHERE h.holder = i->>'owner' AND h.until > moment);
    END IF;
    IF i->'held' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'held') - 1 LOOP
        x := i->'held'->k;
        PERFORM 1 FROM swl.work w WHERE w.id = x->>0 AND w.sid = s.sid AND w.holder IS NOT DISTINCT FROM x->>1 FOR UPDATE;
        CONTINUE items WHEN NOT FOUND;
      END LOOP;
    END IF;
    IF i->'fired' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'fired') - 1 LOOP
        CONTINUE items WHEN NOT EXISTS (
          SELECT 1 FROM swl.dues d WHERE d.sid = s.sid AND d.key = i->'fired'->>k AND d.at <= moment);
      END LOOP;
    END IF;
    IF i->'receipts' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'receipts') - 1 LOOP
        x := i->'receipts'->k;
        CONTINUE items WHEN EXISTS (
          SELECT 1 FROM swl.receipts r WHERE r.scope = x->>0 AND r.request = x->>1);
      END LOOP;
    END IF;
    IF i->'pins' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'pins') - 1 LOOP
        CONTINUE items WHEN NOT EXISTS (SELECT 1 FROM swl.blobs b WHERE b.digest = i->'pins'->>k);
      END LOOP;
    END IF;
    IF i->'work' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'work') - 1 LOOP
        CONTINUE items WHEN EXISTS (SELECT 1 FROM swl.work w WHERE w.id = i->'work'->k->>0);
      END LOOP;
    END IF;

    n := jsonb_array_length(i->'records');
    last_at := found_at + n;
    IF i->'origin' IS NOT NULL THEN
      s := NULL;
      INSERT INTO swl.streams (sid, stream, origin, applied, fence, owner, hold, closed, closed_at, created_at)
        VALUES (nextval('swl.stream_numbers'), i->>'stream', found_at,
          CASE WHEN NOT (i->'applies')::boolean THEN 0 END, CASE WHEN i->'fence' IS NULL THEN 0 ELSE found_at + 1 END,
          CASE WHEN i->'close' IS NULL THEN i->>'owner' END, NULL, i->'close' IS NOT NULL,
          CASE WHEN i->'close' IS NOT NULL THEN moment END, moment)
        RETURNING sid INTO s.sid;
    ELSIF i->'close' IS NOT NULL OR i->'fence' IS NOT NULL OR (s.applied IS NULL) <> (i->'applies')::boolean
        OR (i->'owner' IS NOT NULL AND s.owner IS DISTINCT FROM i->>'owner') THEN
      UPDATE swl.streams f SET
          applied = CASE WHEN NOT (i->'applies')::boolean THEN coalesce(f.applied, found_at) END,
          fence = CASE WHEN i->'fence' IS NULL THEN f.fence ELSE found_at + 1 END,
          owner = CASE WHEN i->'close' IS NOT NULL THEN NULL WHEN i->'owner' IS NULL THEN f.owner ELSE i->>'owner' END,
          closed = i->'close' IS NOT NULL,
          closed_at = CASE WHEN i->'close' IS NOT NULL THEN moment END
        WHERE f.sid = s.sid;
      -- Closed and pruned since it was seen.
      CONTINUE WHEN NOT FOUND;
    END IF;
    FOR k IN 1 .. n LOOP
      x := i->'records'->(k - 1);
      INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)
        VALUES (s.sid, found_at + k, moment, k = n AND (i->'applies')::boolean, x->>0, i->>'commit',
          substring(docs, (x->1)::int, (x->2)::int));
    END LOOP;
    IF NOT EXISTS (SELECT 1 FROM swl.streams f WHERE f.sid = s.sid) THEN
      -- The same, of a row that did not change: there was no position left to meet at.
      RAISE EXCEPTION 'a stream was pruned meanwhile' USING ERRCODE = '${changedMeanwhile}';
    END IF;
    IF i->'slots' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'slots') - 1 LOOP
        x := i->'slots'->k;
        INSERT INTO swl.slots (sid, key, position, document)
          VALUES (s.sid, x->>0, last_at, substring(docs, (x->1)::int, (x->2)::int));
      END LOOP;
    END IF;
    IF i->'receipts' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'receipts') - 1 LOOP
        x := i->'receipts'->k;
        INSERT INTO swl.receipts (scope, request, digest, sid, position, at)
          VALUES (x->>0, x->>1, x->>2, s.sid, found_at + 1, moment);
      END LOOP;
    END IF;
    IF i->'facets' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'facets') - 1 LOOP
        INSERT INTO swl.facets AS f (sid, label, value) VALUES (s.sid, i->'facets'->k->>0, i->'facets'->k->>1)
          ON CONFLICT (sid, label) DO UPDATE SET value = excluded.value WHERE f.value <> excluded.value;
      END LOOP;
    END IF;
    IF i->'blobs' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'blobs') - 1 LOOP
        x := i->'blobs'->k;
        INSERT INTO swl.blobs (digest, document)
          VALUES (x->>0, substring(docs, (x->1)::int, (x->2)::int)) ON CONFLICT (digest) DO NOTHING;
        INSERT INTO swl.pins (sid, digest) VALUES (s.sid, x->>0) ON CONFLICT DO NOTHING;
      END LOOP;
    END IF;
    IF i->'pins' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'pins') - 1 LOOP
        INSERT INTO swl.pins (sid, digest) VALUES (s.sid, i->'pins'->>k) ON CONFLICT DO NOTHING;
      END LOOP;
    END IF;
    IF i->'settled' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'settled') - 1 LOOP
        DELETE FROM swl.work w WHERE w.id = i->'settled'->>k AND w.sid = s.sid;
      END LOOP;
    END IF;
    answers[number + 2] := found_at + 1;
    IF i->'close' IS NOT NULL THEN
      DELETE FROM swl.work w WHERE w.sid = s.sid;
      DELETE FROM swl.dues d WHERE d.sid = s.sid;
      CONTINUE;
    END IF;
    IF i->'work' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'work') - 1 LOOP
        x := i->'work'->k;
        INSERT INTO swl.work (id, sid, queue, not_before, withdraw, document)
          VALUES (x->>0, s.sid, x->>1, moment + (x->2)::bigint, false, substring(docs, (x->3)::int, (x->4)::int));
      END LOOP;
    END IF;
    IF i->'fired' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'fired') - 1 LOOP
        DELETE FROM swl.dues d WHERE d.sid = s.sid AND d.key = i->'fired'->>k;
      END LOOP;
    END IF;
    IF i->'dues' IS NOT NULL THEN
      FOR k IN 0 .. jsonb_array_length(i->'dues') - 1 LOOP
        x := i->'dues'->k;
        IF jsonb_typeof(x->1) = 'null' THEN
          DELETE FROM swl.dues d WHERE d.sid = s.sid AND d.key = x->>0;
        ELSE
          INSERT INTO swl.dues (sid, key, at) VALUES (s.sid, x->>0, (x->1)::bigint)
            ON CONFLICT (sid, key) DO UPDATE SET at = excluded.at;
        END IF;
      END LOOP;
    END IF;
  END LOOP;
  RETURN answers;
END $$`;
