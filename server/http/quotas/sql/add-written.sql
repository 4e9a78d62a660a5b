-- Adds bytes to those that an account has sent today and returns their sum.
insert into written_bytes as known (user_id, day, bytes)
values (${user_id}, ${day}, ${bytes})
on conflict (user_id, day) do update set bytes = known.bytes + excluded.bytes
returning bytes
