import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#server/testing/account.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { contract } from '#shared/contract/index.ts'
import type { RouteDeclaration } from '#shared/contract/route.ts'
import { membersOf, pathOf } from './testing/request-parts.ts'

/**
 * Processor time in ms that a hostile body may take beyond a harmless one, and a hostile query or header in all.
 * JSON.parse alone takes up to 110 ms for a body of brackets; an expression of quadratic time takes minutes on a body.
 */
const allowedMs = { body: 300, line: 50 }
const bytes = 900_000

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await startTestServer({ works: false })
  account = await buildAccount(server.services.db)
})
afterAll(() => server?.close())

const routes = Object.entries(contract) as [string, RouteDeclaration][]

/** Texts on which adjacent or nested repetition takes quadratic time or worse. */
const hostileTexts: Record<string, string> = {
  spaces: `${' '.repeat(bytes)}x`,
  'line breaks': `${'\\n'.repeat(bytes / 2)}x`,
  'at signs': 'a@'.repeat(bytes / 2),
  digits: '1'.repeat(bytes),
  'opening tags': '<a '.repeat(bytes / 3),
  'percent signs': '%'.repeat(bytes),
  dots: 'a.'.repeat(bytes / 2),
  dashes: '-'.repeat(bytes),
}

/** Sends a request and returns its status and the processor time of the whole process in ms, client included. */
async function measure(method: string, path: string, headers: Record<string, string>, body?: string | Buffer) {
  const before = process.cpuUsage()
  const status = await new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(server.url)
    const sent = request({ hostname, port, method, path, headers: { ...account.bearer, ...headers } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    // A body above the operation's limit is refused, and the connection may close before it was sent.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(413)
      else reject(error)
    })
    sent.end(body)
  })
  const { user, system } = process.cpuUsage(before)
  return { status, ms: (user + system) / 1000 }
}

/**
 * Fails if the request takes more processor time than the limit. Uses the best of twenty tries, since garbage
 * collections and other load of the machine fall into some.
 */
async function expectCheap(name: string, limitMs: number, send: () => ReturnType<typeof measure>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 20 && best > limitMs; tries++) {
    const { status, ms } = await send()
    expect(status, name).toBeLessThan(500)
    best = Math.min(best, ms)
  }
  expect(best, `${name}: ms of processor time`).toBeLessThan(limitMs)
  return best
}

const json = { 'content-type': 'application/json' }

/** Returns the cheapest of some harmless requests of the same size. */
async function harmless(route: RouteDeclaration): Promise<number> {
  const body = JSON.stringify({ harmless: 'a'.repeat(bytes) })
  const times: number[] = []
  for (let round = 0; round < 3; round++) times.push((await measure(route.method, pathOf(route), json, body)).ms)
  return Math.min(...times)
}

describe('hostile bytes', () => {
  it('in a body cost no more than harmless ones', async () => {
    let slowest = { name: '', ms: 0 }
    for (const [id, route] of routes.filter(([, { method }]) => method !== 'GET')) {
      const path = pathOf(route)
      const limit = (await harmless(route)) + allowedMs.body
      const bodies: [string, string | Buffer, Record<string, string>][] = [
        ['spaces', `${' '.repeat(bytes)}x`, json],
        ['a brace and spaces', `{${' '.repeat(bytes)}x`, json],
        ['brackets', '['.repeat(bytes), json],
        ['zipped spaces', gzipSync(`${' '.repeat(bytes)}x`), { ...json, 'content-encoding': 'gzip' }],
      ]
      for (const [name, body, headers] of bodies) {
        const ms = await expectCheap(`${id}, ${name}`, limit, () => measure(route.method, path, headers, body))
        if (ms > slowest.ms) slowest = { name: `${id}, ${name}`, ms }
      }
      if (!route.body) continue
      const members = membersOf(route)
      for (const [name, text] of Object.entries(hostileTexts)) {
        const share = Math.floor(text.length / Math.max(1, members.length))
        const body = `{${members.map((member) => `"${member}":"${text.slice(-share)}"`).join(',')}}`
        const ms = await expectCheap(`${id}, ${name} in members`, limit, () => measure(route.method, path, json, body))
        if (ms > slowest.ms) slowest = { name: `${id}, ${name} in members`, ms }
      }
    }
    // For the reader of a run; the limit is above.
    process.stdout.write(`slowest on hostile bytes: ${slowest.name}, ${slowest.ms.toFixed(1)} ms of processor time\n`)
  })

  it('in a query or header cost no more than harmless ones', async () => {
    for (const [id, route] of routes.filter(([, { method }]) => method === 'GET')) {
      const path = pathOf(route)
      const names = Object.keys((route.query as { shape?: object } | undefined)?.shape ?? { q: null })
      for (const text of ['%20'.repeat(2_500), 'a%40'.repeat(1_800), '1'.repeat(7_000), '%3C'.repeat(2_500)]) {
        for (const name of names) {
          await expectCheap(`${id}, ${name}`, allowedMs.line, () => measure('GET', `${path}?${name}=${text}`, {}))
        }
      }
      const header = `${'a, '.repeat(2_000)}x`
      await expectCheap(`${id}, headers`, allowedMs.line, () =>
        measure('GET', path, { accept: header, 'accept-language': header, 'user-agent': header.slice(0, 3_000) }),
      )
    }
  })
})
