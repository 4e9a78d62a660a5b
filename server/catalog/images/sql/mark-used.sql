-- Marks the images of an account that an item uses.
update image set used_at = now()
where user_id = ${user_id} and used_at < now() - interval '1 day' and uid in (
  select substring(address from '/images/(img_[0-9A-Za-z]{22})/')
  from inventory_item item, unnest(item.images || item.evidence_urls) address
  where item.user_id = ${user_id}
)
