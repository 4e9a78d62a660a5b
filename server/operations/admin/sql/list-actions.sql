-- Returns the newest actions of operators.
select at, operator, command, subject from operator_action order by id desc limit ${limit}
