-- A shop on vacation keeps its listings live on the marketplace, and nobody can buy them.
alter table seller_account add column on_vacation boolean not null default false;

-- The platform counts each shop's token by itself: its answers reported far fewer calls than all shops made.
alter table platform_quota add column by_shop boolean not null default false;

-- Has another argument now, with a default.
drop function if exists record_platform_limits(text, text, integer, integer, integer);
