-- Counts an attempt as failed before it is tried, unless it must wait. Each failure from the p_max-th on doubles the next
-- wait, from p_first to p_longest seconds. Failures expire p_window seconds after the last one. The row's lock lets exactly
-- p_max of many concurrent attempts through.
create or replace function count_attempt(
  p_kind text, p_subject bytea, p_network bytea, p_max integer, p_window integer, p_first integer, p_longest integer
) returns failed_attempt language plpgsql as $$
declare
  counted failed_attempt;
begin
  insert into failed_attempt as known (kind, subject, network, count, allowed, blocked_until, expires_at)
  values (p_kind, p_subject, p_network, 1, true, null, statement_timestamp() + p_window * interval '1 second')
  on conflict (kind, subject, network) do update set
    allowed = known.expires_at <= statement_timestamp() or coalesce(known.blocked_until <= statement_timestamp(), true),
    count = case
      when known.expires_at <= statement_timestamp() then 1
      when known.blocked_until > statement_timestamp() then known.count
      else known.count + 1
    end,
    blocked_until = case
      when known.expires_at <= statement_timestamp() then null
      when known.blocked_until > statement_timestamp() then known.blocked_until
      when known.count + 1 >= p_max then statement_timestamp()
        + least(p_longest, p_first * power(2, least(known.count + 1 - p_max, 20))) * interval '1 second'
    end,
    expires_at = case
      when known.blocked_until > statement_timestamp() and known.expires_at > statement_timestamp() then known.expires_at
      else statement_timestamp() + p_window * interval '1 second'
    end
  returning * into counted;
  return counted;
end
$$;
