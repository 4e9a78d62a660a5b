-- A take-down by the seller can be undone.
alter table undo_step
  drop constraint undo_step_kind_check,
  add constraint undo_step_kind_check check (
    kind in (
      'link', 'overwrite', 'create', 'skip', 'mark_sold', 'import_job', 'change_price', 'adopt', 'overwrite_listing',
      'ignore_difference', 'take_down'
    )
  ) not valid;
alter table undo_step validate constraint undo_step_kind_check;
