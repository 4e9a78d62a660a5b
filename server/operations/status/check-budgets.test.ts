import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { testSecretKey } from '#e2e/harness/server-process.ts'
import { readConfig } from '#server/config.ts'
import { checkBudgets } from './check-budgets.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  const { user_id } = await buildAccount(database.db)
  await database.db.none(
    `insert into seller_account (user_id, uid, platform, external_id, external_name, url, status)
     select $1, 'sel_' || n, 'etsy', n, n, 'x', 'connected' from generate_series(1, 1251) n`,
    [user_id],
  )
  await database.db.none(
    `insert into order_sync (user_id, seller_account_uid, platform, last_success_at)
     select user_id, uid, platform, now() from seller_account`,
  )
})
afterAll(() => database?.drop())

const warning =
  '1251 shops on etsy need 5004 calls a day to have their orders read every 6 h; there are 5000. They are read every 6 h instead: a sale whose notice is lost is found that late. Ask Etsy for more calls, and set ETSY_DAILY_CALLS.'

describe('shops that need more calls than there are', () => {
  it('are warned of, until Etsy grants more', async () => {
    expect(await checkBudgets(database.db, readConfig({}))).toEqual([warning])
    expect(await checkBudgets(database.db, readConfig({ ETSY_DAILY_CALLS: '11000' }))).toEqual([])
    await database.db.none("update seller_account set status = 'revoked' where uid = 'sel_1'")
    expect(await checkBudgets(database.db, readConfig({}))).toEqual([])
    await database.db.none("update seller_account set status = 'connected' where uid = 'sel_1'")
  })

  it('are named in the log of a start', async () => {
    const port = await freePorts(1)
    const child = spawn(process.execPath, [fileURLToPath(new URL('../../main.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PORT: String(port),
        SECRET_KEY: testSecretKey,
        DATABASE_URL: database.url,
        LOG_LEVEL: 'info',
        PAUSED: 'on',
        DATABASE_POOL: '2',
        DATABASE_WORK_POOL: '2',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      },
    })
    let log = ''
    for await (const text of child.stdout.setEncoding('utf8')) {
      log += text
      if (log.includes('"started"')) break
    }
    child.kill('SIGTERM')
    await once(child, 'exit')
    expect(log).toContain(warning)
  })
})
