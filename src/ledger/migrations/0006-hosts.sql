-- Workspaces on many hosts: which host has an attempt's worktree, and from what another one makes it anew.

-- Name of the host whose data folder the worker works in; null where one host is all there is.
alter table workers add column workspace_host text;
create index workers_workspace_host on workers (workspace_host) where ended_at is null;

-- The host that has the attempt's worktree; null before one is made, and where one host is all there is.
alter table attempts add column workspace_host text;

-- A snapshot as a git bundle in the object store. A snapshot is named by its content, so one row serves whoever names it.
create table workspace_bundles (
  tenant text not null references tenants,
  snapshot text not null,
  -- The snapshot that has to be there before this bundle is read; null where the commit that it was made on is enough.
  thin_on text,
  -- The body, in the object store.
  hash text not null,
  bytes bigint not null,
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, snapshot)
);
grant select, insert on workspace_bundles to holdfast_app;
