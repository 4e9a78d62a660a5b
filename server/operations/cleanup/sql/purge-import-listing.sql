-- Removes what is large of listings that were decided a month ago; what a later import compares with stays, and all of a
-- conflict that its seller skipped.
update import_item set
  found = (found - 'condition_notes') || '{"description": "", "images": []}', is_trimmed = true
where ctid = any(array(
  select ctid from import_item
  where processed_at < now() - interval '30 days' and not is_trimmed and status in ('imported', 'skipped')
    and (resolution is null or resolution not in ('skip', 'skip_all'))
  limit 5000
  for update skip locked
))
