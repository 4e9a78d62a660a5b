-- Records a network that an account signed in from, or that opened a link to its password. Written once a day at most.
insert into known_network as known (user_id, network)
values (${user_id}, ${network})
on conflict (user_id, network) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
