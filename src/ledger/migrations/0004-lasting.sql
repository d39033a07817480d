-- Attempts that last: compacted views, revised contracts, what tells a repeat from progress, and what a retried read saw.

-- R13.2–R13.4: what stands in the model's view for the steps up to `upto_step`. Only added to; the newest counts.
create table projections (
  attempt bigint not null,
  ordinal integer not null,
  -- The move and the step in which it was made.
  n integer not null,
  step integer not null,
  upto_step integer not null,
  contract_version integer not null,
  policy text not null,
  made_by text not null check (made_by in ('summary', 'mechanical', 'inherited')),
  -- Of the whole view, before and after it.
  tokens_before integer not null,
  tokens_after integer not null,
  -- The projection as a document, or where it is kept if it is long.
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, ordinal)
);

-- What a call of a model was for; tries of a step are numbered over both.
alter table model_tries
  add column purpose text not null default 'step' check (purpose in ('step', 'compaction'));

alter table attempts
  -- A revised goal is a new version of the contract; `contract_version` stays what the attempt was started with.
  add column revised_version integer,
  -- Newest step that had been proposed when the goal was last revised.
  add column revised_after_step integer,
  -- No compaction is tried up to this step: the last one had made nothing smaller.
  add column compact_after integer not null default 0,
  -- R8.6: targets on which a write met another state than it expected; none is written to before something was read.
  add column stale_targets jsonb not null default '[]';

-- The newest attempt of a Thread, and what was said in it.
create index attempts_of_thread on attempts (thread, key);

-- R6.1: what a tenant's attempts cost in a period.
create index attempts_of_tenant on attempts (tenant, ended_at);

alter table observations
  -- R7: what was answered, without what changes by itself (times, durations, ids); null where nothing ran.
  add column result_hash bytea,
  -- R8.1, where it failed.
  add column failure_class text,
  -- R7.2: failing tests that the output tells of.
  add column failing_tests integer;
create index observations_tests on observations (attempt, step, index) where failing_tests is not null;

alter table tool_tries
  -- R9.3: version of the world that the try acted on; empty without a workspace.
  add column snapshot text,
  -- R7.1: the fingerprint without words that can be put in any way; null where that is the same.
  add column likeness bytea,
  -- R7.3: the fingerprint without the step of the plan, which the model names; null where it was made in none.
  add column stepless bytea,
  -- A poll within the limit that its tool declares.
  add column poll boolean not null default false;

-- Repeats are counted over rows that are read on by step, so nothing looks a call up by its fingerprint.
drop index tool_tries_fingerprint;

-- R7.2: the call that installed a plan, so that a step done is seen in its place; null where no call did.
alter table task_states
  add column step integer,
  add column index integer;

grant select, insert on projections to holdfast_app;
