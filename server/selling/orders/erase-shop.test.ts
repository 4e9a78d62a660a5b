import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acceptPush } from './accept-push.ts'
import { eraseShopData } from './erase-shop-data.ts'
import { type OrderHarness, type OrderSeller, startOrderHarness } from './testing/harness.ts'

const items = 1_250

let harness: OrderHarness
let seller: OrderSeller
let notices = 0
beforeAll(async () => {
  harness = await startOrderHarness()
  // Records how many rows each statement changes.
  await harness.services.db.none(`
    create table step (of text, rows integer);
    create function note_step() returns trigger language plpgsql as $$
    begin
      insert into step select tg_table_name, count(*) from changed;
      return null;
    end $$;
    create trigger note_step after update on inventory_item referencing new table as changed
      for each statement execute function note_step();
    create trigger note_step after delete on import_item referencing old table as changed
      for each statement execute function note_step();
    create trigger note_step after update on marketplace_order referencing new table as changed
      for each statement execute function note_step()`)
})
afterAll(() => harness?.close())
beforeEach(async () => {
  await harness.services.db.none('truncate step')
  seller = await harness.seller(['ebay'])
  await fillShop()
})

/** Builds a shop with an import, items, and orders of them. */
async function fillShop() {
  const { item_uid } = await seller.item()
  const values = { user_id: seller.user_id, shop: seller.shops.ebay, item_uid, items }
  await harness.services.db.none(
    `insert into inventory_item (
       user_id, uid, product_id, offer_id, title, images, condition_label, inspected_at, price_minor, currency, state,
       observed_at, seller_url, shipping_policy_url, returns_policy_url
     )
     select user_id, 'inv_' || $<user_id> || '_' || lpad(n::text, 6, '0'), 'x', 'x', 'x', images, condition_label,
       inspected_at, price_minor, currency, state, observed_at, 'https://www.ebay.com/usr/vera', shipping_policy_url,
       returns_policy_url
     from inventory_item, generate_series(2, $<items>) n where uid = $<item_uid>;
     update inventory_item set seller_url = 'https://www.ebay.com/usr/vera' where uid = $<item_uid>;
     insert into inventory_history (user_id, item_uid, version, actor, to_state, reason)
     select user_id, uid, 1, 'import', state, 'x' from inventory_item where user_id = $<user_id> and uid <> $<item_uid>;
     insert into channel_listing (
       user_id, seller_account_uid, listing_id, item_uid, platform, url, state, price_minor, currency, observed_at
     )
     select user_id, $<shop>, 'many-' || uid, uid, 'ebay', 'https://www.ebay.com/itm/1', 'available', 1, 'USD', now()
     from inventory_item where user_id = $<user_id> and uid <> $<item_uid>;
     insert into import_job (
       user_id, uid, seller_account_uid, platform, source, states, status, progress, completed_at, found_so_far,
       decided_so_far
     )
     values ($<user_id>, 'job_' || $<user_id>, $<shop>, 'ebay', 'extension', '{active}', 'completed', 100, now(), $<items>, $<items>);
     insert into import_item (
       user_id, job_uid, uid, external_listing_id, found, observed_at, external_sku, listing_title, status, processed_at
     )
     select $<user_id>, 'job_' || $<user_id>, 'itm_' || n, n, '{}', now(), '', 'Read of Vera', 'skipped', now()
     from generate_series(1, $<items>) n;
     insert into marketplace_order (
       user_id, uid, platform, seller_account_uid, external_order_id, source, status, ordered_at, modified_at
     )
     select $<user_id>, 'ord_' || $<user_id> || n, 'ebay', $<shop>, 'order-' || n, 'platform', 'paid', now(), now()
     from generate_series(1, 700) n;
     truncate step`,
    values,
  )
}

const push = () =>
  acceptPush(harness.services, 'ebay', {
    topic: 'account_deletion',
    message_id: `notice-${++notices}`,
    subject: { external_id: seller.external.ebay!, external_name: null },
  })
const receipt = async () =>
  (await harness.services.db.one('select erased from push_receipt where message_id = $1', [`notice-${notices}`])).erased
const left = () =>
  harness.services.db.one(
    `select
       (select count(*) from inventory_item where user_id = $1 and seller_url like '%vera%') as items,
       (select count(*) from import_item where user_id = $1) as imported,
       (select count(*) from marketplace_order where user_id = $1 and external_order_id like 'order-%') as orders`,
    [seller.user_id],
  )
const nothing = { items: 0, imported: 0, orders: 0 }
const everything = { shops: 1, imports: 1, items, orders: 700 }

describe('erasing a large shop', () => {
  it('removes tokens and name at once, the rest in a job', async () => {
    expect(await push()).toBe('taken')
    expect(await harness.services.db.any('select * from step')).toEqual([])
    const shop = await harness.services.db.one('select * from seller_account where uid = $1', [seller.shops.ebay])
    expect(shop).toMatchObject({ status: 'revoked', encrypted_access_token: null, external_name: 'erased' })
    expect(await harness.services.db.any("select name from jobs.job where name = 'orders-erase'")).toHaveLength(1)
  })

  it.each([
    ['keeps the shop of another user who has the name now', 'ebay-user-of-before', 'connected'],
    ['finds the shop by its name where the notice has no id', null, 'revoked'],
  ])('%s', async (_title, external_id, status) => {
    const { db } = harness.services
    await db.none("update seller_account set external_name = 'vera' where uid = $1", [seller.shops.ebay])
    await acceptPush(harness.services, 'ebay', {
      topic: 'account_deletion',
      message_id: `notice-${++notices}`,
      subject: { external_id, external_name: 'vera' },
    })
    expect(await db.one('select status from seller_account where uid = $1', [seller.shops.ebay])).toEqual({ status })
  })

  it('does not wait for the periodic job', async () => {
    const { db, jobs } = harness.services
    await db.none("delete from jobs.job where name = 'orders-erase'")
    await jobs.send(db, 'orders-erase', {}, { key: 'orders-erase', startAfterSeconds: 300 })
    await push()
    const due = await db.any("select 1 from jobs.job where name = 'orders-erase' and start_after <= now()")
    expect(due).toHaveLength(1)
  })

  it('erases step by step, and the receipt counts it', async () => {
    await push()
    await eraseShopData(harness.services)
    expect(await left()).toEqual(nothing)
    expect(await receipt()).toEqual(everything)
    const steps = await harness.services.db.any<{ rows: number }>('select rows from step')
    expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThanOrEqual(500)
    const versions = await harness.services.db.any('select distinct version from inventory_item where user_id = $1', [
      seller.user_id,
    ])
    expect(versions).toEqual([{ version: 2 }])
    await harness.services.db.none('truncate step')
    await eraseShopData(harness.services)
    expect(await harness.services.db.any('select * from step')).toEqual([])
  })

  it.each([1, 2, 3, 4, 5, 6])('survives a crash at step %i, alone or with another worker', async (crashing) => {
    const { db } = harness.services
    await push()
    await db.none(`
      create sequence steps_taken;
      create function crash() returns trigger language plpgsql as $$
      begin
        if nextval('steps_taken') = ${crashing} then raise exception 'crashed'; end if;
        return null;
      end $$;
      create trigger crash after insert on step for each row execute function crash()`)
    await expect(eraseShopData(harness.services)).rejects.toThrow('crashed')
    await Promise.all([eraseShopData(harness.services), eraseShopData(harness.services)])
    await db.none('drop trigger crash on step; drop function crash; drop sequence steps_taken')
    expect(await left()).toEqual(nothing)
    expect(await receipt()).toEqual(everything)
  })

  it('stops where the process is to end', async () => {
    await push()
    await eraseShopData(harness.services, AbortSignal.abort())
    expect(await left()).not.toEqual(nothing)
    await eraseShopData(harness.services)
    expect(await left()).toEqual(nothing)
  })
})
