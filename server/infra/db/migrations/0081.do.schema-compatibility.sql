-- The oldest build that works on this schema, by its newest migration. A migration that takes away what the release before it
-- uses sets this to its own number; an older build then refuses to start.
create table schema_compatibility (
  only_row boolean primary key default true check (only_row),
  oldest_build integer not null
);
insert into schema_compatibility (oldest_build) values (81);
