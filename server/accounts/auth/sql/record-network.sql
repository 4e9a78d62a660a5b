-- Notes from where an account was entered, or a link to its password was shown; written once a day at most.
insert into known_network as known (user_id, network)
values (${user_id}, ${network})
on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
