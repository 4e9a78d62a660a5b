-- Returns the columns of a table that are not exported: hashes, encrypted secrets and internal ones.
select coalesce(array_agg(attribute.attname::text), '{}') as hidden
from pg_attribute attribute
where attribute.attrelid = ${table}::regclass and attribute.attnum > 0
  and (attribute.atttypid in ('bytea'::regtype, 'tsvector'::regtype)
    or attribute.attname ~ '(^|_)(hash|mac|secret|encrypted|lease|attempt)(_|$)')
