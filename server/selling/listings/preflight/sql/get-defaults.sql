-- Returns the seller's stored options on a platform.
select options from listing_defaults where user_id = ${user_id} and platform = ${platform}
