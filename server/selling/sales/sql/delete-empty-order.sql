-- Deletes the placeholder order of a listing that was seen as sold, once its line has moved to the real order.
delete from marketplace_order
where user_id = ${user_id} and uid = ${uid} and source = 'scraped'
  and not exists (select from order_line line where line.user_id = ${user_id} and line.order_uid = ${uid})
