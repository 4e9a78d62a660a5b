-- Removes what was reported as sold a year ago, and has no item still.
delete from sold_report where ctid = any(array(
  select ctid from sold_report where seen_at < now() - interval '365 days' limit 5000 for update skip locked
))
