-- Records what an operator did. `subject` names no person: the row outlives an erased account.
insert into operator_action (operator, command, subject) values (${operator}, ${command}, ${subject})
