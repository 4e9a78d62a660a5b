-- Rows of an account in a table, without the columns that hold secrets or are of no use outside.
select to_jsonb(each) - ${hidden}::text[] as row
from ${table:name} each
where user_id = ${user_id}
order by ${key:name}
limit ${limit} offset ${offset}
