-- A shop on vacation keeps its listings live on the marketplace, and nobody can buy them.
alter table seller_account add column on_vacation boolean not null default false;
