import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildHarness, type Harness, signedInTo } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { HapaxError } from '#shared/client/error.ts'
import { listTasks } from '#shared/contract/selling/tasks.ts'
import type { Listing } from '#shared/listing.ts'
import { ServerUnreachable } from '../session/api.ts'
import { readSession } from '../session/session.ts'
import { pageHandlers } from './page-handlers.ts'
import { popupHandlers } from './popup-handlers.ts'

let harness: Harness
beforeEach(async () => {
  harness = await buildHarness({ signedIn: false })
})
afterEach(() => harness.close())

const popup = () => popupHandlers(harness.context)
const server = 'https://hapax.test'
const credentials = () => ({ server, email: harness.server.user.email!, password: harness.server.password })

/** Reads a closet and sends it. */
async function importCloset(posts: object[]) {
  const tab = buildTab(posts)
  const handlers = pageHandlers(harness.context)
  await tab.readOn(handlers, await handlers['page.import']({ pageContext: tab.pageContext }, tab.page))
  await harness.push()
}

describe('signing in', () => {
  it('keeps only its own API key with the needed scopes', async () => {
    expect(await popup()['popup.signIn'](credentials())).toEqual({ tokenEnded: true })
    const session = await readSession(harness.store)
    expect(harness.server.keys.get(session!.key_id!)).toMatchObject({
      secret: session!.key,
      name: 'Hapax extension (Test)',
      scopes: ['platforms:read', 'imports:run', 'inventory:read', 'inventory:write', 'listings:write'],
    })
    expect(harness.server.bearers.size).toBe(0)
    expect(JSON.stringify(session)).not.toMatch(/hpxt_|correct horse/)
  })

  it.each(['123 456', 'abcd-efgh-jkmn-pqrs-tvwx-yz23'])(
    'asks for the second factor and accepts the code %s',
    async (code) => {
      harness.server.code = code.replaceAll(' ', '')
      const answer = await popup()['popup.signIn'](credentials())
      expect(answer).toEqual({ signin_token: harness.server.signinToken })
      expect(await readSession(harness.store)).toBeNull()
      const step = { server, signin_token: harness.server.signinToken }
      await expect(popup()['popup.secondStep']({ ...step, code: '000000' })).rejects.toMatchObject({
        code: 'code_invalid',
      })
      expect(await readSession(harness.store)).toBeNull()
      expect(await popup()['popup.secondStep']({ ...step, code })).toEqual({ tokenEnded: true })
      expect((await readSession(harness.store))?.user).toEqual(harness.server.user)
      expect(harness.server.bearers.size).toBe(0)
    },
  )

  it('says when the temporary sign-in could not be ended', async () => {
    harness.server.faults.push({ operation: 'logOut', code: 'network', times: 2 })
    expect(await popup()['popup.signIn'](credentials())).toEqual({ tokenEnded: false })
    expect(await readSession(harness.store)).not.toBeNull()
  })

  it('ends the temporary sign-in as well when no key could be made', async () => {
    harness.server.faults.push({ operation: 'createApiKey', code: 'too_many_keys', times: 1 })
    await expect(popup()['popup.signIn'](credentials())).rejects.toThrow(HapaxError)
    expect(harness.server.bearers.size).toBe(0)
    expect(await readSession(harness.store)).toBeNull()
  })

  it.each([
    ['a wrong password', { password: 'wrong' }, 'invalid_credentials'],
    ['an invalid address', { server: 'http://hapax.example' }, 'bad_address'],
  ])('rejects %s', async (_, changes, code) => {
    await expect(popup()['popup.signIn']({ ...credentials(), ...changes })).rejects.toMatchObject({ code })
    expect(await readSession(harness.store)).toBeNull()
  })

  it('reports a server that does not answer', async () => {
    harness.server.faults.push({ operation: 'logInByPassword', code: 'network', times: 1 })
    await expect(popup()['popup.signIn'](credentials())).rejects.toThrow(ServerUnreachable)
  })

  it('accepts a pasted key only if the server does', async () => {
    await expect(popup()['popup.signInByKey']({ server, key: 'hpxk_wrong' })).rejects.toMatchObject({ status: 401 })
    const { key } = harness.server.createKey('mine')
    await popup()['popup.signInByKey']({ server, key })
    expect(await readSession(harness.store)).toMatchObject({ key, key_id: null, user: null })
  })

  it('keeps queued data for the same account only', async () => {
    await popup()['popup.signIn'](credentials())
    harness.server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 1 })
    await importCloset([tabPost(0)])
    await popup()['popup.signIn'](credentials())
    expect(await harness.importQueue.outbox.count()).toBe(1)
    harness.server.user.id = 8
    await popup()['popup.signIn'](credentials())
    expect([await harness.importQueue.outbox.count(), await harness.importQueue.listings.count()]).toEqual([0, 0])
  })
})

describe('signing in with another pasted key', () => {
  /** Queues a listing for the first key. */
  async function waiting(): Promise<string> {
    const { key } = harness.server.createKey('the first')
    await popup()['popup.signInByKey']({ server, key })
    harness.server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 1 })
    await importCloset([tabPost(0)])
    expect(await harness.importQueue.outbox.count()).toBe(1)
    return key
  }

  it('deletes the data of the previous key', async () => {
    await waiting()
    await popup()['popup.signInByKey']({ server, key: harness.server.createKey('the second').key })
    await harness.push()
    expect([await harness.importQueue.outbox.count(), await harness.importQueue.listings.count()]).toEqual([0, 0])
    expect(harness.server.jobs).toEqual([])
  })

  it('keeps queued data for the same key', async () => {
    const key = await waiting()
    await popup()['popup.signInByKey']({ server, key })
    expect(await harness.importQueue.outbox.count()).toBe(1)
  })

  it.each([
    [
      'email after a key',
      async () => {
        await waiting()
      },
      () => popup()['popup.signIn'](credentials()),
    ],
    [
      'a key after email',
      async () => {
        await popup()['popup.signIn'](credentials())
        await importCloset([tabPost(0)])
      },
      () => popup()['popup.signInByKey']({ server, key: harness.server.createKey('a key').key }),
    ],
  ] satisfies [string, () => Promise<void>, () => Promise<unknown>][])(
    'deletes previous data when signing in by %s',
    async (_, before, after) => {
      await before()
      await after()
      expect([await harness.importQueue.outbox.count(), await harness.importQueue.listings.count()]).toEqual([0, 0])
    },
  )
})

describe('signing out', () => {
  it('clears the browser and ends only its own key', async () => {
    const other = harness.server.createKey('another browser')
    await popup()['popup.signIn'](credentials())
    await importCloset([tabPost(0)])
    expect(await popup()['popup.signOut']({})).toEqual({ keyEnded: true })
    for (const table of harness.importQueue.tables) expect(await table.count(), table.name).toBe(0)
    for (const name of ['session', 'snapshot', 'seen', 'sync']) expect(await harness.store.get(name)).toBeUndefined()
    expect([...harness.server.keys.keys()]).toEqual([other.id])
  })

  it('keeps a pasted key valid', async () => {
    const { id, key } = harness.server.createKey('made elsewhere')
    await popup()['popup.signInByKey']({ server, key })
    expect(await popup()['popup.signOut']({})).toEqual({ keyEnded: null })
    expect(await harness.store.names()).toEqual([])
    expect(harness.server.keys.has(id)).toBe(true)
  })

  it('treats a rejected key as ended', async () => {
    await popup()['popup.signIn'](credentials())
    harness.server.keys.clear()
    expect(await popup()['popup.signOut']({})).toEqual({ keyEnded: true })
  })

  it.each(['network', 'unavailable', 'rate_limited', 'not_found'] as const)(
    'clears the browser and reports the key after %s',
    async (code) => {
      await popup()['popup.signIn'](credentials())
      harness.server.faults.push({ operation: 'endExtensionKey', code, times: 9 })
      expect(await popup()['popup.signOut']({})).toEqual({ keyEnded: false })
      expect(await harness.store.names()).toEqual([])
    },
  )
})

describe('the overview', () => {
  beforeEach(async () => {
    await harness.store.set('session', signedInTo(harness.server))
  })

  it('keeps what it learned when earlier answers arrive late', async () => {
    const { context } = harness
    const { promise: late, resolve: release } = Promise.withResolvers<void>()
    const { promise: isAnswered, resolve: answered } = Promise.withResolvers<void>()
    const clientOf: typeof context.clientOf = (...session) => {
      const call = context.clientOf(...session)
      return (async (...request: Parameters<typeof call>) => {
        const answer = await call(...request)
        if (request[0] === listTasks) {
          answered()
          await late
        }
        return answer
      }) as typeof call
    }
    const earlier = popupHandlers({ ...context, clientOf })['popup.overview']({ fresh: true })
    await isAnswered
    harness.now.value += 1_000
    harness.server.tasks.push(sampleTask())
    expect((await popup()['popup.overview']({ fresh: true })).tasks).toHaveLength(1)
    release()
    expect((await earlier).tasks).toHaveLength(1)
    expect((await popup()['popup.overview']({ fresh: false })).tasks).toHaveLength(1)
  })

  it('shows the server’s last data without a network', async () => {
    harness.server.ebay = 'connected'
    await importCloset([tabPost(0), tabPost(1, { price_amount: undefined })])
    const online = await popup()['popup.overview']({ fresh: true })
    expect(online.trouble).toBeNull()
    expect(online.imports).toMatchObject([{ phase: 'done', counts: { imported: 1, failed: 1 } }])
    expect(online.platforms.map(({ slug, health }) => [slug, health])).toEqual([
      ['ebay', 'ok'],
      ['etsy', 'none'],
      ['poshmark', 'none'],
      ['mercari', 'none'],
      ['depop', 'none'],
    ])
    harness.server.faults.push({ operation: 'listImportJobs', code: 'network', times: 1 })
    const offline = await popup()['popup.overview']({ fresh: true })
    expect(offline).toMatchObject({ trouble: { code: 'offline' }, as_of: online.as_of, imports: online.imports })
  })

  it('shows a rejected key as expired', async () => {
    harness.server.keys.clear()
    expect((await popup()['popup.overview']({ fresh: true })).session).toMatchObject({ status: 'expired' })
  })

  it('keeps a dismissed import with open decisions', async () => {
    harness.server.inventory.push(inventoryItem('ebay', listing('S-1')))
    await importCloset([tabPost(0, { seller_private_info: { sku: 'S-1' } })])
    const id = (await popup()['popup.overview']({ fresh: true })).imports[0]!.id
    await popup()['popup.dismiss']({ id })
    const { imports } = await popup()['popup.overview']({ fresh: true })
    expect(imports.map((row) => row.id)).toEqual([id])
  })

  it('imports eBay through the server once connected', async () => {
    await expect(popup()['popup.import']({ platform: 'ebay' })).rejects.toMatchObject({ code: 'connection_required' })
    harness.server.ebay = 'connected'
    expect(await popup()['popup.import']({ platform: 'ebay' })).toMatchObject({ marketplace: 'ebay' })
  })
})

describe('issues', () => {
  beforeEach(async () => {
    await harness.store.set('session', signedInTo(harness.server))
    harness.server.inventory.push(inventoryItem('ebay', listing('S-1')))
    await importCloset([tabPost(0, { seller_private_info: { sku: 'S-1' } }), tabPost(1, { price_amount: undefined })])
    await popup()['popup.overview']({ fresh: true })
  })

  const job = () => harness.server.jobs[0]!
  const conflict = () => job().items.find((item) => item.conflict_type === 'duplicate_sku')!

  it('include the picture and URL of the listing', async () => {
    const { count, issues } = await popup()['popup.issues']({ job: job().id, page: 1 })
    expect(count).toBe(2)
    expect(issues).toMatchObject([
      {
        item: { status: 'conflict' },
        image: 'https://pictures.test/0',
        url: expect.stringContaining('/listing/Thing-0'),
      },
      {
        item: { error_message: expect.stringContaining('price') },
        image: null,
        url: expect.stringContaining(tabPost(1).id),
      },
    ])
  })

  it('compare a conflict with the item of the same SKU', async () => {
    const compared = await popup()['popup.compare']({ job: job().id, item: conflict().id })
    expect(compared).toMatchObject({ listing: { title: 'Thing 0' }, mine: { sku: 'S-1', record: { title: 'Mine' } } })
  })

  it.each(['link_existing', 'create_new', 'overwrite', 'skip'] as const)(
    'resolve a conflict by %s',
    async (resolution) => {
      const request = {
        params: { uid: job().id, item_uid: conflict().id },
        body: { resolution, ...(resolution === 'create_new' ? { sku: 'S-1-2' } : {}) },
      }
      expect(await popup().call({ operation: 'resolveImportItem', request })).toMatchObject({ resolution })
    },
  )
})

function listing(sku: string): Listing {
  return {
    listing_id: 'e1',
    url: 'https://www.ebay.com/itm/1',
    title: 'Mine',
    description: '',
    price_minor: 900,
    currency: 'USD',
    state: 'available',
    images: ['https://pictures.test/e1'],
    sku,
  }
}

describe('a server that hangs', () => {
  beforeEach(async () => {
    await harness.store.set('session', signedInTo(harness.server))
    harness.server.ebay = 'connected'
    await popup()['popup.overview']({ fresh: true })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => vi.useRealTimers())

  it('is reported offline with the last data', async () => {
    harness.server.outage = 'hang'
    const asked = popup()['popup.overview']({ fresh: true })
    await passSeconds(11)
    expect(await asked).toMatchObject({ trouble: { code: 'offline' }, as_of: harness.now.value })
    expect((await popup()['popup.overview']({ fresh: false })).platforms[0]).toMatchObject({ health: 'ok' })
  })

  it('does not delay signing out', async () => {
    await importCloset([tabPost(0)])
    harness.server.outage = 'hang'
    const asked = popup()['popup.overview']({ fresh: true })
    const sent = harness.push()
    await passSeconds(1)
    const out = popup()['popup.signOut']({})
    await passSeconds(1)
    // The server has not answered yet, and the browser is already empty.
    expect(await harness.store.names()).toEqual([])
    await passSeconds(5)
    expect(await out).toEqual({ keyEnded: false })
    await Promise.all([asked, sent])
    expect(await harness.store.names()).toEqual([])
    for (const table of [...harness.importQueue.tables, ...harness.inventory.tables])
      expect(await table.count(), table.name).toBe(0)
  })

  it('leaves no data by answers after a sign-out', async () => {
    const late = Promise.withResolvers<void>()
    const fetch = harness.server.fetch
    Object.assign(harness.server, {
      fetch: async (url: string, init: RequestInit) => {
        const answer = await fetch(url, init)
        await late.promise
        return answer
      },
    })
    const asked = popup()['popup.overview']({ fresh: true })
    await passSeconds(1)
    const out = popup()['popup.signOut']({})
    await passSeconds(1)
    late.resolve()
    await Promise.all([asked, out])
    expect(await harness.store.names()).toEqual([])
  })
})

async function passSeconds(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(1_000)
  }
}
