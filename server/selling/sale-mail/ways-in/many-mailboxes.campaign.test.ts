import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { encrypt } from '#server/infra/crypto/encrypt.ts'
import type { ClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { passwordPlace, saleMailKey } from '../encryption.ts'
import { useSaleMail } from '../testing/harness.ts'
import { imapAccess, startImapServer } from '../testing/imap-server.ts'
import { startMailboxWorker } from '../worker.ts'

const harness = useSaleMail()
let worker: ClaimWorker | null = null
afterAll(() => worker?.stop())

/** Mailboxes of one worker. Each connection is read by the same fake server. */
const count = rounds(10_000, 1 / 50)
/** Each is read again after four minutes, so that all are read every five. A busy machine takes longer. */
const [promisedMs, busyFactor] = [60_000, 10]

it('reads ten thousand mailboxes in turn within the promised time', { timeout: roundsTimeoutMs(count) }, async () => {
  const { db, config } = harness.server.services
  const server = await startImapServer('gmail')
  const { port, user, password, folder } = imapAccess(server)
  const accounts = await db.any(
    `insert into app_user (username, email)
     select 'many-' || n, 'many-' || n || '@example.com' from generate_series(1, $1) n returning id`,
    [count],
  )
  const rows = accounts.map(({ id }) => ({
    id,
    password: encrypt(password, passwordPlace(id), saleMailKey(config)).toString('hex'),
  }))
  await db.none(
    `insert into sale_mailbox (user_id, host, port, tls, username, encrypted_password, folder)
     select id, '127.0.0.1', $2, 'none', $3, decode(password, 'hex'), $4
     from jsonb_to_recordset($1::jsonb) as given (id bigint, password text)`,
    [JSON.stringify(rows), port, user, folder],
  )
  let mostPlaces = 0
  const startedMs = performance.now()
  const cpu = process.cpuUsage()
  worker = startMailboxWorker(harness.server.services)
  let unread = { left: count, failed: 0 }
  while (unread.left > 0 && performance.now() - startedMs < promisedMs * busyFactor) {
    await wait(200)
    mostPlaces = Math.max(mostPlaces, server.connections())
    unread = await db.one(`select count(*)::integer as left, count(*) filter (where state = 'failed')::integer as failed
      from sale_mailbox where checked_at is null`)
  }
  const seconds = (performance.now() - startedMs) / 1_000
  const { user: used, system } = process.cpuUsage(cpu)
  process.stdout.write(
    `${count} mailboxes in ${seconds.toFixed(1)} s, ${(count / seconds).toFixed(0)} a second, ${((used + system) / 1_000 / count).toFixed(1)} ms of processor time each, at most ${mostPlaces} connections\n`,
  )
  expect(unread).toEqual({ left: 0, failed: 0 })
  expect(mostPlaces).toBeLessThanOrEqual(waysIn.imap.atOnce.all)
  await server.close()
})
