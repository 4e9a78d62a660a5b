import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { parallel } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { closeDatabase, openDatabase, workTimeouts } from '#server/infra/db/index.ts'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ConnectionHook, Services } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import { connectShop, sellerAccounts } from './testing/connect.ts'
import { startTestPlatform, type TestPlatform } from './testing/platform.ts'
import { type ShopOwner, withShopAccess } from './with-shop-access.ts'

let etsy: TestPlatform
let server: TestServer
let services: Services
let account: TestAccount
let owner: ShopOwner
let shopNumber = 0

beforeAll(async () => {
  etsy = await startTestPlatform({ slug: 'etsy', pkce: true, rotating: true })
  server = await startTestServer({ works: false, platforms: [etsy.adapter] })
  services = server.services
})
afterAll(async () => {
  await server?.close()
  await etsy?.close()
})
beforeEach(async () => {
  Object.assign(services.connectionHooks, { connected: [], resumed: [], lost: [], disconnected: [] })
  account = await buildAccount(services.db)
  etsy.seller = { id: `E-${++shopNumber}`, name: `shop_${shopNumber}` }
  etsy.before = async () => {}
  await connectShop(server.url, account, 'etsy')
  const [shop] = await sellerAccounts(server.url, account)
  owner = { user_id: account.user_id, seller_account_uid: shop!.uid }
  etsy.counts.refresh = 0
})

/** Identifies the shop of the token. */
const work = (given = services) =>
  withShopAccess(
    given,
    owner,
    async (access, adapter) => (await adapter.oauth.identify(access.accessToken)).external_id,
  )

const makeStale = (interval = '-1 second') =>
  services.db.none('update seller_account set access_expires_at = now() + $<interval>::interval where uid = $<uid> ', {
    interval,
    uid: owner.seller_account_uid,
  })
const status = async () => (await sellerAccounts(server.url, account))[0]!.status

describe('withShopAccess', () => {
  it('uses the current token while it is valid', async () => {
    expect(await work()).toBe(etsy.seller.id)
    expect(etsy.counts.refresh).toBe(0)
  })

  it('renews the token some minutes before it expires', async () => {
    await makeStale('4 minutes')
    expect(await work()).toBe(etsy.seller.id)
    expect(etsy.counts.refresh).toBe(1)
    expect(await work()).toBe(etsy.seller.id)
    expect(etsy.counts.refresh).toBe(1)
  })

  it('renews once for 32 callers in two processes', async () => {
    const db = openDatabase({ url: server.services.config.DATABASE_URL!, max: 10 })
    try {
      const elsewhere = { ...services, db }
      for (let round = 1; round <= 5; round++) {
        await makeStale()
        const answers = await parallel(32, (index) => work(index % 2 ? elsewhere : services))
        expect(new Set(answers)).toEqual(new Set([etsy.seller.id]))
        expect(etsy.counts.refresh).toBe(round)
      }
    } finally {
      await closeDatabase(db)
    }
  })

  it('leaves connections free while a platform hangs with the tokens of many shops', async () => {
    const owners = [owner]
    while (owners.length < 6) {
      etsy.seller = { id: `E-${++shopNumber}`, name: `shop_${shopNumber}` }
      await connectShop(server.url, account, 'etsy')
      const [newest] = await sellerAccounts(server.url, account)
      owners.push({ ...owner, seller_account_uid: newest!.uid })
    }
    await services.db.none("update seller_account set access_expires_at = now() - interval '1 second'")
    const answers = Promise.withResolvers<void>()
    etsy.before = () => answers.promise
    const timeouts = { ...workTimeouts, connectionMs: 60_000 }
    const db = openDatabase({ url: server.services.config.DATABASE_URL!, max: 6, timeouts })
    const renewals = owners.map((of) => withShopAccess({ ...services, db }, of, async () => 'renewed'))
    // By then all renewals are under way that will be.
    await delay(500)
    const reads = parallel(20, () => db.one('select count(*)::integer as shops from seller_account'))
    expect(await Promise.race([reads.then(() => 'read'), delay(50_000, 'waits')])).toBe('read')
    answers.resolve()
    expect(await Promise.all(renewals)).toEqual(owners.map(() => 'renewed'))
    await closeDatabase(db)
  })

  it('renews and runs again if the platform rejects the token', async () => {
    etsy.expireAccess()
    let runs = 0
    const answer = await withShopAccess(services, owner, async (access, adapter) => {
      runs++
      return adapter.oauth.identify(access.accessToken)
    })
    expect(answer.external_id).toBe(etsy.seller.id)
    expect([runs, etsy.counts.refresh]).toEqual([2, 1])
    expect(await status()).toBe('connected')
  })

  it('marks the shop if a fresh token is rejected too', async () => {
    const refused = withShopAccess(services, owner, async () => {
      throw new PlatformError('etsy', 'unauthorized', 'no')
    })
    await expect(refused).rejects.toMatchObject({ failure: 'reconnect' })
    expect(await status()).toBe('reconnect_required')
    await expect(work()).rejects.toMatchObject({ failure: 'reconnect' })
    expect(etsy.counts.refresh).toBe(1)
  })

  it('marks the shop and deletes its tokens if the grant is gone', async () => {
    const lost: string[] = []
    services.connectionHooks.lost.push(async (_services, _queries, shop) => void lost.push(shop.seller_account_uid))
    etsy.revokeAll()
    await expect(work()).rejects.toMatchObject({ name: 'PlatformError', failure: 'reconnect' })
    expect(await status()).toBe('reconnect_required')
    expect(lost).toEqual([owner.seller_account_uid])
    const row = await services.db.one(
      'select encrypted_access_token, encrypted_refresh_token from seller_account where uid = $<seller_account_uid>',
      owner,
    )
    expect(row).toEqual({ encrypted_access_token: null, encrypted_refresh_token: null })
  })

  it('runs the resumed hook when the shop is connected again', async () => {
    const resumed: string[] = []
    const resume: ConnectionHook = async (_services, _queries, shop) => void resumed.push(shop.seller_account_uid)
    services.connectionHooks.resumed.push(resume)
    etsy.revokeAll()
    await expect(work()).rejects.toMatchObject({ failure: 'reconnect' })
    await connectShop(server.url, account, 'etsy')
    expect(resumed).toEqual([owner.seller_account_uid])
    expect(await work()).toBe(etsy.seller.id)
    expect(await sellerAccounts(server.url, account)).toHaveLength(1)
  })

  it('does not mark a shop that was reconnected meanwhile', async () => {
    const stale = withShopAccess(services, owner, async () => {
      await connectShop(server.url, account, 'etsy')
      throw new PlatformError('etsy', 'reconnect', 'the old grant is gone')
    })
    await expect(stale).rejects.toMatchObject({ failure: 'reconnect' })
    expect(await status()).toBe('connected')
  })

  it('uses a token until it expires if renewing fails', async () => {
    await makeStale('2 minutes')
    etsy.before = async (call) => {
      if (call === 'refresh') throw 503
    }
    expect(await work()).toBe(etsy.seller.id)
    await makeStale()
    await expect(work()).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await status()).toBe('connected')
  })

  it('keeps a rotated refresh token when the database is lost', async () => {
    await makeStale()
    etsy.before = async (call) => {
      if (call !== 'refresh') return
      etsy.before = async () => {}
      await services.db.any(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and state = 'idle in transaction'`,
      )
    }
    expect(await work()).toBe(etsy.seller.id)
    await makeStale()
    expect(await work()).toBe(etsy.seller.id)
    expect([etsy.counts.refresh, await status()]).toEqual([2, 'connected'])
  })

  it('finds its own grant after a lost commit answer', async () => {
    await makeStale()
    const losingAnswers = new Proxy(services.db, {
      get(db, name) {
        const value: unknown = Reflect.get(db, name)
        if (name !== 'tx' || typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          await value.apply(db, given)
          throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '57P01' })
        }
      },
    })
    expect(await work({ ...services, db: losingAnswers })).toBe(etsy.seller.id)
    expect([etsy.counts.refresh, await status()]).toEqual([1, 'connected'])
    expect(await work()).toBe(etsy.seller.id)
    expect(etsy.counts.refresh).toBe(1)
  })

  it('requires a reconnection under another SECRET_KEY', async () => {
    const other = { ...services, config: { ...services.config, SECRET_KEY: Buffer.alloc(32, 9).toString('base64') } }
    await expect(work(other)).rejects.toMatchObject({ failure: 'reconnect' })
    expect(await status()).toBe('reconnect_required')
    await services.db.none("update seller_account set status = 'connected' where uid = $<seller_account_uid>", owner)
    expect(await work()).toBe(etsy.seller.id)
  })

  it("does not decrypt tokens copied to another account's row", async () => {
    const thief = await buildAccount(services.db)
    await services.db.none(
      `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status,
         encrypted_access_token, encrypted_refresh_token, access_expires_at)
       select $<user_id>, $<uid>, 'etsy', 'stolen', 'stolen', 'https://example.com', 'connected',
         encrypted_access_token, encrypted_refresh_token, now() + interval '1 hour'
       from seller_account where uid = $<from>`,
      { user_id: thief.user_id, uid: newId('sel'), from: owner.seller_account_uid },
    )
    const [shop] = await sellerAccounts(server.url, thief)
    const stolen = { user_id: thief.user_id, seller_account_uid: shop!.uid }
    await expect(withShopAccess(services, stolen, async () => 'in')).rejects.toMatchObject({ failure: 'reconnect' })
  })

  it('refuses foreign and unknown shops and closed accounts', async () => {
    const other = await buildAccount(services.db)
    const never = async () => {
      throw new Error('it ran')
    }
    for (const wrong of [
      { ...owner, user_id: other.user_id },
      { ...owner, seller_account_uid: newId('sel') },
    ]) {
      await expect(withShopAccess(services, wrong, never)).rejects.toMatchObject({ code: 'not_found' })
    }
    await services.db.none("update app_user set state = 'deactivated' where id = $<user_id>", owner)
    await expect(withShopAccess(services, owner, never)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('throws if the platform is no longer configured', async () => {
    const without = { ...services, platforms: new Map() }
    await expect(work(without)).rejects.toMatchObject({ code: 'platform_not_configured' })
  })

  it('rethrows other errors of the work', async () => {
    const failing = (error: Error) =>
      withShopAccess(services, owner, async () => {
        throw error
      })
    await expect(failing(new PlatformError('etsy', 'rate_limited', 'slow'))).rejects.toMatchObject({
      failure: 'rate_limited',
    })
    await expect(failing(new TypeError('bug'))).rejects.toThrow('bug')
    expect(await status()).toBe('connected')
  })
})
