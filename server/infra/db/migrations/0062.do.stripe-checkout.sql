-- A seller's way to pay at Stripe: the customer that was made for them there, and the payment page that is open.
create table stripe_checkout (
  user_id integer not null references app_user,
  -- Names what is asked of Stripe (its Idempotency-Key): whoever asks again, or at once, is given the same.
  attempt text not null,
  customer_id text,
  session_id text,
  primary key (user_id)
);

-- Whether it goes on after the period that is paid; null where Stripe has not told it yet.
alter table stripe_subscription add column renews boolean;
