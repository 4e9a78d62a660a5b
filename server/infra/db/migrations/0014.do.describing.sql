-- The units of measurements in listings; null: those of the seller's country.
alter table seller_settings add column units text check (units in ('us', 'metric'));
-- Texts that the seller puts into descriptions.
alter table seller_settings add column texts jsonb not null default '[]';
