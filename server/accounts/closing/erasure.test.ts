import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { messagesTo, settleDeferredMessages } from '#e2e/harness/outbox.ts'
import { goodPassword, register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { removeImageFiles } from '#server/catalog/images/tidy-images.ts'
import { createImageStore } from '#server/infra/image-store/index.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { exportAccount as declaration } from '#shared/contract/account/accounts.ts'
import { eraseAccount, eraseDueAccounts } from './erase-account.ts'
import { leftOut } from './export-account.ts'
import { canary, plantCanaries } from './testing/plant-canaries.ts'

let apple: AppleSandbox
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleSandbox()
  server = await startTestServer({ passwords: cheapPasswords, environment: { SANDBOX: 'on', ...apple.environment } })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await apple?.close()
})

/** Accounts with inconsistent planted rows, removed before the invariants are checked. */
const planted: number[] = []
async function plant(user_id: number): Promise<string[]> {
  planted.push(user_id)
  return plantCanaries(server.services.db, user_id)
}
afterEach(async () => {
  const { db } = server.services
  for (const user_id of planted.splice(0)) {
    await db.none("update app_user set state = 'deactivated', deactivated_at = now() where id = $1", [user_id])
    await eraseAccount(server.services, user_id)
    await db.none('delete from stripe_customer where user_id = $1', [user_id])
  }
})

const close = (token: string) => api('POST', '/api/v1/user/deactivate/', { headers: bearer(token) })
const closedDaysAgo = (id: number, days: number) =>
  server.services.db.none("update app_user set deactivated_at = now() - $2 * interval '1 day' where id = $1", [
    id,
    days,
  ])
const stateOf = (id: number) =>
  server.services.db.one(
    'select state, email, phone_number, password_hash, erased_at is not null as is_erased from app_user where id = $1',
    [id],
  )

/** Returns every row of every table that contains one of the texts. */
async function rowsWith(texts: string[]): Promise<string[]> {
  const { db } = server.services
  const tables = await db.map(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
    [],
    ({ name }: { name: string }) => name,
  )
  const found = []
  for (const table of tables) {
    for (const { row } of await db.any<{ row: string }>(`select each::text as row from ${table} each`)) {
      const text = texts.find((each) => row.includes(each) || row.includes(Buffer.from(each).toString('hex')))
      if (text !== undefined) found.push(`${text} in ${table}: ${row}`)
    }
  }
  return found
}

/** Creates a closed account with a row in every table, a phone number and an Apple identity. */
async function closedWithCanaries() {
  const account = await register(api)
  const phone = somePhone()
  const who = { sub: `000.${account.id}.apple` }
  await server.services.db.none(
    "update app_user set phone_number = $2, phone_verified = true, first_name = 'Adelheid', last_name = $3 where id = $1",
    [account.id, phone, canary],
  )
  await api('POST', '/api/auth/connect-social/', {
    headers: bearer(account.token),
    body: { provider: 'apple', token: (await apple.signIn(who)).identity_token },
  })
  expect((await close(account.token)).status).toBe(200)
  const tables = await plant(account.id)
  return { ...account, phone, who, tables }
}

describe('the erasure of a closed account', () => {
  it('leaves no row that names the account', async () => {
    const account = await closedWithCanaries()
    const { db } = server.services
    expect(account.tables.length).toBeGreaterThan(40)
    for (const table of account.tables) {
      expect(await db.any('select 1 from $1:name where user_id = $2', [table, account.id]), table).not.toEqual([])
    }
    await server.services.audit.flush()
    await closedDaysAgo(account.id, 31)
    await eraseDueAccounts(server.services)
    // The files of photos follow within a minute.
    await removeImageFiles(db, createImageStore(server.services.config))
    for (const table of account.tables.filter((name) => name !== 'stripe_customer')) {
      expect(await db.any('select 1 from $1:name where user_id = $2', [table, account.id]), table).toEqual([])
    }
    await db.none('delete from stripe_customer where user_id = $1', [account.id])
    const [localPart] = account.email.split('@') as [string]
    const names = [canary, localPart, account.phone, account.who.sub, 'Adelheid']
    expect(await rowsWith(names)).toEqual([])
    expect(server.logged.length).toBeGreaterThan(0)
    expect(server.logged.filter((line) => names.some((name) => line.includes(name)))).toEqual([])
    expect(await stateOf(account.id)).toMatchObject({ state: 'deactivated', email: null, is_erased: true })
  })

  it('keeps address, number and identity reserved', async () => {
    const account = await closedWithCanaries()
    await eraseAccount(server.services, account.id)
    const body = { email: account.email, password: goodPassword, password_confirm: goodPassword }
    expect(await api('POST', '/api/auth/register/email/', { body })).toMatchObject({
      status: 409,
      body: { code: 'email_in_use' },
    })
    const begun = await api('POST', '/api/auth/register/begin/', { body: { phone_number: account.phone } })
    expect(begun.status).toBe(200)
    await settleDeferredMessages(server.services)
    const [text] = await messagesTo(server.services, account.phone)
    expect(text?.text).toContain('cannot be used for a new account')
    const signedIn = await api('POST', '/api/auth/apple/', { body: await apple.signIn(account.who) })
    expect(signedIn).toMatchObject({ status: 401, body: { code: 'invalid_identity_token' } })
  })

  it('waits 30 days and never touches an open account', async () => {
    const [open, closed] = [await register(api), await register(api)]
    await close(closed.token)
    await closedDaysAgo(closed.id, 29)
    await eraseDueAccounts(server.services)
    expect(await stateOf(closed.id)).toMatchObject({ email: closed.email, is_erased: false })
    expect(await eraseAccount(server.services, open.id)).toBe(false)
    expect(await stateOf(open.id)).toMatchObject({ state: 'active', email: open.email })
  })

  it('continues after a crash', async () => {
    const account = await closedWithCanaries()
    const stopped = AbortSignal.abort()
    await eraseAccount(server.services, account.id, stopped)
    expect(await stateOf(account.id)).toMatchObject({ email: null, is_erased: false })
    await eraseDueAccounts(server.services)
    expect(await stateOf(account.id)).toMatchObject({ is_erased: true })
    expect(await rowsWith([`"user_id": ${account.id},`])).toEqual([])
  })
})

describe('a closed account', () => {
  it('has no public pages once it is closed', async () => {
    const account = await register(api)
    const item = await api('POST', '/api/v1/inventory/', {
      headers: bearer(account.token),
      body: {
        title: 'Wool coat',
        images: ['https://example.com/coat.jpg'],
        condition: { label: 'Good' },
        offer: { price_minor: 8_500, currency: 'USD' },
      },
    })
    const page = `${server.url}/items/${item.body.uid}`
    expect((await fetch(page)).status).toBe(200)
    await close(account.token)
    expect((await fetch(page)).status).toBe(404)
    expect((await fetch(page, { headers: { accept: 'application/json' } })).status).toBe(404)
  })
})

describe('the export of an account', () => {
  const read = (token: string) => api('GET', '/api/v1/user/export/', { headers: bearer(token) })

  it('has every kind of row and no secret', async () => {
    const account = await register(api)
    const tables = await plant(account.id)
    const reply = await read(account.token)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toContain('application/json')
    expect(reply.body.account).toMatchObject({ id: account.id, email: account.email })
    for (const table of tables.filter((name) => !leftOut.includes(name))) {
      expect(reply.body.data[table], table).not.toEqual([])
    }
    const text = JSON.stringify(reply.body)
    // The tests' fake hasher only adds a prefix to the password.
    for (const secret of [goodPassword, account.token, '\\\\x']) expect(text.includes(secret), secret).toBe(false)
    expect(declaration.replies[200].safeParse(reply.body).success).toBe(true)
  })

  it('has each row once in a table of several pages', async () => {
    const account = await register(api)
    await server.services.db.none(
      `insert into event (user_id, seq, uid, type, data)
       select $1, n, 'evt_' || lpad(n::text, 22, '0'), 'test', '{}' from generate_series(1, 1234) n`,
      [account.id],
    )
    const { event } = (await read(account.token)).body.data
    expect(event).toHaveLength(1_234)
    expect(new Set(event.map(({ seq }: { seq: number }) => seq)).size).toBe(1_234)
  })

  it('is private and limited to five an hour', async () => {
    const [account, other] = [await register(api), await register(api)]
    await plant(other.id)
    const replies = []
    for (let round = 0; round < 6; round++) replies.push(await read(account.token))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(JSON.stringify(replies[0]!.body)).not.toContain(canary)
  })
})
