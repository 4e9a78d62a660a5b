-- Deletes the failures of a subject: everywhere, or of one network and of the subject as a whole.
delete from failed_attempt
where kind = any(${kinds}) and subject = ${subject} and (${network} is null or network in (${network}, ''::bytea))
