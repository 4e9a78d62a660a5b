-- Lists the platforms where this account has a working connection.
select distinct platform from seller_account where user_id = ${user_id} and status = 'connected'
