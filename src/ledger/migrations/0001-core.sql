-- The ledger, first part: attempts, their move log, what they proposed, did and saw, and what it cost.
-- Rows of history are only ever inserted; the application's role has no right to change them (see the grants at the end).

create table workers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  -- Start time of the process, so that a reused pid is not mistaken for it.
  pid_started text not null,
  started_at timestamptz not null default clock_timestamp(),
  renewed_at timestamptz not null default clock_timestamp(),
  -- M9: once set, never cleared; a worker that comes back takes a new id.
  ended_at timestamptz
);
create index workers_live on workers (host) where ended_at is null;

create table tenants (
  tenant text primary key,
  created_at timestamptz not null default clock_timestamp()
);

create table tasks (
  tenant text not null references tenants,
  task text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, task)
);

create table contracts (
  tenant text not null,
  task text not null,
  version integer not null,
  hash text not null,
  body jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant, task, version),
  unique (tenant, task, hash),
  foreign key (tenant, task) references tasks
);

create table threads (
  key bigint generated always as identity primary key,
  tenant text not null,
  created_at timestamptz not null default clock_timestamp()
);

create table attempts (
  key bigint generated always as identity primary key,
  tenant text not null,
  task text not null,
  number integer not null,
  contract_version integer not null,
  thread bigint not null references threads,
  -- What start was given beyond the contract: model, limits, first message; a start with the same one returns this attempt.
  start_hash text not null,
  start jsonb not null,
  state text not null default 'CREATED',
  reason text,
  model_stop text,
  task_completion text,
  turn integer not null default 1,
  step integer not null default 0,
  -- Events written, and the highest rider that is in (M7).
  sequence integer not null default 0,
  acked integer not null default 0,
  -- Highest input that is no news: a model call was given it, or it is the first message.
  heard integer not null default 0,
  account jsonb not null,
  limits jsonb not null,
  base_commit text,
  snapshot text,
  created_at timestamptz not null default clock_timestamp(),
  -- Set once the workflow is known to run; a worker starts those without one.
  workflow_started_at timestamptz,
  ended_at timestamptz,
  unique (tenant, task, number),
  foreign key (tenant, task, contract_version) references contracts (tenant, task, version)
) with (fillfactor = 50);
create index attempts_open on attempts (key) where ended_at is null;

-- M1: one answer for each number.
create table moves (
  attempt bigint not null,
  n integer not null,
  kind text not null,
  args_hash bytea not null,
  answer jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, n)
);

-- M9: who works on a number now. A row goes when its number is answered.
create table executions (
  attempt bigint not null,
  n integer not null,
  id uuid not null,
  worker uuid not null references workers,
  kind text not null,
  args_hash bytea not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  primary key (attempt, n)
);
create index executions_worker on executions (worker);

create table inbox (
  ordinal bigint generated always as identity primary key,
  attempt bigint not null references attempts,
  id text not null,
  kind text not null,
  body jsonb not null,
  -- The move that disposed of it, and how.
  taken_by integer,
  disposition text check (disposition in ('taken', 'rejected')),
  why text,
  at timestamptz not null default clock_timestamp(),
  unique (attempt, id)
);
create index inbox_waiting on inbox (attempt) where taken_by is null;

-- What the model is told beside the results of its calls: the first message, later ones, feedback.
create table inputs (
  attempt bigint not null,
  ordinal integer not null,
  turn integer not null,
  -- Shown after this step's results.
  after_step integer not null,
  kind text not null check (kind in ('message', 'feedback')),
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, ordinal)
);

create table turns (
  attempt bigint not null,
  turn integer not null,
  first_step integer not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, turn)
);

create table model_tries (
  attempt bigint not null,
  step integer not null,
  try integer not null,
  -- Executions of one try are numbered; a lost one is charged its reservation.
  execution integer not null,
  model text not null,
  reserved jsonb not null,
  opened_at timestamptz not null default clock_timestamp(),
  closed_at timestamptz,
  outcome text check (outcome in ('answered', 'failed', 'lost', 'interrupted')),
  failure text,
  usage jsonb,
  price jsonb,
  primary key (attempt, step, try, execution)
);

create table steps (
  attempt bigint not null,
  step integer not null,
  turn integer not null,
  stop jsonb not null,
  -- Text of the proposal, or where it is kept if it is long.
  body jsonb not null,
  tokens integer not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step)
);

create table actions (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  call_id text not null,
  tool text not null,
  effect text not null,
  -- As the model wrote them, or where they are kept.
  args jsonb not null,
  args_hash text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index)
);

create table tool_tries (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  try integer not null,
  execution integer not null,
  -- R7.1 hash over tool, arguments, environment version and plan step.
  fingerprint bytea,
  opened_at timestamptz not null default clock_timestamp(),
  sent boolean not null,
  closed_at timestamptz,
  outcome text check (outcome in ('ok', 'error', 'transient', 'lost', 'interrupted')),
  failure text,
  primary key (attempt, step, index, try, execution)
);
create index tool_tries_fingerprint on tool_tries (attempt, fingerprint) where fingerprint is not null;

create table observations (
  attempt bigint not null,
  step integer not null,
  index integer not null,
  ok boolean not null,
  -- What the model is shown: text, or its head and tail with a pointer.
  body jsonb not null,
  tokens integer not null,
  snapshot text,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, step, index)
);

-- The structured task state kept outside the model (R13.1); the newest row counts.
create table task_states (
  attempt bigint not null,
  n integer not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, n)
);

create table evidence (
  attempt bigint not null,
  candidate integer not null,
  criterion text not null,
  met boolean not null,
  snapshot text,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, candidate, criterion)
);

create table checkpoints (
  attempt bigint not null,
  n integer not null,
  body jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, n)
);

create table events (
  attempt bigint not null,
  -- Gap-free from 1; the cursor (R10.1).
  sequence integer not null,
  -- The event's id by position is <attempt>/m<move>.<k> (M6).
  move integer not null,
  k smallint not null,
  type text not null,
  turn integer not null,
  step integer not null,
  visibility text not null,
  payload jsonb not null,
  at timestamptz not null default clock_timestamp(),
  primary key (attempt, sequence),
  unique (attempt, move, k)
);

create table artifacts (
  tenant text not null,
  hash text not null,
  bytes bigint not null,
  media_type text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, hash)
);

-- The application may add to history and may not change it. Where a row has a life (a try opens and closes), it may
-- write just the columns of that life.
grant usage on schema holdfast to holdfast_app;
grant select, insert on all tables in schema holdfast to holdfast_app;
grant update on workers, attempts, executions to holdfast_app;
grant delete on executions to holdfast_app;
grant update (taken_by, disposition, why) on inbox to holdfast_app;
grant update (closed_at, outcome, failure, usage, price) on model_tries to holdfast_app;
grant update (sent, closed_at, outcome, failure) on tool_tries to holdfast_app;
