import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { until } from '#e2e/harness/until.ts'
import { startHapax } from '#server/main.ts'
import { usualTimes } from '#server/times.ts'
import { emitEvents } from './emit.ts'
import { openStream } from './testing/open-stream.ts'

let database: TestDatabase
let dataDir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'hapax-stop-'))
})
afterAll(async () => {
  await database?.drop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('a server that stops while streams are open', () => {
  it('ends its streams, and resuming clients miss nothing', async () => {
    const port = await freePorts(5)
    const start = () =>
      startHapax(
        { SANDBOX: 'on', DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(port) },
        {
          logFile: join(dataDir, 'hapax.log'),
          services: { times: { ...usualTimes, closing: { ...usualTimes.closing, drainMs: 0 } } },
        },
      )
    const account = await buildAccount(database.db)
    const emit = (number: number) =>
      database.db.tx((tx) =>
        emitEvents(tx, account.user_id, [{ type: 'sale.recorded', item_uid: 'inv_a', data: { number } }]),
      )
    for (let number = 1; number <= 300; number++) await emit(number)

    const first = await start()
    const stream = await openStream(first.config.PUBLIC_URL, { ...account.key, 'last-event-id': '0' })
    const silent = await openStream(first.config.PUBLIC_URL, account.bearer)
    await until(() => stream.received.length > 0)
    await first.close()
    await Promise.all([stream.reading, silent.reading])
    // The streams end by themselves, before the shutdown timeout cuts them.
    expect([stream.endOf(), silent.endOf()]).toEqual(['ended', 'ended'])
    await emit(301)

    const second = await start()
    try {
      const last = stream.received.at(-1)!.id
      const again = await openStream(second.config.PUBLIC_URL, { ...account.key, 'last-event-id': last })
      await until(() => again.received.at(-1)?.id === '301')
      again.abort.abort()
      const received = [...stream.received, ...again.received].map(({ id }) => Number(id))
      expect(received).toEqual(Array.from({ length: 301 }, (_, index) => index + 1))
    } finally {
      await second.close()
    }
  })
})
