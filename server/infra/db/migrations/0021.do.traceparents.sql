-- The span that caused the work (W3C Trace Context), so that its worker continues the trace. Null while no traces are sent.
alter table listing_operation add column traceparent text;
alter table bulk_job add column traceparent text;
alter table order_fetch_request add column traceparent text;
alter table event add column traceparent text;
