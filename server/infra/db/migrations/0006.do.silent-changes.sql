-- Differences that show as soon as a listing is read back. `sent`: the value that was sent, in words.
alter table listing_difference drop constraint listing_difference_field_check;
alter table listing_difference add constraint listing_difference_field_check check (
  field in ('title', 'description', 'price', 'photos', 'quantity', 'condition', 'category', 'sku', 'details')
);
alter table listing_difference add column sent text;
