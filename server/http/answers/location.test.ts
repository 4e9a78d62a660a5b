import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = account.bearer) =>
  apiOf(server.url)(method, path, { headers, body })

it.each([
  [
    'an item',
    '/api/v1/inventory/',
    {
      ...{ title: 'A hat', images: ['https://pictures.example/1.jpg'], condition: { label: 'Used' } },
      offer: { price_minor: 900, currency: 'USD' },
    },
  ],
  ['a key', '/api/v1/api-keys/', { name: 'mine' }],
  ['a webhook', '/api/v1/webhooks/', { url: 'http://127.0.0.1:9/hook' }],
  [
    'an import',
    '/api/v1/extension/imports/',
    { platform: 'depop', shop: { username: 'ada', url: 'https://www.depop.com/ada/' } },
  ],
])('says where %s is that was created', async (_, path, body) => {
  const created = await api('POST', path, body)
  expect(created.status).toBe(201)
  const found = await api('GET', created.headers.get('location') ?? 'missing')
  expect(found.status).toBe(200)
  expect(found.body.uid ?? found.body.id).toBe(created.body.uid ?? created.body.id)
})

it('is the path of a GET wherever it is declared', () => {
  const routes = Object.values<RouteDeclaration>(contract)
  const shapes = routes.filter(({ method }) => method === 'GET').map(({ path }) => path.replace(/\{\w+\}/g, '{}'))
  const locations = routes.flatMap(({ location }) => (location ? [location.replace(/\{\w+\}/g, '{}')] : []))
  expect(locations.length).toBeGreaterThan(4)
  expect(locations.filter((location) => !shapes.includes(location))).toEqual([])
})
