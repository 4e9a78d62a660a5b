-- An endpoint ends without its deliveries: with those of 30 days its end took longer than a request may, and waited for
-- whoever held one of them, so that a reset of the password could fail. Without their endpoint they are sent no more, and are
-- removed some at a time (purge-deliveries.sql).
alter table webhook_delivery drop constraint webhook_delivery_user_id_endpoint_uid_fkey;
