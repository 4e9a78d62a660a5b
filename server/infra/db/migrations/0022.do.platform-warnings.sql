-- Warnings of a platform about an operation that it carried out, as sentences; null for none.
alter table listing_operation add column warnings text[];
