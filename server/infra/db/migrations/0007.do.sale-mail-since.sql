-- Since when sale mail is set up: the first mail at an address, or the mailbox.
alter table sale_mail_address add column used_at timestamptz;
update sale_mail_address address set used_at = arrived.at
from (select user_id, min(received_at) as at from sale_mail where via = 'smtp' group by user_id) arrived
where arrived.user_id = address.user_id;
alter table sale_mailbox add column created_at timestamptz not null default now();

-- A sale that only a mail or a page told of, and that the seller took back.
alter table undo_step drop constraint undo_step_kind_check;
alter table undo_step add constraint undo_step_kind_check check (
  kind in (
    'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
    'ignore_difference', 'take_down', 'take_back_hold'
  )
);
