/**
 * What runs inside the server, because it is several statements that must be one: writing a batch, and the steps of a
 * lease that first lock and then read the clock. `swl.` stands for the schema's own name; `clock` is null for the
 * server's own clock.
 */

/** SQLSTATE of our own: what was decided upon is not so any more; load again and decide anew. */
export const changedMeanwhile = "SW001";

const now = `CREATE FUNCTION swl.now_by(clock bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(clock, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$`;

/**
 * Writes what `decide` accepted. First it is made sure, under locks, that the work and the leases are as they were when
 * that was decided; what belongs to a stream is guarded by the unique positions of its log.
 */
const commitBatch = `CREATE FUNCTION swl.commit_batch(p jsonb, docs bytea[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  moment bigint := (p->>'now')::bigint;
  same bigint;
BEGIN
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

  IF p->'created' IS NOT NULL THEN
    INSERT INTO swl.streams (sid, stream, origin, applied, fence, owner, hold, closed, created_at)
      SELECT sid, stream, origin, applied, fence, owner, hold, closed, created_at
        FROM jsonb_to_recordset(p->'created') AS r (sid bigint, stream text, origin bigint, applied bigint,
          fence bigint, owner text, hold text, closed boolean, created_at bigint);
  END IF;
  INSERT INTO swl.log (sid, position, at, applies, kind, commit_id, document)
    SELECT sid, position, moment, applies, kind, commit_id, docs[doc]
      FROM jsonb_to_recordset(p->'log') AS r (sid bigint, position bigint, applies boolean, kind text,
        commit_id text, doc int) ORDER BY sid, position;
  IF p->'changed' IS NOT NULL THEN
    UPDATE swl.streams s
      SET applied = r.applied, fence = r.fence, owner = r.owner, hold = r.hold, closed = r.closed
      FROM jsonb_to_recordset(p->'changed') AS r (sid bigint, applied bigint, fence bigint, owner text,
        hold text, closed boolean) WHERE s.sid = r.sid;
  END IF;
  IF p->'slots' IS NOT NULL THEN
    INSERT INTO swl.slots (sid, key, position, document)
      SELECT sid, key, position, docs[doc]
        FROM jsonb_to_recordset(p->'slots') AS r (sid bigint, key text, position bigint, doc int);
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
const openHolder = `CREATE FUNCTION swl.open_holder(wanted text, lease bigint, alone boolean, clock bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  moment bigint;
  other record;
BEGIN
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

const renewHolder = `CREATE FUNCTION swl.renew_holder(wanted text, lease bigint, clock bigint)
RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  ends bigint;
  moment bigint;
BEGIN
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

const renewWork = `CREATE FUNCTION swl.renew_work(wanted text, ids text[], lease bigint, clock bigint)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  moment bigint;
BEGIN
  PERFORM 1 FROM swl.work WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  moment := swl.now_by(clock);
  RETURN QUERY UPDATE swl.work SET until = moment + lease
    WHERE id = ANY (ids) AND holder = wanted AND until > moment RETURNING id;
END $$`;

export const functions: readonly string[] = [now, commitBatch, renewHolder, openHolder, renewWork];
