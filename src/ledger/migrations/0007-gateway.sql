-- What the gateway keeps of its own: who may come in, and what was asked under which Idempotency-Key.

-- A bearer token, by its hash alone: 32 random bytes, so nothing slower than SHA-256 is needed.
create table tokens (
  id text primary key,
  hash bytea not null unique,
  tenant text not null,
  principal text not null,
  roles text[] not null,
  made_by text not null,
  at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text
);
create index tokens_tenant on tokens (tenant, at);
grant select, insert on tokens to holdfast_app;
grant update (revoked_at, revoked_by) on tokens to holdfast_app;

-- A POST with an Idempotency-Key, and its answer once there is one.
create table posted (
  tenant text not null,
  principal text not null,
  key text not null,
  -- SHA-256 of method, path and body: another request under the same key is refused.
  request bytea not null,
  status integer,
  body jsonb,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, principal, key)
);
create index posted_at on posted (at);
grant select, insert, delete on posted to holdfast_app;
grant update (status, body, at) on posted to holdfast_app;

-- Which texts only an auditor may read.
create index sealed_evidence_artifact on sealed_evidence ((body -> 'artifact' ->> 'hash'));

-- Pages of the list, and what a day cost.
create index attempts_listed on attempts (tenant, (ended_at is null) desc, created_at desc, key desc);
create index model_tries_opened on model_tries using brin (opened_at);
