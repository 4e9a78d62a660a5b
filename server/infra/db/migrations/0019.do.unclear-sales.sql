-- A title can name the item of an order, too.
alter table order_line drop constraint order_line_matched_by_check;
alter table order_line add constraint order_line_matched_by_check
  check (matched_by in ('listing', 'sku', 'title', 'seller')) not valid;
-- A sale that nobody can place comes right after one that happened twice: its item is on offer elsewhere.
drop index alert_urgent_idx;
alter table alert drop column urgency;
alter table alert add column urgency smallint not null generated always as (
  case kind
    when 'connection_lost' then 70
    when 'oversell' then 50
    when 'excess_quantity' then 50
    when 'sale_unclear' then 45
    when 'delist_overdue' then 40
    when 'orders_unread' then 35
    when 'sold_while_withdrawn' then 30
    when 'relist_offer' then 25
    else 20
  end
) stored;
create index alert_urgent_idx on alert (user_id, state, urgency desc, created_at, uid);
-- Questions tell the facts about each candidate now.
update alert set data = data - 'candidates' where kind = 'sale_unclear' and data ? 'candidates';
