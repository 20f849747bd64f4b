-- The statements of format 1 as they were released: never to be changed. Each one ends with a line `--;`.
CREATE SEQUENCE swl.stream_numbers
--;
CREATE TABLE swl.streams (
      sid bigint PRIMARY KEY,
      stream text COLLATE "C" NOT NULL UNIQUE,
      origin bigint NOT NULL,
      applied bigint, -- NULL: every record is applied
      fence bigint NOT NULL,
      owner text COLLATE "C",
      hold text,
      closed boolean NOT NULL,
      created_at bigint NOT NULL
    )
--;
CREATE INDEX streams_unapplied ON swl.streams (stream)
      WHERE applied IS NOT NULL AND NOT closed AND hold IS NULL
--;
CREATE INDEX streams_owner ON swl.streams (owner, stream) WHERE owner IS NOT NULL
--;
CREATE TABLE swl.log (
      sid bigint NOT NULL,
      position bigint NOT NULL,
      at bigint NOT NULL,
      applies boolean NOT NULL,
      kind text NOT NULL,
      commit_id text NOT NULL,
      document bytea NOT NULL,
      PRIMARY KEY (sid, position)
    )
--;
CREATE TABLE swl.slots (
      sid bigint NOT NULL,
      position bigint NOT NULL,
      key text COLLATE "C" NOT NULL,
      document bytea, -- NULL: the slot was removed
      PRIMARY KEY (sid, key, position)
    )
--;
CREATE TABLE swl.facets (
      sid bigint NOT NULL,
      label text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      PRIMARY KEY (sid, label)
    )
--;
CREATE INDEX facets_value ON swl.facets (label, value, sid)
--;
CREATE TABLE swl.dues (
      sid bigint NOT NULL,
      key text COLLATE "C" NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (sid, key)
    )
--;
CREATE INDEX dues_at ON swl.dues (at, sid, key)
--;
CREATE TABLE swl.work (
      seq bigint GENERATED ALWAYS AS IDENTITY,
      id text COLLATE "C" PRIMARY KEY,
      sid bigint NOT NULL,
      queue text COLLATE "C" NOT NULL,
      not_before bigint NOT NULL,
      holder text COLLATE "C",
      until bigint,
      withdraw boolean NOT NULL,
      document bytea NOT NULL
    )
--;
CREATE INDEX work_stream ON swl.work (sid, seq)
--;
CREATE INDEX work_queue ON swl.work (queue, not_before, seq)
      WHERE holder IS NULL AND NOT withdraw
--;
CREATE INDEX work_holder ON swl.work (holder, id) WHERE holder IS NOT NULL
--;
CREATE INDEX work_until ON swl.work (until) WHERE until IS NOT NULL
--;
CREATE INDEX work_withdrawn ON swl.work (id) WHERE holder IS NULL AND withdraw
--;
CREATE TABLE swl.receipts (
      scope text COLLATE "C" NOT NULL,
      request text COLLATE "C" NOT NULL,
      digest text NOT NULL,
      sid bigint NOT NULL,
      position bigint NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (scope, request)
    )
--;
CREATE TABLE swl.notes (
      id bigint GENERATED ALWAYS AS IDENTITY,
      sid bigint NOT NULL,
      event text COLLATE "C" NOT NULL,
      document bytea NOT NULL,
      at bigint NOT NULL,
      PRIMARY KEY (sid, event)
    )
--;
CREATE TABLE swl.blobs (digest text COLLATE "C" PRIMARY KEY, document bytea NOT NULL)
--;
CREATE TABLE swl.holders (holder text COLLATE "C" PRIMARY KEY, until bigint NOT NULL)
--;
CREATE INDEX holders_until ON swl.holders (until)
--;
CREATE FUNCTION swl.now_by(clock bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(clock, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$
--;
CREATE FUNCTION swl.commit_batch(p jsonb, docs bytea[]) RETURNS void
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
      RAISE EXCEPTION 'work changed meanwhile' USING ERRCODE = 'SW001';
    END IF;
  END IF;
  IF p->'expired' IS NOT NULL THEN
    -- A lease that was seen to have run out never comes back, whatever renewal is under way.
    UPDATE swl.holders h SET until = 0
      FROM jsonb_array_elements_text(p->'expired') AS e (holder)
      WHERE h.holder = e.holder AND h.until > 0 AND h.until <= moment;
    IF EXISTS (SELECT 1 FROM jsonb_array_elements_text(p->'expired') AS e (holder)
        JOIN swl.holders h ON h.holder = e.holder WHERE h.until > moment) THEN
      RAISE EXCEPTION 'a lease was renewed meanwhile' USING ERRCODE = 'SW001';
    END IF;
  END IF;
  IF p->'live' IS NOT NULL AND EXISTS (
      SELECT 1 FROM jsonb_array_elements_text(p->'live') AS e (holder)
        LEFT JOIN swl.holders h ON h.holder = e.holder WHERE coalesce(h.until, 0) <= moment) THEN
    RAISE EXCEPTION 'a lease ended meanwhile' USING ERRCODE = 'SW001';
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
END $$
--;
CREATE FUNCTION swl.renew_holder(wanted text, lease bigint, clock bigint)
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
END $$
--;
CREATE FUNCTION swl.open_holder(wanted text, lease bigint, alone boolean, clock bigint)
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
END $$
--;
CREATE FUNCTION swl.renew_work(wanted text, ids text[], lease bigint, clock bigint)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  moment bigint;
BEGIN
  PERFORM 1 FROM swl.work WHERE id = ANY (ids) ORDER BY id FOR UPDATE;
  moment := swl.now_by(clock);
  RETURN QUERY UPDATE swl.work SET until = moment + lease
    WHERE id = ANY (ids) AND holder = wanted AND until > moment RETURNING id;
END $$
--;
