import { createHash } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { setTimes } from '#e2e/harness/database/set-times.ts'
import { goodPassword, register, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'

/** A password that only the service knows as breached, and its SHA-1. */
const breached = 'correct horse 1'
const digits = createHash('sha1').update(breached).digest('hex').toUpperCase()

/** The service: refuses whatever its documentation does not allow. */
let service: Server
let asked: string[] = []
let answer: (response: ServerResponse) => void
let server: TestServer
let api: Api
const lines = (count: number) =>
  [`${'0'.repeat(35)}:12`, `${digits.slice(5)}:${count}`, `${'F'.repeat(35)}:0`].join('\r\n')
const usual = (response: ServerResponse) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(lines(3))

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push(request.url ?? '')
    const isRight =
      request.method === 'GET' &&
      /^\/range\/[0-9A-F]{5}$/.test(request.url ?? '') &&
      request.headers['add-padding'] === 'true' &&
      (request.headers['user-agent'] ?? '') !== ''
    if (isRight) answer(response)
    else response.writeHead(400).end()
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  server = await startTestServer({
    works: false,
    passwords: cheapPasswords,
    environment: { BREACHED_PASSWORDS_URL: url },
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  service?.closeAllConnections()
  service?.close()
})
beforeEach(() => {
  asked = []
  answer = usual
})

const attempts = {
  registration: (password: string) =>
    api('POST', '/api/auth/register/email/', {
      body: { email: someEmail(), password, password_confirm: password },
    }),
  'registration by phone': (password: string) =>
    api('POST', '/api/auth/register/begin/', { body: { phone_number: '+14155552671', password } }),
  change: async (password: string) => {
    answer = usual
    const { token } = await register(api)
    asked = []
    const body = { current_password: goodPassword, new_password: password, new_password_confirm: password }
    return api('POST', '/api/auth/password/change/', { headers: bearer(token), body })
  },
  reset: async (password: string) => {
    const { id, email } = await register(api)
    asked = []
    const token = newSecret('hpxr')
    await server.services.db.none(
      `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
       values ($1, $2, 'reset', $3, now() + interval '10 minutes')`,
      [id, hashSecret(token), email],
    )
    const body = { token, password, password_confirm: password }
    return api('POST', '/api/auth/password/reset/confirm/', { body })
  },
}

describe('a breached password', () => {
  it.each(Object.entries(attempts))('is refused at %s', async (_name, attempt) => {
    expect(await attempt(breached)).toMatchObject({ status: 400, body: { errors: [{ code: 'breached_password' }] } })
    expect(asked).toEqual([`/range/${digits.slice(0, 5)}`])
  })

  it('sends the service five digits only', async () => {
    await attempts.registration(breached)
    expect(asked.join()).not.toContain(digits.slice(5, 10))
  })

  it('is not one that only the padding has', async () => {
    answer = (response) => response.writeHead(200).end(lines(0))
    expect((await attempts.registration(breached)).status).toBe(201)
  })

  it.each([
    ['answers with an error', (response: ServerResponse) => void response.writeHead(503).end()],
    ['sends elsewhere', (response: ServerResponse) => void response.writeHead(302, { location: '/range/00000' }).end()],
    ['never answers', () => {}],
    ['breaks off', (response: ServerResponse) => void response.destroy()],
  ])('passes when the service %s, and that is logged', async (name, reply) => {
    answer = reply
    if (name === 'never answers') setTimes(server.services, { breachedLookupMs: 200 })
    const before = server.logged.filter((line) => line.includes('could not be looked up')).length
    expect((await attempts.registration(breached)).status).toBe(201)
    const lines = server.logged.filter((line) => line.includes('could not be looked up'))
    expect(lines).toHaveLength(before + 1)
    expect(lines.join()).not.toContain(breached)
  })

  it('is not looked up when the embedded list has it', async () => {
    expect((await attempts.registration('Password1')).status).toBe(400)
    expect(asked).toEqual([])
  })
})
