-- A sale that was seen on a listing goes over to its order when that is read: the line gets its order's ids, and the sale
-- follows it.
alter table sale drop constraint sale_user_id_order_uid_external_line_id_fkey,
  add constraint sale_user_id_order_uid_external_line_id_fkey
    foreign key (user_id, order_uid, external_line_id) references order_line (user_id, order_uid, external_line_id)
    on update cascade;
