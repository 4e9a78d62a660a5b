import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { Fuse, fuseDatabase, fusedStore, wasKilled } from '#extension/testing/fuse.ts'
import { buildHarness, type Harness } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { Pause } from '#extension/testing/pause.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { continueFrom, takeSnapshot } from '#extension/testing/snapshot.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { sendReports } from '../handlers/tab-task-handlers.ts'
import { watch } from '../tasks/watch.ts'
import { finishSigningOut } from './account.ts'
import { readSession } from './session.ts'

const address = 'https://hapax.test'
const open: Harness[] = []
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close()
})

const popup = ({ context }: Harness) => popupHandlers(context)
const page = ({ context }: Harness) => pageHandlers(context)

let prepared: ReturnType<typeof prepareAda> | undefined

/** Creates a busy account named Ada: half an import, tasks and an inventory. */
async function adaAtWork() {
  prepared ??= prepareAda()
  const { snapshot, ...at } = await prepared
  const harness = await continueFrom(snapshot)
  open.push(harness)
  return { harness, ...at }
}

async function prepareAda() {
  const harness = await buildHarness({ signedIn: false })
  const { server } = harness
  const form = { platform: 'poshmark', url: 'https://poshmark.com/create-listing' } as const
  server.ebay = 'connected'
  server.shopName = 'Ada’s shop'
  const coat = inventoryItem('ebay', { ...post(0), title: 'Ada’s coat' })
  server.inventory.push(coat)
  const mine = { title: 'Ada’s coat', inventory_item_uid: coat.uid }
  const [list, other] = [sampleTask({ ...mine, ...form, kind: 'list' }), sampleTask({ ...mine, ...form, kind: 'list' })]
  const down = sampleTask({ ...mine, platform: 'poshmark' })
  server.tasks.push(list, other, down)
  await popup(harness)['popup.signIn']({ server: address, email: server.user.email!, password: server.password })
  await watch(harness.context)
  await popup(harness)['inventory.sync']({})
  await popup(harness)['popup.settings']({ change: { pace_ms: 2_000 } })
  server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 1 })
  const tab = buildTab(
    Array.from({ length: 44 }, (_, n) => tabPost(n, { title: 'Ada’s thing' })),
    41,
  )
  const started = await page(harness)['page.import']({ pageContext: tab.pageContext }, tab.page)
  const reading = await tab.readOn(page(harness), started, 1)
  await harness.push()
  // A listing made by form whose report failed.
  server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
  await page(harness)['page.listingDraft']({ task: list.uid }, tab.page)
  await page(harness)['page.listed']({ task: list.uid, ...made }, tab.page)
  expect(server.faults.every(({ times }) => times === 0)).toBe(true)
  expect([await harness.importQueue.outbox.count(), await harness.inventory.rows.count()]).toEqual([
    expect.any(Number),
    1,
  ])
  harness.now.value += 3_600_000
  const snapshot = await takeSnapshot(harness)
  await harness.close()
  return { snapshot, tab, reading, list, other, down, coat }
}

const made = {
  listing_id: '65f000000000000000000001',
  listing_url: 'https://poshmark.com/listing/65f000000000000000000001',
}

function post(n: number) {
  return {
    listing_id: `e${n}`,
    url: `https://www.ebay.com/itm/${n}`,
    description: '',
    price_minor: 900,
    currency: 'USD',
    state: 'available' as const,
    images: ['https://pictures.test/e1'],
  }
}

/** Signs in another, empty account on the same server, whose data no longer includes Ada's. */
async function bobSignsIn({ context, server }: Harness): Promise<string> {
  const { key } = server.createKey('Bob’s')
  server.user.id = 8
  server.ebay = 'none'
  for (const of of [server.inventory, server.tasks, server.jobs, server.sales]) of.length = 0
  server.faults.length = 0
  await popupHandlers(context)['popup.signInByKey']({ server: address, key })
  return key
}

/** Returns all data in this browser as text. */
async function everything(harness: Harness): Promise<string> {
  const values = await Promise.all(
    (await harness.store.names()).map(async (name) => [name, await harness.store.get(name)] as const),
  )
  const rows = await Promise.all(
    [...harness.importQueue.tables, ...harness.inventory.tables].map(
      async (table) => [table.name, await table.toArray()] as const,
    ),
  )
  return JSON.stringify([
    ...values,
    ...rows.filter(([, all]) => all.length > 0),
    harness.shown.badge,
    harness.shown.notifications,
  ])
}

const nothing = '[null,[]]'

/** Runs `work` with the worker killed at the `at`-th operation. Returns the number of operations. */
async function killedAt(harness: Harness, at: number, after: boolean, work: () => Promise<unknown>): Promise<number> {
  const fuse = new Fuse(at, after)
  const { store, clearTraces } = harness.context
  const { fetch } = harness.server
  await harness.restart()
  fuseDatabase(harness.importQueue, fuse)
  fuseDatabase(harness.inventory, fuse)
  harness.context.store = fusedStore(store, fuse)
  harness.context.clearTraces = () => fuse.through(clearTraces)
  Object.assign(harness.server, { fetch: (url: string, init: RequestInit) => fuse.through(() => fetch(url, init)) })
  await work().catch((error: unknown) => {
    if (!wasKilled(error)) throw error
  })
  Object.assign(harness.context, { store, clearTraces })
  Object.assign(harness.server, { fetch })
  await harness.restart()
  return fuse.touches
}

/** Runs `work` with the worker killed before and after each operation. */
async function killedAnywhere(
  work: (harness: Harness) => Promise<unknown>,
  check: (harness: Harness, when: string) => Promise<void>,
): Promise<void> {
  const whole = (await adaAtWork()).harness
  const touches = await killedAt(whole, Number.POSITIVE_INFINITY, false, () => work(whole))
  await check(whole, 'not killed')
  for (const at of somePoints(Array.from({ length: touches }, (_, index) => index + 1))) {
    for (const after of [false, true]) {
      const { harness } = await adaAtWork()
      await killedAt(harness, at, after, () => work(harness))
      await check(harness, `killed ${after ? 'after' : 'before'} touch ${at} of ${touches}`)
      await harness.close()
    }
  }
}

const leave = (harness: Harness) => popup(harness)['popup.signOut']({})

describe('a worker killed at any point of signing out', () => {
  it('leaves a complete session or a complete sign-out', async () => {
    let wholes = 0
    await killedAnywhere(leave, async (harness, when) => {
      await finishSigningOut(harness.context)
      if ((await readSession(harness.store)) === null) {
        expect(await everything(harness), when).toBe(nothing)
        return
      }
      wholes++
      expect(await harness.importQueue.outbox.count(), when).toBeGreaterThan(0)
      expect(harness.server.keys.size, when).toBe(1)
    })
    // The sign-out is complete, except for the first moments.
    expect(wholes).toBeLessThan(6)
  })

  it('leaves nothing for the next user', async () => {
    await killedAnywhere(leave, async (harness, when) => {
      await bobSignsIn(harness)
      await harness.push()
      expect(await everything(harness), when).not.toContain('Ada’s')
      expect(harness.server.jobs, when).toEqual([])
    })
  })

  it('ends the key on the server', async () => {
    await killedAnywhere(leave, async (harness, when) => {
      const left = await everything(harness)
      await finishSigningOut(harness.context)
      if ((await readSession(harness.store)) === null && left !== nothing)
        expect(harness.server.keys.size, when).toBe(0)
    })
  })
})

describe('a worker killed at any point of a switch of accounts', () => {
  it('leaves nothing for the other account', async () => {
    await killedAnywhere(
      (harness) => bobSignsIn(harness),
      async (harness, when) => {
        await finishSigningOut(harness.context)
        await bobSignsIn(harness)
        await harness.push()
        expect(await everything(harness), when).not.toContain('Ada’s')
        expect(harness.server.jobs, when).toEqual([])
      },
    )
  })
})

describe('a worker killed at any point of signing in again', () => {
  it('keeps queued data', async () => {
    const again = ({ server, context }: Harness) =>
      popupHandlers(context)['popup.signIn']({ server: address, email: server.user.email!, password: server.password })
    await killedAnywhere(again, async (harness, when) => {
      await finishSigningOut(harness.context)
      await again(harness)
      expect(await harness.importQueue.outbox.count(), when).toBeGreaterThan(0)
    })
  })
})

type AtWork = Awaited<ReturnType<typeof adaAtWork>>

/** Operations in progress that touch several listings. */
const underWay: Record<string, (at: AtWork) => Promise<unknown>> = {
  'looking what needs the seller': ({ harness }) => watch(harness.context),
  'the overview': ({ harness }) => popup(harness)['popup.overview']({ fresh: true }),
  'an import by the server': ({ harness }) => popup(harness)['popup.import']({ platform: 'ebay' }),
  'a task that is done': ({ harness, down }) => popup(harness)['popup.finishTask']({ uid: down.uid, how: 'done' }),
  'a task whose form is opened': ({ harness, other }) => popup(harness)['popup.openTask']({ uid: other.uid }),
  'an import that is put out of sight': ({ harness }) => popup(harness)['popup.dismiss']({ id: 'an import' }),
  'a change of settings': ({ harness }) => popup(harness)['popup.settings']({ change: { notify: false } }),
  'reading the inventory': ({ harness, coat }) => {
    harness.server.inventory.push({ ...coat, version: 2 })
    return popup(harness)['inventory.sync']({})
  },
  'an item’s page': ({ harness, coat }) => popup(harness)['inventory.item']({ uid: coat.uid }),
  sending: ({ harness }) => harness.push(),
  'telling what was listed': ({ harness }) => sendReports(harness.context),
  'a page that looks': ({ harness, tab }) => page(harness)['page.look']({ pageContext: tab.pageContext }, tab.page),
  'an import that begins': ({ harness, tab }) => {
    const closet = { ...tab.pageContext, url: 'https://poshmark.com/closet/other' }
    const cookies = { ui: encodeURIComponent(JSON.stringify({ uid: 'u2', dh: 'other' })) }
    return page(harness)['page.import']({ pageContext: { ...closet, cookies } }, tab.page)
  },
  'an import that is read': ({ harness, tab, reading }) => tab.readOn(page(harness), reading),
  'a form that is filled in': ({ harness, tab, other }) =>
    page(harness)['page.listingDraft']({ task: other.uid }, tab.page),
  'a listing that was made by form': ({ harness, tab, list }) =>
    page(harness)['page.listed']({ task: list.uid, ...made }, tab.page),
  'a button that was pressed': ({ harness, tab, down }) => page(harness)['page.pressed']({ task: down.uid }, tab.page),
  'a listing to end': ({ harness, tab, down }) => page(harness)['page.down']({ task: down.uid }, tab.page),
  'a key that the server refuses': ({ harness }) => {
    harness.server.keys.clear()
    return watch(harness.context)
  },
}

/** Runs `meanwhile` at each step of an operation, one step per run. */
async function atEachStep(
  operation: (at: AtWork) => Promise<unknown>,
  meanwhile: (at: AtWork) => Promise<unknown>,
  check: (at: AtWork, when: string) => Promise<void>,
  before: (harness: Harness) => Promise<unknown> = async () => {},
): Promise<void> {
  const pausedAt = async (step: number) => {
    const at = await adaAtWork()
    await before(at.harness)
    const pause = new Pause(step, () => meanwhile(at))
    pause.putInto(at.harness)
    // Ignore the operation's outcome.
    await Promise.allSettled([operation(at)])
    await pause.over()
    return { at, pause }
  }
  const { pause: counted } = await pausedAt(Number.POSITIVE_INFINITY)
  expect(counted.steps).toBeGreaterThan(2)
  for (const step of somePoints(Array.from({ length: counted.steps }, (_, index) => index))) {
    const { at, pause } = await pausedAt(step)
    expect(pause.reached).toBe(true)
    await check(at, `at step ${step} of ${counted.steps}`)
    await at.harness.close()
  }
}

describe('signing out at each step of a running operation', () => {
  it.each(Object.keys(underWay))('leaves nothing of %s', async (name) => {
    await atEachStep(
      underWay[name]!,
      ({ harness }) => leave(harness),
      async ({ harness }, when) => expect(await everything(harness), when).toBe(nothing),
    )
  })
})

describe('switching accounts at each step of an operation', () => {
  it.each(Object.keys(underWay))('leaves nothing of %s for the other account', async (name) => {
    let key = ''
    await atEachStep(
      underWay[name]!,
      async ({ harness }) => {
        key = await bobSignsIn(harness)
      },
      async ({ harness, list }, when) => {
        expect((await readSession(harness.store))?.key, when).toBe(key)
        expect(await everything(harness), when).not.toMatch(/Ada’s|65f000000000000000000001/)
        const asBob = harness.server.requests.filter(({ headers }) => headers['x-api-key'] === key)
        expect(JSON.stringify(asBob), when).not.toContain(list.uid)
      },
    )
  })
})

describe('two concurrent sign-ins', () => {
  it('run in turn and leave only the second account', async () => {
    let key = ''
    await atEachStep(
      async ({ harness }) => {
        const { server } = harness
        const ada = { server: address, email: server.user.email!, password: server.password }
        await popup(harness)['popup.signIn'](ada)
      },
      async ({ harness }) => {
        key = await bobSignsIn(harness)
      },
      async ({ harness }, when) => {
        const { server } = harness
        const session = await readSession(harness.store)
        expect([key, [...server.keys.values()].at(-1)?.secret, [...server.keys.values()].at(0)?.secret]).toContain(
          session?.key,
        )
        expect((await harness.store.names()).sort(), when).toEqual(['session', 'sync'])
      },
      leave,
    )
  })
})

describe('signing out while the server hangs', () => {
  it('aborts uploads between two requests', async () => {
    const { harness } = await adaAtWork()
    const { server } = harness
    const { fetch } = server
    let out: Promise<unknown> = Promise.resolve()
    Object.assign(server, {
      fetch: async (url: string, init: RequestInit) => {
        if (!url.endsWith('/imports/')) return fetch(url, init)
        const answer = await fetch(url, init)
        // Once answered, no request is left to abort.
        out = leave(harness)
        await new Promise((resolve) => setTimeout(resolve, 0))
        return answer
      },
    })
    await harness.push()
    await out
    expect(server.requests.map(({ operation }) => operation)).not.toContain('sendImportBatch')
    expect(await everything(harness)).toBe(nothing)
  })
})
