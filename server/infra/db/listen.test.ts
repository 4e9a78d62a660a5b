import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BreakableLink, startBreakableLink } from '#e2e/harness/database/breakable-link.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { until } from '#e2e/harness/until.ts'
import { closeDatabase, type Database, openDatabase } from './index.ts'
import { type Listening, listenTo } from './listen.ts'

let database: TestDatabase
let link: BreakableLink
let db: Database
let listening: Listening
let heard: (string | null)[]
/** Connections are made once this resolves. */
let mayConnect: Promise<void>
beforeEach(async () => {
  database = await createTestDatabase({ checked: false })
  link = await startBreakableLink(database.url)
  db = openDatabase({ url: link.url })
  heard = []
  mayConnect = Promise.resolve()
})
afterEach(async () => {
  await listening.stop()
  await closeDatabase(db)
  await link.close()
  await database.drop()
})

const hasBegun = () => until(() => heard.includes(null))
const tell = (payload: string) => database.db.any("select pg_notify('bell', $1)", [payload])
function listen(timeouts = { probeEveryMs: 20, answerWithinMs: 500, againAfterMs: 20 }) {
  const held = { connect: (options: object) => mayConnect.then(() => db.connect(options)) } as Database
  listening = listenTo({ db: held, log: pino({ level: 'silent' }) }, 'bell', (payload) => heard.push(payload), timeouts)
}

describe('a listening connection', () => {
  it('is replaced when it goes silent, and its listener is woken', async () => {
    listen()
    await hasBegun()
    // Nothing listens again before this, however long it takes.
    const connects = Promise.withResolvers<void>()
    mayConnect = connects.promise
    heard.length = 0
    expect(link.silence(/listen/)).toBe(1)
    await tell('lost')
    connects.resolve()
    await hasBegun()
    await tell('heard')
    await until(() => heard.includes('heard'))
    expect(heard).not.toContain('lost')
  })

  it('stays open while it answers probes', async () => {
    listen({ probeEveryMs: 1, answerWithinMs: 60_000, againAfterMs: 1 })
    await hasBegun()
    await new Promise((resolve) => setTimeout(resolve, 200))
    await tell('heard')
    await until(() => heard.includes('heard'))
    expect(heard).toEqual([null, 'heard'])
  })

  it('stops even if it is dead', async () => {
    listen({ probeEveryMs: 3_600_000, answerWithinMs: 200, againAfterMs: 20 })
    await hasBegun()
    link.silence()
    await listening.stop()
  })
})
