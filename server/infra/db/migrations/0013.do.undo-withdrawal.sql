-- Items that the seller withdrew go back on sale by undo, with the listings that it ended.
alter table undo_step drop constraint undo_step_kind_check;
alter table undo_step add constraint undo_step_kind_check check (
  kind in (
    'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
    'ignore_difference', 'take_down', 'take_back_hold', 'edit_items', 'withdraw'
  )
);
