import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, type Reply } from '#e2e/harness/api.ts'
import { codeIn, tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { connectShop, signedInBrowser, startConnecting } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'

/**
 * Plants secrets of every kind by using the service. None may appear in a dump of the database, its files (tables and
 * write-ahead log), the logs, an error response or a URL.
 */
let apple: AppleSandbox
let ebay: TestPlatform
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleSandbox()
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ platforms: [ebay.adapter], environment: { SANDBOX: 'on', ...apple.environment } })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await apple?.close()
})

async function plant(): Promise<Map<string, string>> {
  const { services } = server
  const canaries = new Map<string, string>()
  const password = 'canary-password-7f3a91'
  canaries.set('password', password)
  const account = await register(api, undefined, password)
  canaries.set('bearer token', account.token)
  const key = (
    await api('POST', '/api/v1/api-keys/', {
      headers: { ...bearer(account.token), 'idempotency-key': 'plant' },
      body: { name: 'x' },
    })
  ).body
  canaries.set('API key', key.key)
  canaries.set(
    'rotated API key',
    (await api('POST', `/api/v1/api-keys/${key.id}/rotate/`, { headers: bearer(account.token) })).body.key,
  )
  await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
  canaries.set('reset token', tokenIn(await waitForMessage(services, account.email, 'password-reset')))
  await api('POST', '/api/auth/email-verification/request/', { headers: bearer(account.token) })
  canaries.set('verification token', tokenIn(await waitForMessage(services, account.email, 'email-verification')))
  const [one, other] = [somePhone(), somePhone()]
  const pending = 'canary-pending-password-1'
  canaries.set('password of a pending registration', pending)
  const signup = await api('POST', '/api/auth/register/begin/', { body: { phone_number: one, password: pending } })
  canaries.set('sign-up token', signup.body.signup_token)
  canaries.set('sign-up code', `${codeIn(await waitForMessage(services, one, 'signup-code'))} is your`)
  await services.db.none('update app_user set phone_number = $2, phone_verified = true where id = $1', [
    account.id,
    other,
  ])
  const signin = await api('POST', '/api/auth/login/phone/begin/', { body: { phone_number: other } })
  canaries.set('sign-in token', signin.body.signin_token)
  canaries.set('sign-in code', `${codeIn(await waitForMessage(services, other, 'signin-code'))} is your`)
  const signed = await apple.signIn({ sub: 'canary-person' })
  canaries.set('Apple identity token', signed.identity_token)
  canaries.set('Apple authorization code', signed.authorization_code)
  expect((await api('POST', '/api/auth/apple/', { body: signed })).status).toBe(200)
  const holder = { user_id: account.id, email: account.email, bearer: bearer(account.token), key: { 'x-api-key': '' } }
  await connectShop(server.url, holder, 'ebay')
  for (const [index, token] of ebay.issuedSecrets.entries()) canaries.set(`marketplace secret ${index}`, token)
  canaries.set('connect ticket', new URL(await startConnecting(server.url, holder, 'ebay')).searchParams.get('ticket')!)
  const browser = signedInBrowser(server.url, holder)
  const login = await browser.get(await startConnecting(server.url, holder, 'ebay'))
  canaries.set('OAuth state', new URL(login.location!).searchParams.get('state')!)
  canaries.set('browser cookie', [...browser.cookies.get(server.url)!.values()][0]!)
  canaries.set('SECRET_KEY', services.config.SECRET_KEY!)
  return canaries
}

describe('no secret is stored or sent in clear text', () => {
  it('by the database, its files, the logs, errors or URLs', async () => {
    const canaries = await plant()
    expect(canaries.size).toBeGreaterThanOrEqual(12)
    const { services } = server

    const replies: Reply[] = []
    for (const [, canary] of canaries) {
      replies.push(await api('POST', '/api/auth/login/', { body: { email: canary, password: canary } }))
      replies.push(
        await api('POST', '/api/auth/password/reset/confirm/', {
          body: { token: canary.slice(0, 199), password: canary.slice(0, 99), password_confirm: 'x' },
        }),
      )
      replies.push(
        await api('POST', '/api/auth/register/verify/', {
          body: { signup_token: canary.slice(0, 199), code: canary.slice(0, 99) },
        }),
      )
      replies.push(await api('POST', '/api/auth/register/email/', { body: { email: canary, extra: canary } }))
      replies.push(
        await api('GET', `/api/v1/api-usage/?from=${encodeURIComponent(canary.slice(0, 500))}`, {
          headers: bearer(canaries.get('bearer token')!),
        }),
      )
    }
    await services.usage.flush()

    const places: Record<string, string> = {
      log: server.logged.join('\n'),
      answers: replies.map(({ body }) => JSON.stringify(body)).join('\n'),
      dump: await dump(),
      headers: replies.map(({ headers }) => JSON.stringify([...headers])).join('\n'),
    }
    for (const [name, canary] of canaries) {
      for (const [place, text] of Object.entries(places)) {
        expect(text.includes(canary), `${name} in ${place}`).toBe(false)
        if (place === 'dump') {
          expect(text.includes(Buffer.from(canary).toString('hex')), `${name} in ${place}, as bytes`).toBe(false)
          expect(
            text.includes(Buffer.from(canary).toString('base64').replace(/=+$/, '')),
            `${name} in ${place}, in base64`,
          ).toBe(false)
        }
      }
    }
    await services.db.none('CHECKPOINT')
    const { data_directory } = await services.db.one('show data_directory')
    const { oid } = await services.db.one('select oid from pg_database where datname = current_database()')
    for (const folder of [join('base', String(oid)), 'pg_wal', 'pg_stat', 'global']) {
      expect(await foundInFiles(join(data_directory, folder), canaries)).toEqual([])
    }
  })
})

/** Returns every row of every table as text. */
async function dump(): Promise<string> {
  const { db } = server.services
  const tables = await db.map(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
    [],
    ({ name }: { name: string }) => name,
  )
  const texts = []
  for (const table of tables)
    texts.push(...(await db.map(`select each::text as row from ${table} each`, [], ({ row }: { row: string }) => row)))
  expect(texts.length).toBeGreaterThan(20)
  return texts.join('\n')
}

/** Returns the secrets found in the database's files. */
async function foundInFiles(directory: string, canaries: Map<string, string>): Promise<string[]> {
  const found: string[] = []
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  for (const file of files) {
    const path = join(file.parentPath, file.name)
    let tail = ''
    try {
      for await (const chunk of createReadStream(path, { encoding: 'latin1', highWaterMark: 1 << 20 })) {
        const text = tail + chunk
        for (const [name, canary] of canaries) if (text.includes(canary)) found.push(`${name} in ${file.name}`)
        tail = text.slice(-1_200)
      }
    } catch (error) {
      // The database removed the file meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return found
}
