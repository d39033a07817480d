-- The effect log, approvals and revocations: what acts outside, by whose leave, and what became of it.

-- One row a generation of an idempotency key (E1). The key sent is <tenant>/<key>/g<generation>.
create table effects (
  tenant text not null,
  key text not null,
  generation integer not null,
  -- The action that owns the generation; its arguments are there, its observation has the result.
  attempt bigint not null,
  step integer not null,
  index integer not null,
  tool text not null,
  class text not null check (class in ('idempotent', 'deduplicated', 'probed', 'unsafe')),
  target text not null,
  args_hash bytea not null,
  phase text not null check (phase in ('CLAIMED', 'SENT', 'COMMITTED', 'NOT_COMMITTED', 'UNKNOWN', 'COMPENSATED', 'COMPENSATION_FAILED')),
  -- E2: raised by each claim; marking SENT and writing an outcome need it.
  fence integer not null,
  -- The move and the execution that own it; alive while that execution is (M9).
  n integer not null,
  owner uuid not null,
  -- E6: an authority said that what was sent can take no effect any more.
  resend boolean not null default false,
  -- E8: ordinal of the approval that it uses.
  approval integer,
  rule text not null,
  policy text not null,
  claimed_at timestamptz not null default clock_timestamp(),
  -- Of the first send that is not proven to have been none.
  sent_at timestamptz,
  committed_at timestamptz,
  downstream_id text,
  settled_by text check (settled_by in ('send', 'late', 'probe', 'person', 'runtime')),
  -- What was said of the outcome where that is not the owner's observation.
  outcome text,
  primary key (tenant, key, generation)
);
create index effects_action on effects (attempt, step, index);
-- By hash, for a target is whatever a tool says, and an index takes no long text.
create index effects_open on effects (tenant, hashtext(target)) where phase in ('CLAIMED', 'SENT', 'UNKNOWN');

-- A write that found its row changed since it was read fails as a conflict, and its transaction is done again.
create function must_write(rows bigint) returns void language plpgsql as $$
begin
  if rows <> 1 then
    raise exception 'A row was changed by another transaction' using errcode = 'serialization_failure';
  end if;
end $$;

-- What was learnt of an effect beside its owner's own answer: late answers, probes, people, contradictions. Only added to.
create table effect_evidence (
  id bigint generated always as identity primary key,
  tenant text not null,
  key text not null,
  generation integer not null,
  kind text not null check (kind in ('late', 'probe', 'person', 'conflict')),
  fence integer,
  -- The attempt and move that wrote it.
  attempt bigint not null,
  n integer not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp()
);
create index effect_evidence_effect on effect_evidence (tenant, key, generation);

-- One row a request; an action can have several, one after the other.
create table approvals (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  ordinal integer not null,
  -- R5.3: hash over all that the answer is about.
  binding text not null,
  rule text not null,
  policy text not null,
  tool text not null,
  target text not null,
  approvers jsonb not null,
  needed integer not null,
  channel text not null check (channel in ('asserted', 'authenticated')),
  -- Ms since the epoch by the workflow's clock, which alone is compared with it (M3).
  expires_at bigint not null,
  state text not null default 'open' check (state in ('open', 'granted', 'denied', 'expired', 'voided', 'spent')),
  decided_at timestamptz,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index, ordinal)
);
create index approvals_waiting on approvals (attempt) where state in ('open', 'granted');

-- R5.5: each answer that counted.
create table approval_answers (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  ordinal integer not null,
  by_name text not null,
  answer text not null check (answer in ('approve', 'deny')),
  channel text not null check (channel in ('asserted', 'authenticated')),
  reason text,
  message_id text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index, ordinal, by_name)
);

-- Read in the transaction that commits SENT, and before each resend (E8, R4.9). Only added to.
create table revocations (
  id bigint generated always as identity primary key,
  tenant text not null,
  -- approval: <attempt id>/s<step>.a<index>; credential: a domain that tools name.
  kind text not null check (kind in ('tool', 'target', 'principal', 'approval', 'credential')),
  value text not null,
  reason text not null,
  by_name text not null,
  at timestamptz not null default clock_timestamp()
);
create index revocations_value on revocations (tenant, kind, value);

-- An attempt in WAITING_FOR_EFFECT, and the effect that stands in its way (E7).
create table effect_waits (
  attempt bigint primary key,
  tenant text not null,
  key text not null,
  generation integer not null,
  at timestamptz not null default clock_timestamp()
);

-- R5.1: the decision that let a try run, who ran it, and whether its send is proven to have taken no effect (E4).
alter table tool_tries
  add column rule text,
  add column policy text,
  add column worker uuid,
  add column proven boolean,
  drop constraint tool_tries_outcome_check,
  -- unknown: it was sent, and nobody can tell what became of it (R4.5); not_run: refused, or answered from the ledger.
  add constraint tool_tries_outcome_check check (outcome in ('ok', 'error', 'transient', 'lost', 'interrupted', 'unknown', 'not_run'));
-- For rules that limit calls an hour: rows lie in the order of their times, so an index of ranges is enough and costs nothing.
create index tool_tries_opened on tool_tries using brin (opened_at);

-- Content that nobody here vouches for was read; never taken back.
alter table attempts add column tainted boolean not null default false;

grant select, insert on effects, effect_evidence, approvals, approval_answers, revocations, effect_waits to holdfast_app;
grant update (phase, fence, n, owner, resend, approval, rule, policy, sent_at, committed_at, downstream_id, settled_by, outcome)
  on effects to holdfast_app;
grant update (state, decided_at) on approvals to holdfast_app;
grant update, delete on effect_waits to holdfast_app;
grant update (proven) on tool_tries to holdfast_app;
