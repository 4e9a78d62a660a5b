-- Marketplaces relist under new ids. A shop keeps the ids of listings that were read, and belong to no item.
alter table seller_account add column read_listing_ids text[] not null default '{}';
-- A listing that may replace one of several items comes right after a sale that nobody can place.
drop index alert_urgent_idx;
alter table alert drop column urgency;
alter table alert add column urgency smallint not null generated always as (
  case kind
    when 'connection_lost' then 70
    when 'oversell' then 50
    when 'excess_quantity' then 50
    when 'sale_unclear' then 45
    when 'relist_unclear' then 42
    when 'delist_overdue' then 40
    when 'orders_unread' then 35
    when 'sold_while_withdrawn' then 30
    when 'relist_offer' then 25
    else 20
  end
) stored;
create index alert_urgent_idx on alert (user_id, state, urgency desc, created_at, uid);
