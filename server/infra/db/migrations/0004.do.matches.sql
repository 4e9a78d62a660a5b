-- How certain a conflicting listing is the item that it is compared with, and what agrees. Null for other conflicts, and for
-- those of an older release.
alter table import_item
  add column match_certainty text check (match_certainty in ('certain', 'likely', 'unsure')),
  add column match_reasons text[];
