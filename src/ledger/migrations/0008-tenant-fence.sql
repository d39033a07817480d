-- The second fence between tenants: whoever works as holdfast_gateway sees and writes rows of the tenant that its session names
-- (`holdfast.tenant`), and none where it names none. The first fence is that every query says its tenant itself.

-- Fences a table by its column `tenant`, by `attempt`, or by both, and lets the gateway do there what the application may. Each later
-- migration that makes a table calls it after its grants.
create function fence(fenced regclass) returns void language plpgsql as $$
declare
  has_tenant boolean := exists (select from pg_attribute where attrelid = fenced and attname = 'tenant' and not attisdropped);
  has_attempt boolean := exists (select from pg_attribute where attrelid = fenced and attname = 'attempt' and not attisdropped);
  mine text := concat_ws(' and ',
    case when has_tenant then 'tenant = current_setting(''holdfast.tenant'', true)' end,
    -- The fence of attempts holds in here too.
    case when has_attempt then format('(attempt is null or exists (select from holdfast.attempts a where a.key = %s.attempt))',
      (select quote_ident(relname) from pg_class where oid = fenced)) end);
  may record;
begin
  if mine = '' then
    raise exception 'Nothing in % says whose its rows are', fenced;
  end if;
  execute format('alter table %s enable row level security', fenced);
  execute format('create policy every_tenant on %s to holdfast_app using (true) with check (true)', fenced);
  execute format('create policy one_tenant on %s to holdfast_gateway using (%s) with check (%2$s)', fenced, mine);
  for may in
    select p.privilege_type as what, '' as columns
      from pg_class c, aclexplode(c.relacl) p where c.oid = fenced and p.grantee = 'holdfast_app'::regrole
    union all
    select p.privilege_type, format('(%I)', a.attname)
      from pg_attribute a, aclexplode(a.attacl) p where a.attrelid = fenced and p.grantee = 'holdfast_app'::regrole
  loop
    execute format('grant %s %s on %s to holdfast_gateway', may.what, may.columns, fenced);
  end loop;
end $$;
revoke execute on function fence(regclass) from public;

grant usage on schema holdfast to holdfast_gateway;
select fence(c.oid) from pg_class c
  where c.relnamespace = 'holdfast'::regnamespace and c.relkind = 'r'
    and exists (select from pg_attribute where attrelid = c.oid and attname in ('tenant', 'attempt') and not attisdropped);

-- Nobody's rows: which workers live. The gateway runs none, and executes no call.
grant select on workers to holdfast_gateway;
revoke insert, update, delete on executions from holdfast_gateway;
