-- Returns rows of an account in a table, without columns that hold secrets or are meaningless outside.
select to_jsonb(each) - ${hidden}::text[] as row
from ${table:name} each
where user_id = ${user_id}
order by ${key:name}
limit ${limit} offset ${offset}
