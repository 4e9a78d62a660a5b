-- Counts bytes that an account has sent today, and answers how many they are now.
insert into written_bytes as known (user_id, day, bytes)
values (${user_id}, ${day}, ${bytes})
on conflict (user_id, day) do update set bytes = known.bytes + excluded.bytes
returning bytes
