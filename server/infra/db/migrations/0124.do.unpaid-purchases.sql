-- When a shop was last asked for purchases that await payment.
alter table seller_account add column unpaid_read_at timestamptz;
