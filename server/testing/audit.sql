-- Detects changes that the tables do not show later, in test databases only. Violations go to audit.broken, which the
-- invariants I8 and I9 read.
create schema audit;
create table audit.broken (
  invariant text not null,
  what jsonb not null,
  at timestamptz not null default clock_timestamp()
);

-- I8: a worker's transaction sets the lease it works under (lock-lease.sql). All that it writes to an import must be
-- under the import's newest lease. Imports of the extension have no worker.
create function audit.holds_lease(uid text, lease_epoch bigint) returns boolean language sql stable as $$
  select coalesce(current_setting('hapax.lease', true), '') = uid || '/' || lease_epoch
$$;

create function audit.items_stored() returns trigger language plpgsql as $$
begin
  insert into audit.broken (invariant, what)
  select 'I8', jsonb_build_object('job', job.uid, 'stored under', current_setting('hapax.lease', true), 'newest', job.lease_epoch)
  from (select distinct user_id, job_uid from stored) written
  join import_job job on job.user_id = written.user_id and job.uid = written.job_uid
  where job.source = 'pull' and not audit.holds_lease(job.uid, job.lease_epoch);
  return null;
end $$;
create trigger audit_items_stored after insert on import_item
  referencing new table as stored for each statement execute function audit.items_stored();

-- Workers decide pending, failed and found items; the seller decides conflicts. The cleanup trims decided ones.
create function audit.items_decided() returns trigger language plpgsql as $$
begin
  insert into audit.broken (invariant, what)
  select 'I8', jsonb_build_object('job', job.uid, 'decided under', current_setting('hapax.lease', true), 'newest', job.lease_epoch)
  from (
    select distinct now.user_id, now.job_uid
    from now
    join before on before.user_id = now.user_id and before.job_uid = now.job_uid and before.uid = now.uid
    where (before.status in ('pending', 'failed') and now.status <> before.status) or (before.found <> now.found and not now.is_trimmed)
      or now.action_uid <> coalesce(before.action_uid, '')
  ) written
  join import_job job on job.user_id = written.user_id and job.uid = written.job_uid
  where job.source = 'pull' and not audit.holds_lease(job.uid, job.lease_epoch);
  return null;
end $$;
create trigger audit_items_decided after update on import_item
  referencing old table as before new table as now for each statement execute function audit.items_decided();

create function audit.job_moved() returns trigger language plpgsql as $$
begin
  if old.lease_epoch <> new.lease_epoch or not audit.holds_lease(new.uid, new.lease_epoch) then
    insert into audit.broken (invariant, what)
    values ('I8', jsonb_build_object(
      'job', new.uid, 'moved under', current_setting('hapax.lease', true), 'newest', new.lease_epoch
    ));
  end if;
  return null;
end $$;
create trigger audit_job_moved after update on import_job for each row
  when (
    new.source = 'pull' and (
      old.cursor is distinct from new.cursor or old.discovery_done <> new.discovery_done
      or old.found_so_far <> new.found_so_far or old.decided_so_far <> new.decided_so_far
      or (old.status <> 'completed' and new.status = 'completed')
    )
  )
  execute function audit.job_moved();

-- I9: a single-use secret was used twice, or after its expiry.
create function audit.used_again() returns trigger language plpgsql as $$
begin
  insert into audit.broken (invariant, what)
  values ('I9', jsonb_build_object(
    'table', tg_table_name, 'used', new.used_at, 'used before', old.used_at, 'expired', new.expires_at
  ));
  return null;
end $$;
create trigger audit_used_again after update on mailbox_token for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on phone_challenge for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on oauth_state for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
create trigger audit_used_again after update on connect_ticket for each row
  when (new.used_at is distinct from old.used_at and (old.used_at is not null or new.used_at > old.expires_at))
  execute function audit.used_again();
