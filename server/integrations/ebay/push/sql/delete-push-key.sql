-- Deletes a key that eBay no longer knows.
delete from ebay_push_key where kid = ${kid}
