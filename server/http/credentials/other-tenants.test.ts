import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import {
  insertAddress,
  insertItem,
  insertLiveListing,
  insertShop,
} from '#server/selling/listings/testing/build-item.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'
import { newId } from '#shared/identity.ts'

/** Requests for another account's data must be answered like requests for data that does not exist. */
let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ works: false })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

/** Objects of an account, one of each kind. */
interface Things {
  account: TestAccount
  /** By the prefix of their ids. */
  ids: Record<string, string>
}

async function settle(): Promise<Things> {
  const { db } = server.services
  const account = await buildAccount(db)
  await insertAddress(db, account.user_id)
  const call = async (method: string, path: string, body?: unknown) => {
    const reply = await api(method, path, { headers: account.key, body })
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }
  const inv = await insertItem(db, account.user_id)
  const sel = await insertShop(db, account.user_id, 'poshmark')
  await insertLiveListing(db, {
    user_id: account.user_id,
    item_uid: inv,
    seller_account_uid: sel,
    platform: 'poshmark',
    listing_id: newId('itm'),
  })
  const username = `ada${account.user_id}`
  const job = await call('POST', '/api/v1/extension/imports/', {
    platform: 'depop',
    shop: { username, url: `https://www.depop.com/${username}/` },
  })
  await call('POST', `/api/v1/extension/imports/${job.id}/batches/`, {
    batch_id: 'one',
    listings: [],
    failures: [{ listing_id: '17', error_code: 'page_changed', error_message: 'The page has changed.' }],
  })
  const items = await call('GET', `/api/v1/marketplace/import/jobs/${job.id}/items/`)
  const bulk = await call('POST', '/api/v1/inventory/bulk/delist/', { uids: [inv], platforms: ['poshmark'] })
  const hook = await call('POST', '/api/v1/webhooks/', { url: 'https://hooks.example.com/hapax' })
  await call('POST', `/api/v1/inventory/${inv}/platforms/mercari/list/`, { price: '12.00' })
  const [task] = (await call('GET', '/api/v1/extension/tasks/')).results
  const alm = newId('alm')
  await db.none(
    "insert into alert (user_id, uid, kind, item_uid, message) values ($1, $2, 'relist_offer', $3, 'It may be listed again.')",
    [account.user_id, alm, inv],
  )
  const chg = newId('chg')
  await db.none("insert into undo_step (user_id, change_uid, subject_uid, kind) values ($1, $2, $3, 'mark_sold')", [
    account.user_id,
    chg,
    inv,
  ])
  const chk = newId('chk')
  await db.none("insert into inventory_fault (user_id, uid, kind, item_uid) values ($1, $2, 'price_differs', $3)", [
    account.user_id,
    chk,
    inv,
  ])
  const viw = newId('viw')
  await db.none("insert into saved_view (user_id, uid, name, view) values ($1, $2, 'Mine', '{}')", [
    account.user_id,
    viw,
  ])
  const { id: key } = await db.one('select id from api_key where user_id = $1', [account.user_id])
  const { uid: psk } = await db.one(
    "insert into passkey (user_id, credential_id, public_key, counter, name) values ($1, $2, 'x', 0, 'laptop') returning uid",
    [account.user_id, newId('itm')],
  )
  const { uid: ses } = await db.one('select uid from bearer_token where user_id = $1', [account.user_id])
  const mal = newId('mal')
  await db.none(
    `insert into sale_mail (user_id, uid, via, size, outcome, kind, marketplace)
     values ($1, $2, 'smtp', 1, 'ambiguous', 'sale', 'poshmark')`,
    [account.user_id, mal],
  )
  const ord = newId('ord')
  await db.none(
    `with placed as (
       insert into marketplace_order (user_id, uid, platform, external_order_id, source, status, ordered_at, modified_at)
       values ($1, $2, 'poshmark', $2, 'scraped', 'paid', now(), now()) returning user_id, uid
     )
     insert into shipment (user_id, order_uid, state) select user_id, uid, 'to_ship' from placed`,
    [account.user_id, ord],
  )
  return {
    account,
    ids: {
      viw,
      mal,
      ord,
      psk,
      ses,
      chk,
      inv,
      sel,
      job: job.id,
      itm: items.results[0].id,
      blk: bulk.uid,
      chg,
      whk: hook.uid,
      tsk: task.uid,
      alm,
      key,
    },
  }
}

/** Valid bodies, so that the answer is about the object. */
const bodies: Record<string, unknown> = {
  renamePasskey: { name: 'Mine now' },
  resolveImportItem: { resolution: 'skip' },
  resolveSaleMail: { item_uid: null },
  nameSoldItem: { item_uid: null },
  updateInventoryItem: { version: 1, title: 'Mine now' },
  sendImportBatch: { batch_id: 'two', listings: [] },
  listItem: { price: '1.00' },
  preflightRequest: { price: '1.00' },
  changeListingPrice: { price: '1.00' },
  updateListing: { fields: ['title'] },
  recordAttempt: { attempt_id: '0b9b0f2e-8f1c-4c5e-9d6a-1f2e3d4c5b6a', pressed: [] },
  completeTask: { listing_id: '1', listing_url: 'https://poshmark.com/listing/1' },
  updateWebhook: { url: 'https://evil.example.com/' },
  markItemSold: {},
  mendCheck: {},
  markShipped: {},
  takeBackSale: {},
  replayWebhook: { since: new Date(Date.now() - 3_600_000).toISOString() },
}

/** Valid queries. */
const queries: Record<string, string> = { getTaskPicture: '?n=0' }

const things = (Object.entries(contract) as [string, RouteDeclaration][]).filter(([, route]) =>
  /\{(uid|pk|item_uid)\}/.test(route.path),
)

/** Returns the kind of id that a parameter takes. */
function kindOf(route: RouteDeclaration, name: string): string {
  const kinds = [
    'inv',
    'sel',
    'job',
    'itm',
    'blk',
    'chg',
    'chk',
    'whk',
    'tsk',
    'alm',
    'key',
    'ses',
    'psk',
    'mal',
    'viw',
    'ord',
  ] as const
  const kind = kinds.find((one) => route.params!.shape[name]?.safeParse(newId(one)).success)
  if (!kind) throw new Error(`{${name}} of ${route.path} takes an id of no known kind`)
  return kind
}

describe('objects of another account', () => {
  it('look nonexistent to every operation and stay unchanged', async () => {
    const [owner, stranger, third] = [await settle(), await settle(), await settle()]
    // Audit entries are written after the response.
    await server.services.audit.flush()
    const before = await rowsOf(owner.account.user_id)
    let tried = 0
    for (const [operation, route] of things) {
      const ask = async (by: TestAccount, idOf: (kind: string, name: string) => string) => {
        const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          name === 'slug' ? 'poshmark' : idOf(kindOf(route, name), name),
        )
        const headers = route.auth === 'bearer' ? by.bearer : by.key
        const {
          status,
          headers: received,
          body,
        } = await api(route.method, path + (queries[operation] ?? ''), {
          headers,
          body: bodies[operation],
        })
        return { status, type: received.get('content-type'), body: { ...body, request_id: '' } }
      }
      const none = await ask(stranger.account, (kind) => newId(kind as 'inv'))
      expect([none.status, none.body.code], operation).toEqual([404, 'not_found'])
      const attempts: Promise<typeof none>[] = []
      for (const by of [stranger, third]) {
        attempts.push(
          ask(by.account, (kind) => owner.ids[kind]!),
          // An id of another kind, and a child below the caller's own parent.
          ask(by.account, (kind) => owner.ids[kind === 'inv' ? 'job' : 'inv']!),
          ask(by.account, (kind) => owner.ids[kind]!.toLowerCase()),
        )
        if (route.path.includes('{item_uid}')) {
          attempts.push(
            ask(by.account, (_kind, name) => (name === 'item_uid' ? owner.ids.itm! : by.ids.job!)),
            ask(by.account, (_kind, name) => (name === 'item_uid' ? by.ids.itm! : owner.ids.job!)),
          )
        }
      }
      for (const answer of await Promise.all(attempts)) {
        tried++
        expect(answer, operation).toEqual(none)
      }
    }
    expect(tried).toBeGreaterThanOrEqual(things.length * 6)
    expect(await rowsOf(owner.account.user_id)).toEqual(before)
    // The ids exist.
    for (const [operation, route] of things.filter(([, { method }]) => method === 'GET')) {
      const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        name === 'slug' ? 'poshmark' : owner.ids[kindOf(route, name)]!,
      )
      const headers = route.auth === 'bearer' ? owner.account.bearer : owner.account.key
      const { status, body } = await api(route.method, path, { headers })
      // An object without preview, picture or choice needs more than its id.
      if (['getImportPreview', 'getTaskPicture', 'listingChoices'].includes(operation)) continue
      expect([status, body?.code], operation).toEqual([200, undefined])
    }
  })
})

/** Returns every row of an account, except those that requests leave by themselves. */
async function rowsOf(userId: number): Promise<Record<string, unknown>> {
  const { db } = server.services
  const tables = await db.map<string>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'user_id' order by 1`,
    [],
    ({ table_name }) => table_name,
  )
  const rows: Record<string, unknown> = {}
  for (const table of tables.filter((name) => !['api_usage', 'api_key', 'bearer_token'].includes(name))) {
    rows[table] = await db.any('select * from $1:name as row where user_id = $2 order by row::text', [table, userId])
  }
  rows.keys = await db.any('select id, key_hash from api_key where user_id = $1', [userId])
  return rows
}
