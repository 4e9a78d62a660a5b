import { afterEach, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { ClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { newOrderedId } from '#shared/identity.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import * as sql from '../queries.ts'
import { useSaleMail } from '../testing/harness.ts'
import { startHostileImap } from '../testing/hostile-imap.ts'
import { type ImapServer, imapAccess, startImapServer } from '../testing/imap-server.ts'
import { startMailboxWorker } from '../worker.ts'

const harness = useSaleMail({
  times: { mailboxBeatMs: 1_000, mailboxOpenMs: 2_000 },
})
let worker: ClaimWorker | null = null
let ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await worker?.stop()
  worker = null
  await harness.server.services.db.none('delete from sale_mailbox')
  for (const end of ending) await end()
  ending = []
})

const start = (places: { all: number; idle: number }) => {
  worker = startMailboxWorker(harness.server.services, { pollMs: 50, places })
}

async function startHonest(): Promise<ImapServer> {
  const server = await startImapServer()
  ending.push(server.close)
  return server
}

/** Stores the mailbox of a new account. `soldDays`: the age of its last sale mail. */
async function insertMailbox(server: { port: number }, { soldDays }: { soldDays?: number } = {}) {
  const { db, config } = harness.server.services
  const { port, user, password, folder } = imapAccess(server)
  const { user_id } = await harness.build([])
  const encrypted = encrypt(password, passwordPlace(user_id), saleMailKey(config))
  await db.none(
    `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder)
     values ($1, '127.0.0.1', $2, 'none', $3, $4, $5)`,
    [user_id, port, user, encrypted, folder],
  )
  if (soldDays !== undefined) {
    await db.none(
      `insert into sale_mail (user_id, uid, via, size, received_at, outcome, marketplace, kind)
       values ($1, $2, 'imap', 1, now() - make_interval(days => $3), 'held', 'poshmark', 'sale')`,
      [user_id, newOrderedId('mal'), soldDays],
    )
  }
  return user_id
}
const rows = () => harness.server.services.db.any('select * from sale_mailbox')

describe('mailboxes of a worker with fewer places', () => {
  it('are all read, and none keeps its place', async () => {
    const server = await startHonest()
    for (let n = 0; n < 9; n++) await insertMailbox(server)
    start({ all: 3, idle: 1 })
    await until(rows, (all) => all.every(({ state }) => state === 'waiting'))
    await until(() => server.connections() <= 1)
    const resting = (await rows()).filter(({ lease_until }) => lease_until === null)
    expect(resting.length).toBeGreaterThanOrEqual(8)
    for (const { next_try_at, checked_at } of resting)
      expect(Date.parse(next_try_at) - Date.parse(checked_at)).toBe(240_000)
  })

  it('leave the places for news to those who sold last', async () => {
    const [sold, soldLongAgo, never] = [await startHonest(), await startHonest(), await startHonest()]
    await insertMailbox(soldLongAgo, { soldDays: 40 })
    await insertMailbox(never)
    await insertMailbox(sold, { soldDays: 2 })
    start({ all: 5, idle: 1 })
    await until(rows, (all) => all.every(({ state }) => state === 'waiting'))
    await until(() => soldLongAgo.connections() + never.connections() === 0)
    expect(sold.connections()).toBe(1)
  })

  it('are read although hostile servers never answer', async () => {
    const silent = await startHostileImap('LOGIN', 'a line without end', {
      pauseMs: 200,
    })
    ending.push(silent.close)
    for (let n = 0; n < 6; n++) await insertMailbox(silent)
    const server = await startHonest()
    const user_id = await insertMailbox(server)
    start({ all: 3, idle: 1 })
    const own = async () => (await rows()).find((row) => row.user_id === user_id)
    await until(own, ({ state }) => state === 'waiting')
    await until(rows, (all) => all.filter(({ state }) => state === 'failed').length === 6)
    const failed = (await rows()).filter(({ state }) => state === 'failed')
    for (const { next_try_at } of failed) expect(Date.parse(next_try_at)).toBeGreaterThan(Date.now() + 15_000)
  })

  it('come in turn: new, long unread, and last those that fail', async () => {
    const { db } = harness.server.services
    const server = { port: 1 }
    const [failing, read, unread, fresh] = [
      await insertMailbox(server),
      await insertMailbox(server),
      await insertMailbox(server),
      await insertMailbox(server),
    ]
    await db.none('update sale_mailbox set failures = 1 where user_id = $1', [failing])
    await db.none("update sale_mailbox set checked_at = now() - interval '5 minutes' where user_id = $1", [read])
    await db.none("update sale_mailbox set checked_at = now() - interval '9 minutes' where user_id = $1", [unread])
    const due = await db.any(sql.listDueMailboxes({ count: 9 }))
    expect(due.map(({ user_id }) => user_id)).toEqual([fresh, unread, read, failing])
  })
})
