import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { ClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { usualTimes } from '#server/times.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import { useSaleMail } from '../testing/harness.ts'
import { type AttackedCommand, type attacks, startHostileImap } from '../testing/hostile-imap.ts'
import { type ImapServer, imapAccess, startImapServer } from '../testing/imap-server.ts'
import { capturedMail, sign } from '../testing/signed-mail.ts'
import { startMailboxWorker } from '../worker.ts'

const harness = useSaleMail({ times: { mailboxBeatMs: 1_000 } })
let worker: ClaimWorker | null = null
let ending: (() => Promise<unknown>)[] = []
let honest: ImapServer
beforeAll(async () => {
  honest = await startImapServer()
})
afterEach(async () => {
  await worker?.stop()
  worker = null
  Object.assign(harness.server.services.times, usualTimes)
  await harness.server.services.db.none('delete from sale_mailbox')
  for (const end of ending) await end()
  ending = []
})
afterAll(() => honest?.close())

const start = (places?: { all: number; idle: number }) => {
  worker = startMailboxWorker(harness.server.services, {
    pollMs: 50,
    ...(places && { places }),
  })
}

/** Stores the mailbox of a new account, as if its server had let it in before. */
async function insertMailbox({ port, user, password, folder }: ReturnType<typeof imapAccess>) {
  const { db, config } = harness.server.services
  const seller = await harness.build(['mercari'])
  const encrypted = encrypt(password, passwordPlace(seller.user_id), saleMailKey(config))
  await db.none(
    `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder)
     values ($1, '127.0.0.1', $2, 'none', $3, $4, $5)`,
    [seller.user_id, port, user, encrypted, folder],
  )
  const read = () => db.one('select * from sale_mailbox where user_id = $1', [seller.user_id])
  return { ...seller, read }
}

async function startAttack(command: AttackedCommand, attack: keyof typeof attacks, options = {}) {
  const server = await startHostileImap(command, attack, options)
  ending.push(server.close)
  return { server, mailbox: await insertMailbox(imapAccess(server)) }
}

const attacked: [AttackedCommand, keyof typeof attacks][] = [
  ['GREETING', 'a line without end'],
  ['GREETING', 'untagged lines without end'],
  ['CAPABILITY', 'many small literals'],
  ['LOGIN', 'tags that nobody sent'],
  ['LIST', 'nested lists'],
  ['LIST', 'many folders'],
  ['EXAMINE', 'many flags'],
  ['EXAMINE', 'changes without end'],
  ['UID SEARCH', 'ten million uids'],
  ['UID SEARCH', 'many SEARCH answers'],
  ['UID SEARCH', 'wide ESEARCH answers'],
  ['UID FETCH', 'a literal of 900 MB'],
  ['UID FETCH', 'a literal of 1e30 bytes'],
  ['UID FETCH', 'an envelope of 900 MB'],
  ['UID FETCH', 'many mails'],
  ['UID FETCH', 'many addresses'],
  ['UID FETCH', 'long subjects'],
  ['IDLE', 'untagged lines without end'],
  ['IDLE', 'changes without end'],
  ['IDLE', 'a line without end'],
]
/** The system holds some MB for a client that reads no more. */
const sentAtMost = waysIn.imap.bytes + 16_000_000

describe('a hostile mail server', () => {
  it.each(attacked)('is left when its answer to %s is %s', async (command, attack) => {
    const { server, mailbox } = await startAttack(command, attack)
    start()
    const { last_error } = await until(mailbox.read, ({ state }) => state === 'failed')
    expect(last_error).toMatch(/sent too much|closed the connection|No mail server|does not open/)
    await until(() => server.connections() === 0)
    expect(server.sent()).toBeLessThan(sentAtMost)
  })

  it('is left when it takes too long', async () => {
    Object.assign(harness.server.services.times, {
      mailboxOpenMs: 500,
      mailboxReadMs: 1_000,
    })
    const all = [
      await startAttack('GREETING', 'a line without end', { pauseMs: 20 }),
      await startAttack('LOGIN', 'a line without end', { pauseMs: 20 }),
      await startAttack('UID SEARCH', 'ten million uids', { pauseMs: 20 }),
      await startAttack('UID FETCH', 'a literal of 900 MB', { pauseMs: 20 }),
    ]
    start()
    for (const { mailbox, server } of all) {
      const { next_try_at } = await until(mailbox.read, ({ state }) => state === 'failed')
      expect(Date.parse(next_try_at)).toBeGreaterThan(Date.now() + 3_000)
      expect(server.sent()).toBeLessThan(1_000)
    }
  })

  it('is left when many hold much together', async () => {
    const all = await Promise.all(
      Array.from({ length: 7 }, () => startAttack('UID FETCH', 'a literal that stops at 4 MB')),
    )
    start()
    const read = async () => Promise.all(all.map(({ mailbox }) => mailbox.read()))
    const rows = await until(read, (some) => some.filter(({ state }) => state === 'failed').length >= 3)
    expect(rows.find(({ state }) => state === 'failed').last_error).toBe('The mail server sent too much.')
    expect(all.filter(({ server }) => server.connections() > 0).length * 4_000_000).toBeLessThanOrEqual(
      waysIn.imap.heldBytes,
    )
  })

  it('delays nobody, with nine others', async () => {
    const camera = 'Film Camera Compact 35mm'
    for (const [command, attack] of attacked.slice(6, 16)) await startAttack(command, attack)
    const seller = await insertMailbox(imapAccess(honest))
    const item = await harness.list(seller, {
      title: camera,
      price_minor: 12_000,
    })
    const mail = capturedMail('mercari-sale', { to: seller.email }).replace(/ID: m\d+/g, 'ID:')
    honest.add(await sign(mail, { domain: 'alerts.us.mercari.com' }))
    // Processor time, since other work on the machine takes none of it.
    const lagsMs: number[] = []
    start()
    const isHeld = async () => {
      const before = process.cpuUsage()
      await fetch(`${harness.server.url}/healthz`)
      const { user, system } = process.cpuUsage(before)
      lagsMs.push((user + system) / 1_000)
      return (await harness.stateOf(item)) === 'reserved'
    }
    await until(isHeld)
    expect(Math.max(...lagsMs)).toBeLessThan(1_500)
  })

  it('is refused when an account names it', async () => {
    const seller = await harness.build()
    for (const [command, attack] of [
      ['CAPABILITY', 'untagged lines without end'],
      ['LOGIN', 'a literal of 900 MB'],
      ['EXAMINE', 'many flags'],
    ] as const) {
      const server = await startHostileImap(command, attack)
      ending.push(server.close)
      const { status, body } = await harness.call(seller, 'PUT', 'mailbox/', imapAccess(server))
      expect([status, body.code]).toEqual([400, 'mailbox_refused'])
      expect(server.sent()).toBeLessThan(sentAtMost)
    }
  })

  it('that tells of changes all the time is read once a second', async () => {
    const { server, mailbox } = await startAttack('IDLE', 'changes without end', { pauseMs: 5 })
    start()
    await until(mailbox.read, ({ state }) => state === 'waiting')
    const startedMs = performance.now()
    await wait(2_500)
    const seconds = (performance.now() - startedMs) / 1_000
    const searches = server.commands.filter((command) => command === 'UID SEARCH')
    expect(searches.length).toBeLessThanOrEqual(seconds + 2)
  })
})
