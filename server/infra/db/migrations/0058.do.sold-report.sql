-- Listings of scraped platforms that were reported as sold while no item had them: whoever gives one an item later hears of it.
create table sold_report (
  user_id integer not null references app_user (id),
  platform text not null,
  listing_id text not null,
  seen_at timestamptz not null default now(),
  primary key (user_id, platform, listing_id)
);
create index sold_report_seen_idx on sold_report (seen_at);
