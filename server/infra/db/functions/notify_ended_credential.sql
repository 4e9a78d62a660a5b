-- Notifies open event streams of an ended credential. Notifies in the transaction itself, so that a stream
-- ends before any event that is committed later. The argument names the column of the user: on Citus, `tg_table_name` is that
-- of a shard.
create or replace function notify_ended_credential() returns trigger language plpgsql as $$
begin
  if is_coordinator() then
    perform pg_notify('hapax_event', 'ended ' || (to_jsonb(old) ->> tg_argv[0]));
  end if;
  return null;
end
$$;

create or replace trigger notify_ended after delete on bearer_token for each row
  execute function notify_ended_credential('user_id');
create or replace trigger notify_ended after delete or update of key_hash, scopes, expires_at on api_key for each row
  execute function notify_ended_credential('user_id');
create or replace trigger notify_ended after update of state on app_user for each row
  execute function notify_ended_credential('id');
