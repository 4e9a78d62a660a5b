-- Imports, continued (issue 4).

-- The import failed because the platform asks for a new connection: when there is one, another import takes its place.
alter table import_job add column lost_connection boolean not null default false;
