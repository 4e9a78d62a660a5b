-- Gives the account of an e-mail address a subscription until a time, for the operator. A time in the past ends it.
insert into subscription_grant (user_id, ends_at)
select id, ${until}::timestamptz from app_user where email = lower(${email}) and state = 'active'
on conflict (user_id) do update set ends_at = excluded.ends_at, granted_at = now()
returning user_id, ends_at
