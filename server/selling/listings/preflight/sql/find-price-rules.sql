-- Returns the seller's price rules by platform, if any.
select price_rules from seller_settings where user_id = ${user_id} and price_rules <> '{}'
