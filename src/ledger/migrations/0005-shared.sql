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
