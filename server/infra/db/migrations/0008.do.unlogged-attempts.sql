-- Counting failures costs no write-ahead log, and so no wait for the disk, while somebody is guessing; a crash of the
-- database merely starts the counts anew.
alter table failed_attempt set unlogged;
alter table failed_attempt set (fillfactor = 50);
