-- Costs of a sale, as far as the seller entered them. Null: not entered; the fee is then estimated.
alter table sale
  add column fee_minor bigint check (fee_minor >= 0),
  add column shipping_minor bigint check (shipping_minor >= 0),
  add column cost_minor bigint check (cost_minor >= 0);
