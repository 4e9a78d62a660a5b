import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

describe('the HTTP surface', () => {
  it('serves a valid OpenAPI 3.1 document', async () => {
    const document = await (await fetch(`${server.url}/api/openapi.json`)).json()
    const result = await new Validator().validate(document)
    expect(result).toMatchObject({ valid: true })
    expect(document.openapi).toMatch(/^3\.1/)
  })

  it('is alive and ready', async () => {
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it.each([
    ['no credential', {}, 401, 'unauthenticated'],
    ['a malformed token', { authorization: 'Bearer nonsense' }, 401, 'unauthenticated'],
  ])('answers %s with %s', async (_name, headers, status, code) => {
    const response = await fetch(`${server.url}/api/auth/validate/`, { headers: headers as HeadersInit })
    expect(response.status).toBe(status)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect(response.headers.get('content-type')).toMatch('application/problem+json')
    expect(await response.json()).toMatchObject({ code, status })
  })

  it('refuses two credentials', async () => {
    const response = await fetch(`${server.url}/api/v1/platforms/`, { headers: { ...account.bearer, ...account.key } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'ambiguous_credentials' })
  })

  it('answers 405 with Allow for a known path, else 404', async () => {
    const wrong = await fetch(`${server.url}/api/auth/validate/`, { method: 'POST' })
    expect(wrong.status).toBe(405)
    expect(wrong.headers.get('allow')).toContain('GET')
    expect((await fetch(`${server.url}/api/auth/validate`)).status).toBe(404)
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404)
    const asReader = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
    const page = await fetch(`${server.url}/nothing`, asReader)
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await (await fetch(`${server.url}/api/nothing/`, asReader)).json()).toMatchObject({ code: 'not_found' })
  })
})
