-- Since when only the owner of the account's mailbox has a way in: they set the password by a link sent there, or gave the
-- current one when they confirmed the address. Null: the password, or a phone number, may be a stranger's.
alter table app_user add column secured_at timestamptz;
