-- Work that is checked and shared: checks of every kind, actions side by side, attempts that know each other's effects.

-- What attempts of one task know of each other. Kin of an attempt are those with a higher number than this, as far as it is
-- below theirs: those that began after the last one that was COMPLETED when the attempt began.
alter table attempts add column kin_after integer;
update attempts set kin_after = number - 1;
alter table attempts alter column kin_after set not null;
alter table tool_tries
  -- Key of another action's effect, of which the call was answered.
  add column reused text;
create index tool_tries_reused on tool_tries (attempt) where reused is not null;

-- R7.1: an answer that says that nothing was found.
alter table observations add column found_nothing boolean not null default false;

-- R12.2: versions that an attempt went on beside, one row for each change of them; the newest is what the next call compares with.
create table attempt_versions (
  attempt bigint not null,
  id bigint generated always as identity,
  n integer not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, id)
);
grant select, insert on attempt_versions to holdfast_app;
alter table attempts
  -- Hash of the newest of them, so that a call that finds the same reads no more; null before the first call.
  add column versions_noted text;
-- R15.2: work that another system does for an action, and that goes on after the call that submitted it.
create table jobs (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  -- The other side's name for it, and the idempotency key of the effect that submitted it.
  handle text not null,
  effect text not null,
  -- False: another action submitted it, and this one is told the same.
  mine boolean not null,
  state text not null check (state in ('running', 'succeeded', 'failed', 'cancelled')),
  polls integer not null default 0,
  -- By the workflow's clock, ms since the epoch.
  next_poll_at double precision not null,
  ends_by double precision not null,
  -- What it said of its result, where it called by itself.
  output text,
  cancel_asked boolean not null default false,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index)
);
create index jobs_running on jobs (attempt) where state = 'running';
grant select, insert on jobs to holdfast_app;
grant update (state, polls, next_poll_at, output, cancel_asked) on jobs to holdfast_app;

-- SHA-256 of what the other side must bring to say that a job has ended; one a send.
create table job_tokens (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  hash text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index, hash)
);
grant select, insert on job_tokens to holdfast_app;

-- R3.4: what a sealed test found. Apart from evidence, so that no view, document or feedback made of that can show it.
create table sealed_evidence (
  attempt bigint not null,
  candidate integer not null,
  criterion text not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, candidate, criterion)
);
grant select, insert on sealed_evidence to holdfast_app;

-- R3.4: what people did with sealed tests of a task: made one development material, or read what one found.
create table sealed_acts (
  tenant text not null,
  task text not null,
  id bigint generated always as identity,
  act text not null check (act in ('unsealed', 'read')),
  criterion text not null,
  -- Hash of what the unsealed test is: another name makes no other test. Null where it was read.
  hash text,
  -- The version of the contract in which it is development material; null where it was read.
  contract_version integer,
  -- The attempt whose evidence was read; null where it was unsealed.
  attempt bigint,
  by_name text not null,
  reason text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, task, id)
);
grant select, insert on sealed_acts to holdfast_app;

-- R15.1: attempts of one task that were begun side by side, of which one is to be its result (start ... --attempts).
create table races (
  tenant text not null,
  task text not null,
  -- Number of the first of them.
  first integer not null,
  -- The attempt that hands its candidate over, or has done so; null while none does.
  holder bigint,
  primary key (tenant, task, first)
);
grant select, insert on races to holdfast_app;
grant update (holder) on races to holdfast_app;

-- R15.1: attempts that an action of another attempt asked for. What a child is called and may use is fixed with it.
create table children (
  -- The parent, and its action.
  attempt bigint not null,
  step integer not null,
  index integer not null,
  child bigint not null unique,
  -- The attempt that no other one asked for.
  root bigint not null,
  -- What the parent's account holds for it.
  share jsonb not null,
  -- When the parent was told that it had ended, or had ended itself.
  told_at timestamptz,
  primary key (attempt, step, index)
);
create index children_root on children (root);
create index children_untold on children (child) where told_at is null;
grant select, insert on children to holdfast_app;
grant update (told_at) on children to holdfast_app;
