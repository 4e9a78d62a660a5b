-- Returns which of these listings of an import have an item that nobody has yet, or that a buyer on another platform has.
-- Searches all the user's shops, the import's own first. Leaves out sales that were taken back, until the page has
-- changed.
select distinct on (listing.listing_id) listing.listing_id, listing.price_minor, listing.currency,
  listing.seller_account_uid, job.platform
from import_job job
join seller_account shop on shop.user_id = job.user_id and shop.platform = job.platform
join channel_listing listing on listing.user_id = shop.user_id and listing.seller_account_uid = shop.uid
join inventory_item item on item.user_id = listing.user_id and item.uid = listing.item_uid
where job.user_id = ${user_id} and job.uid = ${job_uid} and job.source = 'extension'
  and job.status in ('pending', 'in_progress') and listing.listing_id = any(${listing_ids}::text[])
  and (
    item.state <> 'sold' or exists (
      select from order_line line
      join marketplace_order holder on holder.user_id = line.user_id and holder.uid = line.order_uid
      where line.user_id = item.user_id and line.item_uid = item.uid and line.state = 'sold'
        and holder.platform not in ('outside', job.platform)
    )
  )
  and not (listing.state = 'sold' and exists (
    select from marketplace_order own
    join order_line line on line.user_id = own.user_id and line.order_uid = own.uid
    where own.user_id = shop.user_id and own.platform = shop.platform and own.source = 'scraped'
      and own.external_order_id = 'listing-' || listing.listing_id and line.state = 'cancelled'
  ))
order by listing.listing_id, shop.uid = job.seller_account_uid desc
