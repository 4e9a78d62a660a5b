-- What an attempt leaves for the next one.

alter table listing_intent
  -- The options are completed by the seller's defaults and the platform's suggestions.
  add column chosen_at timestamptz,
  -- When something was last sent that may still arrive.
  add column sent_at timestamptz,
  -- Attempts in a row that the platform failed.
  add column failures integer not null default 0;
