-- How each order leaves the house. Orders from before this table have no row, because nobody knows whether they were sent.
-- `queued`: the seller has shipped, and the marketplace is being told. `buyer_note` goes when the order is shipped.
create table shipment (
  user_id integer not null,
  order_uid text collate "C" not null,
  state text not null,
  -- In milliseconds, as cursors are.
  ship_by timestamptz(3),
  buyer_note text,
  carrier text,
  tracking_number text,
  shipped_at timestamptz(3),
  shipped_by text,
  -- Telling the marketplace: begins after `send_after`. `sent_at`: a request may have arrived. `accepted_at`: it was taken.
  send_after timestamptz,
  sent_at timestamptz,
  accepted_at timestamptz,
  confirmed_at timestamptz,
  failures integer not null default 0,
  error_code text,
  error_message text,
  lease_epoch integer not null default 0,
  lease_until timestamptz,
  constraint shipment_pkey primary key (user_id, order_uid),
  constraint shipment_user_id_order_uid_fkey foreign key (user_id, order_uid)
    references marketplace_order (user_id, uid) on delete cascade,
  constraint shipment_state_check check (state in ('to_ship', 'queued', 'shipped')),
  constraint shipment_shipped_by_check check (shipped_by in ('seller', 'marketplace')),
  constraint shipment_check check ((state = 'to_ship') = (shipped_at is null) and (shipped_at is null) = (shipped_by is null)),
  constraint shipment_check1 check ((carrier is null) or tracking_number is not null),
  constraint shipment_check2 check (state <> 'shipped' or buyer_note is null)
);
create index shipment_open_idx on shipment (user_id, order_uid) where state = 'to_ship';
create index shipment_sent_idx on shipment (user_id, shipped_at desc, order_uid desc) where state <> 'to_ship';
create index shipment_noted_idx on shipment (order_uid) where buyer_note is not null;
