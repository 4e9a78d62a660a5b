-- Opens an alert when a shop refuses our access, and ends it when the shop is connected again or disconnected.
create or replace function report_lost_connection() returns trigger language plpgsql as $$
begin
  if not is_coordinator() then
    return null;
  end if;
  if new.status = 'reconnect_required' then
    insert into alert (user_id, uid, kind, platform, reference, message, data)
    values (
      new.user_id, 'alm_' || left(replace(gen_random_uuid()::text, '-', ''), 22), 'connection_lost', new.platform, new.uid,
      'Hapax can no longer reach ' || new.external_name || '. Connect the shop again.',
      jsonb_build_object('seller_account_uid', new.uid)
    )
    on conflict do nothing;
  else
    update alert set state = 'resolved', finished_at = now()
    where user_id = new.user_id and kind = 'connection_lost' and coalesce(item_uid, '') = '' and reference = new.uid
      and state = 'open';
  end if;
  return null;
end
$$;

create or replace trigger report_lost_connection after update of status on seller_account for each row
  when (old.status is distinct from new.status) execute function report_lost_connection();
