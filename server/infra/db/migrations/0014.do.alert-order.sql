-- Orders that cannot be read now come after what the seller can act on: items sold twice and listings that are still live.
alter table alert drop column urgency;
alter table alert add column urgency smallint not null generated always as (
  case kind
    when 'connection_lost' then 70
    when 'oversell' then 50
    when 'excess_quantity' then 50
    when 'delist_overdue' then 40
    when 'orders_unread' then 35
    when 'sold_while_withdrawn' then 30
    else 20
  end
) stored;
create index alert_urgent_idx on alert (user_id, state, urgency desc, created_at desc, uid desc);
