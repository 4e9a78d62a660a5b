-- Calls that nobody can answer any more: whoever ran them is gone, and their work was undone with them. One that is just
-- being answered is waited for, and stays.
delete from idempotent_call where status is null
