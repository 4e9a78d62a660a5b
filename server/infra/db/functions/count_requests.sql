-- Counts requests of a subject (an API key, a user, an address) in its current minute and returns the new count.
-- A count that ends in more than a minute is of a clock that has gone back since.
create or replace function count_requests(p_subject text, p_requests bigint) returns request_count language plpgsql as $$
declare
  counted request_count;
begin
  -- Counts do not wait for the disk: a crash may forget those of its last fifth of a second.
  perform set_config('synchronous_commit', 'off', true);
  insert into request_count as known (subject, count, ends_at)
  values (p_subject, p_requests, clock_timestamp() + interval '1 minute')
  on conflict (subject) do update set
    count = excluded.count
      + case when known.ends_at - clock_timestamp() between '1 microsecond' and '1 minute' then known.count else 0 end,
    ends_at = case
      when known.ends_at - clock_timestamp() between '1 microsecond' and '1 minute' then known.ends_at
      else excluded.ends_at
    end
  returning * into counted;
  return counted;
end
$$;
