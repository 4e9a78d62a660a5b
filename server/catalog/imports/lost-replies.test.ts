import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { disconnect } from '#server/integrations/connections/disconnect.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { startEbaySandbox as startEbay } from '#server/integrations/ebay/testing/ebay-sandbox.ts'
import { startEtsySandbox as startEtsy } from '#server/integrations/etsy/testing/etsy-sandbox.ts'
import type { PlatformAdapter, ShopAccess } from '#server/integrations/port.ts'
import { generateItems as generateEbayShop } from '#server/sandbox/ebay/shop.ts'
import { generateShop as generateEtsyShop } from '#server/sandbox/etsy/shop.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { createJob } from './jobs/create-job.ts'
import { readJob } from './jobs/read-jobs.ts'
import { runImport } from './run-import.ts'

/** Ways in which a reply gets lost after the platform has done its work. */
const losses: Record<string, (reply: Response) => Promise<Response>> = {
  'the connection breaks': async (reply) => {
    await reply.arrayBuffer()
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
  },
  'a gateway says 502 in HTML': async (reply) => {
    await reply.arrayBuffer()
    return new Response('<html><h1>502 Bad Gateway</h1></html>', {
      status: 502,
      headers: { 'content-type': 'text/html' },
    })
  },
  'half of it arrives': async (reply) => {
    const whole = await reply.text()
    return new Response(whole.slice(0, whole.length / 2), { status: reply.status, headers: reply.headers })
  },
}

const listingsOfShop = 4

interface Platform {
  slug: OAuthSlug
  adapter: PlatformAdapter
  /** A new shop of a few listings. */
  openShop(name: string): string[]
  /** Connects the shop as if its seller had just consented, with an expired access token. */
  consent(name: string): { shop: ShopAccess['shop']; access_token: string; refresh_token: string }
  close(): Promise<void>
}

/** A proxy before the platform that counts calls and loses one reply. */
function createWire() {
  let calls = 0
  let struck: { call: number; lose: (reply: Response) => Promise<Response> } | null = null
  let last = ''
  const fetchThrough: Fetch = async (url, init) => {
    const call = calls++
    const reply = await fetch(url, init)
    if (call !== struck?.call) return reply
    last = new URL(url).pathname
    return struck.lose(reply)
  }
  return {
    fetch: fetchThrough,
    begin(strike: typeof struck) {
      calls = 0
      last = ''
      struck = strike
    },
    calls: () => calls,
    /** Path of the call whose reply was lost, empty if none. */
    struckPath: () => last,
  }
}
type Wire = ReturnType<typeof createWire>

const platforms: Record<OAuthSlug, (wire: Wire) => Promise<Platform>> = {
  async ebay(wire) {
    const { sandbox, url, adapter } = await startEbay({ usual: false, callLimits: null }, { fetch: wire.fetch })
    return {
      slug: 'ebay',
      adapter,
      openShop(name) {
        const items = generateEbayShop({ count: listingsOfShop })
        sandbox.market.addSeller({ username: name, items })
        return items.map(({ itemId }) => itemId)
      },
      consent(name) {
        const tokens = sandbox.grant(name)
        sandbox.grants.expireAccess(name)
        return { shop: { external_id: name, external_name: name, url: `${url}/usr/${name}` }, ...tokens }
      },
      close: () => sandbox.close(),
    }
  },
  async etsy(wire) {
    const { sandbox, url, adapter } = await startEtsy({ usual: false }, { fetch: wire.fetch })
    return {
      slug: 'etsy',
      adapter,
      openShop(shopName) {
        const listings = generateEtsyShop({ count: listingsOfShop })
        sandbox.market.addShop({ shopName, listings })
        return listings.map(({ listingId }) => String(listingId))
      },
      consent(name) {
        const { shopId, userId } = sandbox.market.shopNamed(name)!
        const { access_token, refresh_token } = sandbox.grant(name)
        sandbox.grants.expireAccess(userId)
        const shop = { external_id: String(shopId), external_name: name, url: `${url}/shop/${name}` }
        return { shop, access_token, refresh_token }
      },
      close: () => sandbox.close(),
    }
  },
}

/** Limits an endless import in the test. */
const mostRuns = 50

describe.each(Object.entries(platforms))('an import from %s', (slug, start) => {
  const wire = createWire()
  let server: TestServer
  let shops = 0
  beforeAll(async () => {
    server = await startTestServer({ works: false })
  })
  afterAll(() => server?.close())

  async function connect(platform: Platform, user_id: number, name: string): Promise<string> {
    const { shop, access_token, refresh_token } = platform.consent(name)
    const grant = {
      access_token,
      refresh_token,
      expires_in_seconds: 3_600,
      refresh_expires_in_seconds: null,
      scopes: [],
    }
    return (await storeConnection(server.services, { user_id, platform: platform.slug, shop, grant }))
      .seller_account_uid
  }

  async function runToEnd(ref: { user_id: number; job_uid: string }) {
    for (let runs = 0; (await runImport(server.services, ref)).kind === 'again'; runs++) {
      if (runs > mostRuns) throw new Error('it never ends')
    }
    return readJob(server.services.db, ref)
  }

  /** Waits for what the lost connection interrupted, which resumes as a job of its own. */
  async function signInAgain(platform: Platform, user_id: number, name: string) {
    await connect(platform, user_id, name)
    const { uid } = await server.services.db.one<{ uid: string }>(
      "select uid from import_job where user_id = $1 and status <> 'failed'",
      [user_id],
    )
    return runToEnd({ user_id, job_uid: uid })
  }

  /** Imports a new shop with one or no reply lost. Signs in again where the seller has to. */
  async function importShop(strike: Parameters<Wire['begin']>[0]) {
    // A new platform each time, whose adapter knows nothing and makes every call.
    const platform = await start(wire)
    try {
      server.services.platforms = new Map([[platform.slug, platform.adapter]])
      return await importFrom(platform, strike)
    } finally {
      await platform.close()
    }
  }

  async function importFrom(platform: Platform, strike: Parameters<Wire['begin']>[0]) {
    const name = `lost_replies_${shops++}`
    const truth = platform.openShop(name)
    const { user_id } = await buildAccount(server.services.db)
    const seller_account_uid = await connect(platform, user_id, name)
    wire.begin(strike)
    const { body } = await createJob(server.services, { user_id, seller_account_uid, marketplace: platform.slug })
    const ref = { user_id, job_uid: body.id }
    const first = await runToEnd(ref)
    const [calls, struckPath] = [wire.calls(), wire.struckPath()]
    const isLost = first.status === 'failed'
    const job = isLost ? await signInAgain(platform, user_id, name) : first
    const listed = await server.services.db.map<string>(
      'select listing_id from channel_listing where user_id = $1 order by 1',
      [user_id],
      (row: { listing_id: string }) => row.listing_id,
    )
    const { items } = await server.services.db.one<{ items: number }>(
      'select count(*)::integer as items from inventory_item where user_id = $1',
      [user_id],
    )
    // The next platform's shop has the same id.
    await disconnect(server.services, { user_id, seller_account_uid })
    return { job, first, isLost, calls, struckPath, listed, items, truth: truth.toSorted() }
  }

  it.each(Object.entries(losses))('is exact whatever reply is lost (%s)', async (_how, lose) => {
    const { calls } = await importShop(null)
    // An expired token, its renewal, and at least one page.
    expect(calls).toBeGreaterThanOrEqual(3)
    let seenLost = 0
    for (let call = 0; call < calls; call++) {
      const seen = await importShop({ call, lose })
      const where = `${slug}, call ${call}, ${seen.struckPath}`
      expect(seen.struckPath, where).not.toBe('')
      expect(seen.job, where).toMatchObject({
        status: 'completed',
        total_listings_found: listingsOfShop,
        items_imported: listingsOfShop,
        items_failed: 0,
        progress_percentage: 100,
      })
      expect([seen.listed, seen.items], where).toEqual([seen.truth, listingsOfShop])
      if (seen.isLost) seenLost++
      // Only the lost renewal of a single-use token (Etsy's) needs the seller.
      if (seen.isLost) expect([slug, seen.struckPath], where).toEqual(['etsy', '/v3/public/oauth/token'])
    }
    expect(seenLost).toBe(slug === 'etsy' ? 1 : 0)
  })
})
