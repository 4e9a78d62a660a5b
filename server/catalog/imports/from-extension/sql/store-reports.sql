-- Stores listings without an item that were seen as sold.
insert into sold_report (user_id, platform, listing_id)
select ${user_id}, ${platform}, unnest(${listing_ids}::text[])
on conflict (user_id, platform, listing_id) do update set seen_at = now()
