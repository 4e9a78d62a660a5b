-- Returns the number of imports that an account began within a day.
select count(*) as imports from import_job where user_id = ${user_id} and created_at > ${since}
