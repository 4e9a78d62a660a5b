-- Removes the large parts of listings that were decided a month ago. Keeps the parts that a later import compares, and
-- skipped conflicts as a whole.
update import_item set
  found = (found - 'condition_notes') || '{"description": "", "images": []}', is_trimmed = true
where ctid = any(array(
  select ctid from import_item
  where processed_at < now() - interval '30 days' and not is_trimmed and status in ('imported', 'skipped')
    and (resolution is null or resolution not in ('skip', 'skip_all'))
  limit ${limit}
  for update skip locked
))
