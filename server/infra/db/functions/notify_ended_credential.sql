-- Notifies open event streams of an ended credential. Notifies in the transaction itself, so that a stream
-- ends before any event that is committed later.
create or replace function notify_ended_credential() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'app_user' then
    perform pg_notify('hapax_event', 'ended ' || old.id);
  else
    perform pg_notify('hapax_event', 'ended ' || old.user_id);
  end if;
  return null;
end
$$;

create or replace trigger notify_ended after delete on bearer_token for each row execute function notify_ended_credential();
create or replace trigger notify_ended after delete or update of key_hash, scopes, expires_at on api_key
  for each row execute function notify_ended_credential();
create or replace trigger notify_ended after update of state on app_user for each row execute function notify_ended_credential();
