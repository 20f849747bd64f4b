/**
 * What runs inside the server, because it is several statements that must be one: writing a batch, and the steps of a
 * lease that first lock and then read the clock. `swl.` stands for the schema's own name; `clock` is null for the
 * server's own clock.
 */

import { format } from "./schema.js";
import { changedMeanwhile, wrongSession } from "./sqlstates.js";

const now = `CREATE OR REPLACE FUNCTION swl.now_by(clock bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(clock, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$`;

/**
 * The same in a statement that writes: a pooler may hand out a session whose commits do not wait for the disk, so this
 * one's is told to.
 */
const write = `CREATE OR REPLACE FUNCTION swl.write_at(clock bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
      AND set_config('synchronous_commit', 'on', true) IS NULL THEN 0
    ELSE coalesce(clock, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) END
$$`;

/** Once a lock is had, the next statement must see what others have committed meanwhile. */
const careful = `CREATE OR REPLACE FUNCTION swl.begin_write() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM swl.write_at(0);
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'transactions must be read committed' USING ERRCODE = '${wrongSession}';
  END IF;
END $$`;

/**
 * Writes what `decide` accepted. First it is made sure, under locks, that the work and the leases are as they were when
 * that was decided; what belongs to a stream is guarded by the unique positions of its log.
 */
const commitBatch = `CREATE OR REPLACE FUNCTION swl.commit_batch(p jsonb, docs bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := (p->>'now')::bigint;
  same bigint;
BEGIN
  PERFORM swl.begin_write();
  IF (p->>'format')::int IS DISTINCT FROM ${format} THEN
    RAISE EXCEPTION 'the schema has been brought forward' USING ERRCODE = '${wrongSession}';
  END IF;
  IF p->'seen' IS NOT NULL THEN
    SELECT count(*) INTO same FROM (
      SELECT 1 FROM jsonb_to_recordset(p->'seen') AS g (id text, sid bigint, holder text, until bigint)
        JOIN swl.work w ON w.id = g.id AND w.sid = g.sid
          AND w.holder IS NOT DISTINCT FROM g.holder AND w.until IS NOT DISTINCT FROM g.until
        ORDER BY w.id FOR UPDATE OF w
    ) AS found;
    IF same <> jsonb_array_length(p->'seen') THEN
      RAISE EXCEPTION 'work changed meanwhile' USING ERRCODE = '${changedMeanwhile}';
    END IF;
  END IF;
  IF p->'expired' IS NOT NULL THEN
    -- A lease that was seen to have run out never comes back, whatever renewal is under way.
    UPDATE swl.holders h SET until = 0
      FROM jsonb_array_elements_text(p->'expired') AS e (holder)
      WHERE h.holder = e.holder AND h.until > 0 AND h.until <= moment;
    IF EXISTS (SELECT 1 FROM jsonb_array_elements_text(p->'expired') AS e (holder)
        JOIN swl.holders h ON h.holder = e.holder WHERE h.until > moment) THEN
      RAISE EXCEPTION 'a lease was renewed meanwhile' USING ERRCODE = '${changedMeanwhile}';
    END IF;
  END IF;
  IF p->'live' IS NOT NULL AND EXISTS (
      SELECT 1 FROM jsonb_array_elements_text(p->'live') AS e (holder)
        LEFT JOIN swl.holders h ON h.holder = e.holder WHERE coalesce(h.until, 0) <= moment) THEN
    RAISE EXCEPTION 'a lease ended meanwhile' USING ERRCODE = '${changedMeanwhile}';
  END IF;

  -- Tables, and rows in them, in the order of direct-sql.ts: of two that meet one waits.
  IF p->'changed' IS NOT NULL THEN
    UPDATE swl.streams s
      SET applied = r.applied, fence = r.fence, owner = r.owner, hold = r.hold, closed = r.closed,
        closed_at = CASE WHEN r.closed THEN moment END
      FROM (SELECT * FROM jsonb_to_recordset(p->'changed') AS c (sid bigint, applied bigint, fence bigint,
        owner text, hold text, closed boolean) ORDER BY sid) r WHERE s.sid = r.sid;
  END IF;
  IF p->'created' IS NOT NULL THEN
    INSERT INTO swl.streams (sid, stream, origin, applied, fence, owner, hold, closed, closed_at,
        created_at)
      SELECT sid, stream, origin, applied, fence, owner, hold, closed, CASE WHEN closed THEN moment END, created_at
        FROM jsonb_to_recordset(p->'created') AS r (sid bigint, stream text, origin bigint, applied bigint,
          fence bigint, owner text, hold text, closed boolean, created_at bigint) ORDER BY stream COLLATE "C";
  END IF;
  INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document, size, slots)
    SELECT sid, position, moment, applies, kind, commit_id, docs[doc], size, slots::json
      FROM jsonb_to_recordset(p->'log') AS r (sid bigint, position bigint, applies boolean, kind text,
        commit_id text, doc int, size int, slots text) ORDER BY sid, position;
  -- What was closed and pruned since it was seen has left no position to meet at.
  IF EXISTS (SELECT 1 FROM jsonb_to_recordset(p->'log') AS r (sid bigint)
      WHERE NOT EXISTS (SELECT 1 FROM swl.streams s WHERE s.sid = r.sid)) THEN
    RAISE EXCEPTION 'a stream was pruned meanwhile' USING ERRCODE = '${changedMeanwhile}';
  END IF;
  IF p->'receipts' IS NOT NULL THEN
    INSERT INTO swl.receipts (scope, request, digest, sid, position, at)
      SELECT scope, request, digest, sid, position, moment
        FROM jsonb_to_recordset(p->'receipts') AS r (scope text, request text, digest text, sid bigint,
          position bigint) ORDER BY scope, request;
  END IF;
  IF p->'facets' IS NOT NULL THEN
    INSERT INTO swl.facets AS f (sid, label, value)
      SELECT sid, label, value FROM jsonb_to_recordset(p->'facets') AS r (sid bigint, label text, value text)
      ON CONFLICT (sid, label) DO UPDATE SET value = excluded.value WHERE f.value <> excluded.value;
  END IF;
  IF p->'blobs' IS NOT NULL THEN
    INSERT INTO swl.blobs (digest, document)
      SELECT digest, docs[doc] FROM jsonb_to_recordset(p->'blobs') AS r (digest text COLLATE "C", doc int)
        ORDER BY digest ON CONFLICT (digest) DO NOTHING;
  END IF;
  IF p->'pins' IS NOT NULL THEN
    -- A blob that was pruned since it was seen breaks the reference.
    INSERT INTO swl.pins (sid, digest)
      SELECT sid, digest FROM jsonb_to_recordset(p->'pins') AS r (sid bigint, digest text COLLATE "C")
        ORDER BY digest, sid ON CONFLICT DO NOTHING;
  END IF;

  IF p->'settled' IS NOT NULL THEN
    DELETE FROM swl.work w USING jsonb_to_recordset(p->'settled') AS r (id text, sid bigint)
      WHERE w.id = r.id AND w.sid = r.sid;
  END IF;
  IF p->'closed' IS NOT NULL THEN
    DELETE FROM swl.work w USING jsonb_array_elements_text(p->'closed') AS c (sid) WHERE w.sid = c.sid::bigint;
    DELETE FROM swl.dues d USING jsonb_array_elements_text(p->'closed') AS c (sid) WHERE d.sid = c.sid::bigint;
  END IF;
  IF p->'work' IS NOT NULL THEN
    INSERT INTO swl.work (id, sid, queue, not_before, withdraw, document)
      SELECT id, sid, queue, not_before, false, docs[doc]
        FROM jsonb_to_recordset(p->'work') AS r (n int, id text, sid bigint, queue text, not_before bigint,
          doc int) ORDER BY n;
  END IF;
  IF p->'withdrawn' IS NOT NULL THEN
    UPDATE swl.work w SET withdraw = true
      FROM jsonb_to_recordset(p->'withdrawn') AS r (id text, sid bigint) WHERE w.id = r.id AND w.sid = r.sid;
  END IF;
  IF p->'unset' IS NOT NULL THEN
    DELETE FROM swl.dues d USING jsonb_to_recordset(p->'unset') AS r (sid bigint, key text)
      WHERE d.sid = r.sid AND d.key = r.key;
  END IF;
  IF p->'dues' IS NOT NULL THEN
    INSERT INTO swl.dues (sid, key, at)
      SELECT sid, key, at FROM jsonb_to_recordset(p->'dues') AS r (sid bigint, key text, at bigint)
      ON CONFLICT (sid, key) DO UPDATE SET at = excluded.at;
  END IF;
END $$`;

/** One who wants to be alone waits for whoever opens at the same time, and for renewals under way. */
const openHolder = `CREATE OR REPLACE FUNCTION swl.open_holder(wanted text, lease bigint, alone boolean, clock bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  moment bigint;
  other record;
BEGIN
  PERFORM swl.begin_write();
  LOCK TABLE swl.holders IN SHARE ROW EXCLUSIVE MODE;
  IF EXISTS (SELECT 1 FROM swl.holders WHERE holder = wanted) THEN
    RETURN swl.renew_holder(wanted, lease, clock);
  END IF;
  moment := swl.now_by(clock);
  IF alone THEN
    SELECT holder, until INTO other FROM swl.holders WHERE until > moment
      ORDER BY until DESC, holder LIMIT 1;
    IF FOUND THEN
      RETURN json_build_object('kind', 'active', 'holder', other.holder, 'until', other.until, 'now', moment);
    END IF;
    -- Whoever lost to this one stays lost, even when the clock is set back.
    UPDATE swl.holders SET until = 0 WHERE until > 0;
  END IF;
  INSERT INTO swl.holders (holder, until) VALUES (wanted, moment + lease);
  RETURN json_build_object('kind', 'held', 'until', moment + lease, 'now', moment);
END $$`;

const renewHolder = `CREATE OR REPLACE FUNCTION swl.renew_holder(wanted text, lease bigint, clock bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  ends bigint;
  moment bigint;
BEGIN
  PERFORM swl.begin_write();
  LOCK TABLE swl.holders IN ROW EXCLUSIVE MODE;
  SELECT until INTO ends FROM swl.holders WHERE holder = wanted FOR UPDATE;
  moment := swl.now_by(clock);
  IF ends IS NULL OR ends <= moment THEN
    UPDATE swl.holders SET until = 0 WHERE holder = wanted AND until > 0;
    RETURN json_build_object('kind', 'lease-lost', 'now', moment);
  END IF;
  UPDATE swl.holders SET until = moment + lease WHERE holder = wanted;
  RETURN json_build_object('kind', 'held', 'until', moment + lease, 'now', moment);
END $$`;

const renewWork = `CREATE OR REPLACE FUNCTION swl.renew_work(wanted text, ids text[], lease bigint, clock bigint)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  moment bigint;
BEGIN
  PERFORM swl.begin_write();
  PERFORM 1 FROM swl.work WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  moment := swl.now_by(clock);
  RETURN QUERY UPDATE swl.work SET until = moment + lease
    WHERE id = ANY (ids) AND holder = wanted AND until > moment RETURNING id;
END $$`;

/**
 * One prune at a time, so that of two which remove the last two pins of a blob one sees it. Streams and blobs are locked
 * before what is theirs is looked at: a note or pin under way is waited for, a later one finds nothing. Statements that
 * may not have seen the end of these streams are waited for first: once the log is gone they would meet nobody there.
 */
const pruneClosed = `CREATE OR REPLACE FUNCTION swl.prune_closed(before bigint, most int, portion bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  one record;
  sids bigint[] := '{}';
  loose text[];
  ended bigint[];
  writers text[];
  records bigint := 0;
  blobs bigint;
BEGIN
  PERFORM swl.begin_write();
  PERFORM pg_advisory_xact_lock(hashtextextended('swl prune', 'swl.streams'::regclass::oid::bigint));
  ended := ARRAY (SELECT s.sid FROM swl.streams s WHERE s.closed AND s.closed_at < before
    ORDER BY s.closed_at, s.sid LIMIT most);
  LOOP
    writers := ARRAY (SELECT l.virtualtransaction FROM pg_locks l
      WHERE l.locktype = 'relation' AND l.relation = 'swl.log'::regclass AND l.mode = 'RowExclusiveLock'
        AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
        AND (writers IS NULL OR l.virtualtransaction = ANY (writers)));
    EXIT WHEN cardinality(writers) = 0 OR cardinality(ended) = 0;
    PERFORM pg_sleep(0.002);
  END LOOP;
  FOR one IN
    SELECT s.sid, (SELECT max(l.position) FROM swl.log l WHERE l.sid = s.sid) - s.origin AS records
      FROM swl.streams s WHERE s.sid = ANY (ended)
      ORDER BY s.closed_at, s.sid FOR UPDATE OF s
  LOOP
    sids := sids || one.sid;
    records := records + coalesce(one.records, 0);
    EXIT WHEN records >= portion;
  END LOOP;
  DELETE FROM swl.log WHERE sid = ANY (sids);
  GET DIAGNOSTICS records = ROW_COUNT;
  DELETE FROM swl.slots WHERE sid = ANY (sids);
  DELETE FROM swl.facets WHERE sid = ANY (sids);
  DELETE FROM swl.receipts WHERE sid = ANY (sids);
  DELETE FROM swl.notes WHERE sid = ANY (sids);
  WITH gone AS (DELETE FROM swl.pins WHERE sid = ANY (sids) RETURNING digest)
    SELECT coalesce(array_agg(DISTINCT digest), '{}') INTO loose FROM gone;
  DELETE FROM swl.streams WHERE sid = ANY (sids);
  SELECT array_agg(digest) INTO loose FROM (
    SELECT b.digest FROM swl.blobs b
      WHERE (b.digest = ANY (loose) OR b.until_sid IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM swl.pins p WHERE p.digest = b.digest)
        AND NOT EXISTS (SELECT 1 FROM swl.streams s WHERE s.sid <= b.until_sid)
      ORDER BY b.digest FOR UPDATE OF b) AS candidates;
  DELETE FROM swl.blobs b WHERE b.digest = ANY (loose)
    AND NOT EXISTS (SELECT 1 FROM swl.pins p WHERE p.digest = b.digest);
  GET DIAGNOSTICS blobs = ROW_COUNT;
  RETURN json_build_object('streams', cardinality(sids), 'records', records, 'blobs', blobs, 'more',
    EXISTS (SELECT 1 FROM swl.streams WHERE closed AND closed_at < before));
END $$`;

export const functions: readonly string[] = [
  now,
  write,
  careful,
  commitBatch,
  renewHolder,
  openHolder,
  renewWork,
  pruneClosed,
];
