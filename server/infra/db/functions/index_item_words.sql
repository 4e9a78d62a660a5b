-- Keeps the words that an item is found by: title, brand, SKU, and the price, whole ("294.99") and in full units ("294").
create or replace function index_item_words() returns trigger language plpgsql as $$
declare
  units text := case when new.currency in ('JPY', 'KRW') then new.price_minor else new.price_minor / 100 end::text;
  cents text := case when new.currency in ('JPY', 'KRW') then '' else lpad((new.price_minor % 100)::text, 2, '0') end;
begin
  new.search_words := array_to_tsvector(
    search_words(concat_ws(' ', new.title, new.attributes ->> 'brand', new.sku)) || units || (units || cents)
  );
  return new;
end
$$;

create or replace trigger inventory_item_words before insert or update of title, attributes, sku, price_minor, currency
  on inventory_item for each row execute function index_item_words();
