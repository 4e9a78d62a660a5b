import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import { Fuse, fuseDatabase, fusedStore, wasKilled } from '#extension/testing/fuse.ts'
import { type Bench, buildBench } from '#extension/testing/harness.ts'
import { inventoryItem } from '#extension/testing/inventory-item.ts'
import { Pause } from '#extension/testing/pause.ts'
import { sampleTask } from '#extension/testing/sample-task.ts'
import { buildTab, tabPost } from '#extension/testing/tab.ts'
import { pageHandlers } from '../handlers/page-handlers.ts'
import { popupHandlers } from '../handlers/popup-handlers.ts'
import { sendReports } from '../handlers/tab-task-handlers.ts'
import { watch } from '../tasks/watch.ts'
import { finishSigningOut } from './account.ts'
import { readSession } from './session.ts'

const address = 'https://hapax.test'
const open: Bench[] = []
afterEach(async () => {
  for (const bench of open.splice(0)) await bench.close()
})

const popup = ({ context }: Bench) => popupHandlers(context)
const page = ({ context }: Bench) => pageHandlers(context)

/** Somebody in the middle of everything, all of whose things say that they are Ada's: half an import, tasks, an inventory. */
async function adaAtWork() {
  const bench = await buildBench({ signedIn: false })
  open.push(bench)
  const { server } = bench
  const form = { platform: 'poshmark', url: 'https://poshmark.com/create-listing' } as const
  server.ebay = 'connected'
  server.shopName = 'Ada’s shop'
  const coat = inventoryItem('ebay', { ...post(0), title: 'Ada’s coat' })
  server.inventory.push(coat)
  const mine = { title: 'Ada’s coat', inventory_item_uid: coat.uid }
  const [list, other] = [sampleTask({ ...mine, ...form, kind: 'list' }), sampleTask({ ...mine, ...form, kind: 'list' })]
  const down = sampleTask({ ...mine, platform: 'poshmark' })
  server.tasks.push(list, other, down)
  await popup(bench)['popup.signIn']({ server: address, email: server.user.email!, password: server.password })
  await watch(bench.context)
  await popup(bench)['stock.sync']({})
  await popup(bench)['popup.settings']({ change: { pace_ms: 2_000 } })
  server.faults.push({ operation: 'startExtensionImport', code: 'network', times: 1 })
  const tab = buildTab(
    Array.from({ length: 44 }, (_, n) => tabPost(n, { title: 'Ada’s thing' })),
    41,
  )
  const started = await page(bench)['page.import']({ clues: tab.clues }, tab.page)
  const reading = await tab.readOn(page(bench), started, 1)
  await bench.push()
  // A listing that was made by form, and of which the server could not be told.
  server.faults.push({ operation: 'completeTask', code: 'network', times: 1 })
  await page(bench)['page.sheet']({ task: list.uid }, tab.page)
  await page(bench)['page.listed']({ task: list.uid, ...made }, tab.page)
  expect(server.faults.every(({ times }) => times === 0)).toBe(true)
  expect([await bench.cache.outbox.count(), await bench.stock.rows.count()]).toEqual([expect.any(Number), 1])
  bench.now.value += 3_600_000
  return { bench, tab, reading, list, other, down, coat }
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

/** Somebody else, who has nothing yet, signs in on the same server: all that is Ada's is gone from there. */
async function bobSignsIn({ context, server }: Bench): Promise<string> {
  const { key } = server.createKey('Bob’s')
  server.user.id = 8
  server.ebay = 'none'
  for (const of of [server.inventory, server.tasks, server.jobs, server.sales]) of.length = 0
  server.faults.length = 0
  await popupHandlers(context)['popup.signInByKey']({ server: address, key })
  return key
}

/** Everything that this browser has, as text. */
async function everything(bench: Bench): Promise<string> {
  const values = await Promise.all(
    (await bench.store.names()).map(async (name) => [name, await bench.store.get(name)] as const),
  )
  const rows = await Promise.all(
    [...bench.cache.tables, ...bench.stock.tables].map(async (table) => [table.name, await table.toArray()] as const),
  )
  return JSON.stringify([
    ...values,
    ...rows.filter(([, all]) => all.length > 0),
    bench.shown.badge,
    bench.shown.notices,
  ])
}

const nothing = '[null,[]]'

/** Runs something with the worker killed at the `at`-th touch; tells how many touches there were. */
async function killedAt(bench: Bench, at: number, after: boolean, work: () => Promise<unknown>): Promise<number> {
  const fuse = new Fuse(at, after)
  const { store, clearTraces } = bench.context
  const { fetch } = bench.server
  await bench.restart()
  fuseDatabase(bench.cache, fuse)
  fuseDatabase(bench.stock, fuse)
  bench.context.store = fusedStore(store, fuse)
  bench.context.clearTraces = () => fuse.through(clearTraces)
  Object.assign(bench.server, { fetch: (url: string, init: RequestInit) => fuse.through(() => fetch(url, init)) })
  await work().catch((error: unknown) => {
    if (!wasKilled(error)) throw error
  })
  Object.assign(bench.context, { store, clearTraces })
  Object.assign(bench.server, { fetch })
  await bench.restart()
  return fuse.touches
}

/** Tries something with the worker killed before and after each touch of the world. */
async function killedAnywhere(
  work: (bench: Bench) => Promise<unknown>,
  check: (bench: Bench, when: string) => Promise<void>,
): Promise<void> {
  const whole = (await adaAtWork()).bench
  const touches = await killedAt(whole, Number.POSITIVE_INFINITY, false, () => work(whole))
  await check(whole, 'not killed')
  for (let at = 1; at <= touches; at++) {
    for (const after of [false, true]) {
      const { bench } = await adaAtWork()
      await killedAt(bench, at, after, () => work(bench))
      await check(bench, `killed ${after ? 'after' : 'before'} touch ${at} of ${touches}`)
      await bench.close()
    }
  }
}

const leave = (bench: Bench) => popup(bench)['popup.signOut']({})

describe('a worker killed at any point of signing out', () => {
  it('is followed by one that empties the browser and ends the key, or by a session that is whole', async () => {
    let wholes = 0
    await killedAnywhere(leave, async (bench, when) => {
      await finishSigningOut(bench.context)
      if ((await readSession(bench.store)) === null) {
        expect(await everything(bench), when).toBe(nothing)
        return
      }
      wholes++
      expect(await bench.cache.outbox.count(), when).toBeGreaterThan(0)
      expect(bench.server.keys.size, when).toBe(1)
    })
    // Whoever pressed "Sign out" finds it done, but for the first moments.
    expect(wholes).toBeLessThan(6)
  })

  it('leaves nothing to whoever signs in next', async () => {
    await killedAnywhere(leave, async (bench, when) => {
      await bobSignsIn(bench)
      await bench.push()
      expect(await everything(bench), when).not.toContain('Ada’s')
      expect(bench.server.jobs, when).toEqual([])
    })
  })

  it('ends the key on the server as well, unless it was killed when nothing of it was here any more', async () => {
    await killedAnywhere(leave, async (bench, when) => {
      const left = await everything(bench)
      await finishSigningOut(bench.context)
      if ((await readSession(bench.store)) === null && left !== nothing) expect(bench.server.keys.size, when).toBe(0)
    })
  })
})

describe('a worker killed at any point of a switch of accounts', () => {
  it('leaves nothing to the other account, whoever finishes it', async () => {
    await killedAnywhere(
      (bench) => bobSignsIn(bench),
      async (bench, when) => {
        await finishSigningOut(bench.context)
        await bobSignsIn(bench)
        await bench.push()
        expect(await everything(bench), when).not.toContain('Ada’s')
        expect(bench.server.jobs, when).toEqual([])
      },
    )
  })
})

describe('a worker killed at any point of signing in again', () => {
  it('keeps what waits to be sent', async () => {
    const again = ({ server, context }: Bench) =>
      popupHandlers(context)['popup.signIn']({ server: address, email: server.user.email!, password: server.password })
    await killedAnywhere(again, async (bench, when) => {
      await finishSigningOut(bench.context)
      await again(bench)
      expect(await bench.cache.outbox.count(), when).toBeGreaterThan(0)
    })
  })
})

type AtWork = Awaited<ReturnType<typeof adaAtWork>>

/** What may be under way, and touches more than one thing. */
const underWay: Record<string, (at: AtWork) => Promise<unknown>> = {
  'looking what needs the seller': ({ bench }) => watch(bench.context),
  'the overview': ({ bench }) => popup(bench)['popup.overview']({ fresh: true }),
  'an import by the server': ({ bench }) => popup(bench)['popup.import']({ platform: 'ebay' }),
  'a task that is done': ({ bench, down }) => popup(bench)['popup.finishTask']({ uid: down.uid, how: 'done' }),
  'a task whose form is opened': ({ bench, other }) => popup(bench)['popup.openTask']({ uid: other.uid }),
  'an import that is put out of sight': ({ bench }) => popup(bench)['popup.dismiss']({ id: 'an import' }),
  'a change of settings': ({ bench }) => popup(bench)['popup.settings']({ change: { notify: false } }),
  'reading the inventory': ({ bench, coat }) => {
    bench.server.inventory.push({ ...coat, version: 2 })
    return popup(bench)['stock.sync']({})
  },
  'an item’s page': ({ bench, coat }) => popup(bench)['stock.item']({ uid: coat.uid }),
  sending: ({ bench }) => bench.push(),
  'telling what was listed': ({ bench }) => sendReports(bench.context),
  'a page that looks': ({ bench, tab }) => page(bench)['page.look']({ clues: tab.clues }, tab.page),
  'an import that begins': ({ bench, tab }) => {
    const closet = { ...tab.clues, url: 'https://poshmark.com/closet/other' }
    const cookies = { ui: encodeURIComponent(JSON.stringify({ uid: 'u2', dh: 'other' })) }
    return page(bench)['page.import']({ clues: { ...closet, cookies } }, tab.page)
  },
  'an import that is read': ({ bench, tab, reading }) => tab.readOn(page(bench), reading),
  'a form that is filled in': ({ bench, tab, other }) => page(bench)['page.sheet']({ task: other.uid }, tab.page),
  'a listing that was made by form': ({ bench, tab, list }) =>
    page(bench)['page.listed']({ task: list.uid, ...made }, tab.page),
  'a button that was pressed': ({ bench, tab, down }) => page(bench)['page.pressed']({ task: down.uid }, tab.page),
  'a listing that was taken down': ({ bench, tab, down }) => page(bench)['page.down']({ task: down.uid }, tab.page),
  'a key that the server refuses': ({ bench }) => {
    bench.server.keys.clear()
    return watch(bench.context)
  },
}

/** Does `meanwhile` at each step of something that is under way, one step a time. */
async function atEachStep(
  name: string,
  meanwhile: (at: AtWork) => Promise<unknown>,
  check: (at: AtWork, when: string) => Promise<void>,
): Promise<void> {
  for (let step = 0; ; step++) {
    const at = await adaAtWork()
    const pause = new Pause(step, () => meanwhile(at))
    pause.putInto(at.bench)
    // What it answers is of no interest: nobody is there to hear it.
    await Promise.allSettled([underWay[name]!(at)])
    await pause.over()
    if (!pause.reached) return expect(step).toBeGreaterThan(2)
    await check(at, `at step ${step}`)
    await at.bench.close()
  }
}

describe('signing out at each step of what is under way', () => {
  it.each(Object.keys(underWay))('leaves nothing of %s', async (name) => {
    await atEachStep(
      name,
      ({ bench }) => leave(bench),
      async ({ bench }, when) => expect(await everything(bench), when).toBe(nothing),
    )
  })
})

describe('a switch of accounts at each step of what is under way', () => {
  it.each(Object.keys(underWay))('leaves nothing of %s to the other account', async (name) => {
    let key = ''
    await atEachStep(
      name,
      async ({ bench }) => {
        key = await bobSignsIn(bench)
      },
      async ({ bench, list }, when) => {
        expect((await readSession(bench.store))?.key, when).toBe(key)
        expect(await everything(bench), when).not.toMatch(/Ada’s|65f000000000000000000001/)
        const asBob = bench.server.requests.filter(({ headers }) => headers['x-api-key'] === key)
        expect(JSON.stringify(asBob), when).not.toContain(list.uid)
      },
    )
  })
})

describe('two who sign in at once', () => {
  it('are one after the other: what the first had is gone when the second is there', async () => {
    for (let step = 0; ; step++) {
      const { bench } = await adaAtWork()
      await leave(bench)
      let key = ''
      const pause = new Pause(step, async () => {
        key = await bobSignsIn(bench)
      })
      pause.putInto(bench)
      const { server } = bench
      const ada = { server: address, email: server.user.email!, password: server.password }
      await Promise.allSettled([popup(bench)['popup.signIn'](ada)])
      await pause.over()
      if (!pause.reached) return expect(step).toBeGreaterThan(10)
      const session = await readSession(bench.store)
      expect([key, [...server.keys.values()].at(-1)?.secret, [...server.keys.values()].at(0)?.secret]).toContain(
        session?.key,
      )
      expect((await bench.store.names()).sort(), `at step ${step}`).toEqual(['session', 'sync'])
      await bench.close()
    }
  })
})

describe('signing out while the server hangs', () => {
  it('gives up sending between two requests too: nothing is waited for, and nothing more is sent', async () => {
    const { bench } = await adaAtWork()
    const { server } = bench
    const { fetch } = server
    let out: Promise<unknown> = Promise.resolve()
    Object.assign(server, {
      fetch: async (url: string, init: RequestInit) => {
        if (!url.endsWith('/imports/')) return fetch(url, init)
        const answer = await fetch(url, init)
        // The answer is there: nothing is under way that could be given up.
        out = leave(bench)
        await new Promise((resolve) => setTimeout(resolve, 0))
        return answer
      },
    })
    await bench.push()
    await out
    expect(server.requests.map(({ operation }) => operation)).not.toContain('sendImportBatch')
    expect(await everything(bench)).toBe(nothing)
  })
})
