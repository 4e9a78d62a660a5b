-- Gives an account a subscription until a time. A time in the past ends it.
insert into subscription_grant (user_id, ends_at)
select id, ${until}::timestamptz from app_user where id = ${user_id} and state = 'active'
on conflict (user_id) do update set ends_at = excluded.ends_at, granted_at = now()
returning ends_at
