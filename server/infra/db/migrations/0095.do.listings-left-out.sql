-- Listings of other sellers that a shop's pages showed and that the extension left out of an import.
alter table import_job add column left_out integer not null default 0;
