import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { problem } from '#server/infra/errors.ts'
import { createLog } from '#server/infra/log/log.ts'
import { contract } from '#shared/contract/index.ts'
import { type Deprecation, deprecated, type RouteDeclaration, route } from '#shared/contract/route.ts'
import { deprecationsOf } from './deprecation.ts'
import { keepNothing } from './idempotency.ts'
import { mountContract } from './mount.ts'
import { openApiDocument } from './openapi.ts'
import { unlimited } from './rate-limit.ts'
import { trace } from './trace.ts'

const whole: Deprecation = { since: '2026-11-01', sunset: '2027-06-01', link: '/docs#old' }
const parameter: Deprecation = { since: '2026-10-01', sunset: '2027-05-01', link: 'https://hapax.test/sort' }
const member: Deprecation = { since: '2026-12-01', sunset: '2027-07-01', link: '/docs#note' }
const plain = { summary: 'For a test', section: '0', tag: 'test', auth: 'none' } as const
const replies = { 200: z.object({ old: z.string().meta(deprecated(member)) }) }
const routes = {
  old: route({ ...plain, method: 'GET', path: '/old/', replies, deprecated: whole, errors: ['not_found'] }),
  parts: route({
    ...{ ...plain, method: 'POST', path: '/parts/', replies },
    query: z.strictObject({ sort: z.string().optional().meta(deprecated(parameter)), page: z.string().optional() }),
    body: z.strictObject({
      offer: z.strictObject({ note: z.string().describe('A note').meta(deprecated(member)).optional() }).optional(),
    }),
  }),
}

let server: Server
let url: string
let refuse = false
beforeAll(async () => {
  const answer = async () => {
    if (refuse) throw problem('not_found')
    return { status: 200 as const, body: { old: '' } }
  }
  const app = new Koa()
  app.use(trace(createLog('info', { write: () => undefined }), 0, 'http://127.0.0.1'))
  const options = {
    credentials: { findBearer: async () => null, findApiKey: async () => null },
    limits: unlimited,
    idempotency: {
      once: (_ctx: unknown, _call: unknown, run: (keep: typeof keepNothing) => Promise<never>) => run(keepNothing),
    },
  }
  app.use(mountContract(routes, { old: answer, parts: answer }, options as never).routes())
  server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server?.close())

async function headersOf(path: string, body?: object) {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const { headers } = await fetch(`${url}${path}`, body && init)
  return [headers.get('deprecation'), headers.get('sunset'), headers.get('link')]
}

describe('something deprecated', () => {
  it('is announced by each answer of an operation', async () => {
    const announced = [
      '@1793491200',
      'Tue, 01 Jun 2027 00:00:00 GMT',
      '</docs#old>; rel="deprecation"; type="text/html"',
    ]
    expect(await headersOf('/old/')).toEqual(announced)
    refuse = true
    expect(await headersOf('/old/')).toEqual(announced)
    refuse = false
  })

  it('is announced to requests that use the parameter or member', async () => {
    expect(await headersOf('/parts/?page=1', { offer: {} })).toEqual([null, null, null])
    expect(await headersOf('/parts/?sort=x', {})).toMatchObject(['@1790812800', 'Sat, 01 May 2027 00:00:00 GMT', {}])
    const [since, sunset, link] = await headersOf('/parts/?sort=x', { offer: { note: 'x' } })
    expect([since, sunset]).toEqual(['@1790812800', 'Sat, 01 May 2027 00:00:00 GMT'])
    expect(link).toBe(
      '<https://hapax.test/sort>; rel="deprecation"; type="text/html", </docs#note>; rel="deprecation"; type="text/html"',
    )
  })

  it('is marked in the document, with what replaces it', () => {
    // biome-ignore lint/suspicious/noExplicitAny: the document of the contract above.
    const { paths } = openApiDocument(routes, url) as any
    expect(paths['/old/'].get).toMatchObject({ deprecated: true, description: expect.stringContaining('2027-06-01') })
    const { parameters, requestBody, responses, deprecated: isWhole } = paths['/parts/'].post
    expect(isWhole).toBeUndefined()
    expect(parameters).toMatchObject([{ name: 'sort', deprecated: true }, { name: 'page' }])
    expect(parameters[0].description).toContain('[what to use instead](https://hapax.test/sort)')
    expect(parameters[1].deprecated).toBeUndefined()
    const { note } = requestBody.content['application/json'].schema.properties.offer.properties
    expect(note.deprecated).toBe(true)
    expect(note.description).toMatch(/^Deprecated since 2026-12-01.* A note$/)
    expect(responses[200].content['application/json'].schema.properties.old.deprecated).toBe(true)
    expect(Object.keys(responses[200].headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link']))
  })

  it('stays for six months, and the changelog names it', () => {
    const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
    const named = /^### Deprecated\n[^#]*/gm.exec(changelog)?.[0] ?? ''
    for (const declaration of Object.values<RouteDeclaration>(contract)) {
      for (const { since, sunset, path } of deprecationsOf(declaration)) {
        expect(Date.parse(sunset) - Date.parse(since)).toBeGreaterThan(180 * 86_400_000)
        expect(named).toContain(declaration.path)
        expect(named).toContain(path.at(-1) ?? '')
      }
    }
  })
})
