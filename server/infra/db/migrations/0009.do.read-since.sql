-- When the extension began to read a shop. Its pages may wait for hours before they are sent; null where they did not.
alter table import_job add column read_since timestamptz;
