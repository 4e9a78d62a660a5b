import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import Koa from 'koa'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { HttpProblem } from '#server/infra/errors.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { boundBodies, createBodyBudget } from './body-budget.ts'
import { jsonReader } from './read-json.ts'

const { bytes: maxBytes } = waysIn.anonymous

let server: Server
/** Results of the reader, also for requests whose client has left. */
const outcomes: unknown[] = []
beforeAll(async () => {
  const read = jsonReader('anonymous')
  const app = new Koa()
  // Its log of clients that leave.
  app.silent = true
  app.use(boundBodies(createBodyBudget(10 * maxBytes)))
  app.use(async (ctx) => {
    ctx.state.address = '127.0.0.1'
    const outcome = await read(ctx).catch((error: unknown) => {
      if (!(error instanceof HttpProblem)) throw error
      ctx.status = error.status
      return { code: error.code, detail: error.message }
    })
    outcomes.push(outcome)
    ctx.body = outcome
  })
  server = createServer(app.callback())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server?.close())
afterEach(() => void outcomes.splice(0))

/** Begins a request, which a test ends. */
function begin(headers: Record<string, string | number>) {
  const { port } = server.address() as AddressInfo
  const sent = request({ hostname: '127.0.0.1', port, method: 'POST', headers, agent: false })
  const answer = new Promise<unknown>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(JSON.parse(text))
    })
  })
  // Requests are broken off.
  answer.catch(() => {})
  return { sent, answer }
}

async function send(body: string | Buffer, headers: Record<string, string | number> = {}): Promise<unknown> {
  const { sent, answer } = begin({ 'content-length': Buffer.byteLength(body), ...headers })
  sent.end(body)
  return answer
}

const text = JSON.stringify({ name: 'Ärmel 👕', list: [1, null, ''] })
const parsed = { value: JSON.parse(text), bytes: Buffer.byteLength(text) }

describe('a body of JSON', () => {
  it('is read plain, compressed and in chunks that cut its characters', async () => {
    expect(await send(text)).toEqual(parsed)
    expect(await send(`\uFEFF${text}`)).toMatchObject({ value: parsed.value })
    expect(await send(text, { 'content-encoding': 'identity' })).toEqual(parsed)
    expect(await send(gzipSync(text), { 'content-encoding': 'GZIP' })).toEqual(parsed)
    expect(await send(deflateSync(text), { 'content-encoding': 'deflate' })).toEqual(parsed)
    expect(await send(brotliCompressSync(text), { 'content-encoding': 'br' })).toEqual(parsed)
    const { sent, answer } = begin({ 'transfer-encoding': 'chunked' })
    for (const byte of Buffer.from(text)) {
      await new Promise((resolve) => sent.write(Buffer.of(byte), resolve))
    }
    sent.end()
    expect(await answer).toEqual(parsed)
  })

  it.each([
    ['null', null],
    ['"text"', 'text'],
    ['0', 0],
    ['false', false],
    [' [] ', []],
  ])('may be %s', async (body, value) => {
    expect(await send(body)).toMatchObject({ value })
  })

  it.each([
    ['nothing', ''],
    ['spaces', '  '],
    ['no JSON', '{"name"'],
    ['a member named __proto__', '{"a":[{"__proto__":{"b":1}}]}'],
    ['an escaped member named __proto__', '{"\\u005f_proto\\u005F_":1}'],
    ['a member given twice, once escaped', '{"a":1,"\\u0061":2}'],
  ])('is refused with %s', async (_name, body) => {
    expect(await send(body)).toMatchObject({ code: 'invalid_json' })
  })

  it('is refused with more members than its way in allows, before it is parsed', async () => {
    const most = waysIn.anonymous.parts
    expect(await send(`[${'0,'.repeat(most - 1)}0]`)).toMatchObject({ value: { length: most } })
    expect(await send(`[${'0,'.repeat(most)}`)).toMatchObject({ detail: 'The body has too many members.' })
    expect(await send(JSON.stringify(','.repeat(most)))).toMatchObject({ value: ','.repeat(most) })
  })

  it.each<[string, number, string | Buffer, Record<string, string>]>([
    ['plain', 413, ' '.repeat(maxBytes + 1), {}],
    ['chunked', 413, ' '.repeat(maxBytes + 1), { 'transfer-encoding': 'chunked' }],
    ['compressed', 413, gzipSync(' '.repeat(maxBytes + 1)), { 'content-encoding': 'gzip' }],
    ['compressed in an unknown way', 415, 'x', { 'content-encoding': 'zstd' }],
  ])('is refused above the limit or unread: %s', async (_name, status, body, headers) => {
    const length: Record<string, number> = headers['transfer-encoding']
      ? {}
      : { 'content-length': Buffer.byteLength(body) }
    const { sent, answer } = begin({ ...length, ...headers })
    sent.end(body)
    expect(await answer).toMatchObject({ code: status === 413 ? 'payload_too_large' : 'unsupported_media_type' })
    expect(await send(`[${' '.repeat(maxBytes - 2)}]`)).toEqual({ value: [], bytes: maxBytes })
  })

  it.each<[string, Buffer, Record<string, string>]>([
    ['plain', Buffer.from(text), {}],
    ['compressed', gzipSync(text), { 'content-encoding': 'gzip' }],
  ])('is given up when its client leaves: %s', async (_name, body, headers) => {
    const { sent } = begin({ 'content-length': body.length, ...headers })
    await new Promise((resolve) => sent.write(body.subarray(0, -1), resolve))
    sent.destroy()
    await expect.poll(() => outcomes).toEqual([expect.objectContaining({ code: 'invalid_request' })])
  })
})
