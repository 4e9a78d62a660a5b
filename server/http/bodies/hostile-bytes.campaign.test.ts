import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { parseXml } from '#server/integrations/ebay/xml.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract } from '#shared/contract/index.ts'
import { membersOf, pathOf } from '../testing/request-parts.ts'

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

/** Files on which a parser takes quadratic time, or that expand to much more than their bytes. */
const fileBytes = 14_900_000
const fill = (part: string, length = fileBytes) => part.repeat(Math.floor(length / part.length))
const lettered = Array.from({ length: 45_000 }, (_, n) => `,${n}`).join('')
const hostileFiles: Record<string, () => string> = {
  'a wide heading over short rows': () => `title${','.repeat(20_000)}\n${'a\n'.repeat(5_000)}`,
  'a wide heading that Excel pads': () => `title${','.repeat(900)}\n${`a${','.repeat(900)}\n`.repeat(10_000)}`,
  'a column that is given twice at the end': () => `title${lettered},0\n`,
  'quotation marks before blanks': () => `title,price\n"${'x"'.repeat(100_000)}x${' '.repeat(200_000)},1\n`,
  'a quotation mark that is not closed': () => `title\n"${fill('x"')}`,
  'a long text in an open quotation mark': () => `title\n"${fill('x')}`,
  'quotation marks only': () => `title\n${fill('"')}`,
  'open quotation marks by the line': () => `title\n${fill('"a"b\n')}`,
  'commas only': () => `title\n${fill(',')}`,
  'blank lines': () => `title\n${fill(' \r')}`,
  'carriage returns': () => `title\r${fill('a\r')}`,
  'mixed line ends': () => `title\n${fill('\r\n\n\r')}`,
  'blanks only': () => `title\n${fill(' ')}`,
  'byte order marks': () => `title\n${'\uFEFF'.repeat(fileBytes / 3)}`,
  'remarks only': () => fill('#\n'),
  'lines that name a delimiter': () => fill('sep=;\n'),
  'tags in descriptions': () => `title,description\n${fill(`a,"${'<p><li>&amp; '.repeat(30_000)}"\n`)}`,
  'escaped line ends': () => `title,description\n${fill(`a,"${'\\n'.repeat(200_000)}"\n`)}`,
  'digits with blanks in prices': () => `title,price\n${fill(`a,"1${' '.repeat(400_000)}x"\n`)}`,
  'apostrophes in codes': () => `title,sku\n${fill(`a,${"'".repeat(400_000)}=\n`)}`,
  'separators in pictures': () => `title,price,images\n${fill(`a,1,"${' |,;'.repeat(100_000)}"\n`)}`,
  'links in pictures': () => `title,price,images\n${fill(`a,1,"${'http://'.repeat(60_000)}"\n`)}`,
  'brackets in attributes': () => `sku,other_attributes\n${fill(`a,${'['.repeat(400_000)}\n`)}`,
  'letters of a code page': () => `title\n${fill('aé ', 5_000_000)}`,
}

/** Longest processor time in ms in which the process may answer nobody. Deciding a batch of long rows takes some of it. */
const silenceMs = 3_000

/**
 * Returns the result of `work`, and the longest processor time in ms of this thread between two looks at the event loop
 * meanwhile. Other processes add nothing to it.
 */
async function watched<Result>(work: Promise<Result>): Promise<{ result: Result; longest: number }> {
  const threadMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let isDone = false
  let longest = 0
  const watching = (async () => {
    while (!isDone) {
      const begunMs = threadMs()
      await new Promise((resolve) => setTimeout(resolve, 10))
      longest = Math.max(longest, threadMs() - begunMs)
    }
  })()
  const result = await work.finally(() => {
    isDone = true
  })
  await watching
  return { result, longest }
}

/** Sends a file and returns the status. */
async function upload(text: string): Promise<number> {
  const body = text.includes('aé ') ? Buffer.from(text, 'latin1') : Buffer.from(text)
  const answer = await fetch(`${server.url}/api/v1/inventory/import/?dry_run=true`, {
    method: 'POST',
    headers: { ...account.bearer, 'content-type': 'text/csv' },
    body: new Uint8Array(body),
  })
  await answer.text()
  return answer.status
}

describe('hostile files', () => {
  it.each(somePoints(Object.entries(hostileFiles)))('with %s do not keep the process busy', async (_, text) => {
    const { result, longest } = await watched(upload(text()))
    // On a busy machine, where the thread has its low priority, a file may take too long.
    expect([200, 400, 503]).toContain(result)
    expect(longest).toBeLessThan(silenceMs)
  })
})

describe('hostile bytes', () => {
  it('in a body cost no more than harmless ones', async () => {
    let slowest = { name: '', ms: 0 }
    for (const [id, route] of somePoints(routes.filter(([, { method }]) => method !== 'GET'))) {
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
    for (const [id, route] of somePoints(routes.filter(([, { method }]) => method === 'GET'))) {
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

describe('hostile forms', () => {
  const boundary = 'a'
  const formBytes = 14_000_000
  const file = (body: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${body}\r\n--${boundary}--\r\n`
  const forms: [string, string, number][] = [
    ['parts', '--a\r\n\r\n\r\n'.repeat(formBytes / 10), 400],
    ['fields', '--a\r\nContent-Disposition: form-data; name="f"\r\n\r\n\r\n'.repeat(formBytes / 56), 400],
    ['header lines', `--a\r\n${'b:c\r\n'.repeat(formBytes / 5)}`, 400],
    ['a header', `--a\r\nb:${'c'.repeat(formBytes)}`, 400],
    ['line ends in a file', file('\r\n'.repeat(formBytes / 2)), 415],
    ['dashes in a file', file('\r\n--'.repeat(formBytes / 4)), 415],
    ['nothing known', 'x'.repeat(formBytes), 400],
  ]

  it.each(somePoints(forms))('with %s do not hold up others', async (_name, form, wanted) => {
    const headers = { 'content-type': `multipart/form-data; xboundary=zzzzzz; boundary=${boundary}` }
    let longest = Number.POSITIVE_INFINITY
    // Garbage collections fall into some.
    for (let tries = 0; tries < 5 && longest > 500; tries++) {
      const sent = await watched(measure('POST', '/api/v1/images/', headers, form))
      expect(sent.result.status).toBe(wanted)
      longest = sent.longest
    }
    expect(longest, 'ms of processor time').toBeLessThan(500)
  })

  it('are refused when they are compressed', async () => {
    for (const type of ['image/jpeg', 'multipart/form-data; boundary=a']) {
      const headers = { 'content-type': type, 'content-encoding': 'gzip' }
      expect(await measure('POST', '/api/v1/images/', headers, gzipSync(file('x')))).toMatchObject({ status: 415 })
    }
  })
})

describe('hostile messages at /mcp', () => {
  const message = (params: string, method = 'tools/call') =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`
  const toSearch = (given: string) => message(`{"name":"search_inventory","arguments":${given}}`)
  const ping = message('{}', 'ping')
  const messages: [string, string][] = [
    ['spaces', `${' '.repeat(bytes)}x`],
    ['brackets', '['.repeat(bytes)],
    ['closed brackets', message(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`)],
    ['many messages', `[${Array.from({ length: 10_000 }, () => ping).join()}]`],
    ['a long method', message('{}', 'a'.repeat(bytes))],
    ['a long tool', message(`{"name":"${'a'.repeat(bytes)}"}`)],
    ['many members', toSearch(`{${Array.from({ length: 60_000 }, (_, index) => `"m${index}":1`).join()}}`)],
    ['a long confirmation', message(`{"name":"mark_sold","arguments":{"confirmation":"${'1.'.repeat(bytes / 2)}"}}`)],
    ...Object.entries(hostileTexts).map(([name, text]): [string, string] => [name, toSearch(`{"words":"${text}"}`)]),
  ]

  it.each(somePoints(messages))('cost no more than harmless ones: %s', async (name, body) => {
    const headers = { ...account.key, ...json, authorization: '', accept: 'application/json, text/event-stream' }
    await expectCheap(name, 600, async () => {
      const sent = await measure('POST', '/mcp', headers, body)
      expect([200, 400, 404]).toContain(sent.status)
      return sent
    })
  })
})

describe('hostile XML', () => {
  const documents: [string, string][] = [
    ['open elements', '<a>'.repeat(bytes / 3)],
    ['open tags', `<r>${'<a '.repeat(bytes / 3)}`],
    ['attributes', `<r${' a="b"'.repeat(bytes / 6)}/>`],
    ['one long attribute', `<r a="${'b'.repeat(bytes)}"/>`],
    ['comments without an end', `<r>${'<!--'.repeat(bytes / 4)}</r>`],
    ['sections without an end', `<r>${'<![CDATA['.repeat(bytes / 9)}</r>`],
    ['instructions', `${'<?a?>'.repeat(bytes / 5)}<r/>`],
    ['instructions without an end', `${'<?a '.repeat(bytes / 4)}<r/>`],
    ['references', `<r>${'&#1'.repeat(bytes / 3)}</r>`],
    ['entities', `<r>${'&lt;'.repeat(bytes / 4)}</r>`],
    ['spaces', `${' '.repeat(bytes)}<r/>`],
    ['elements', `<r>${'<a/>'.repeat(bytes / 4)}</r>`],
    ['declared entities', `<!DOCTYPE r [<!ENTITY a "${'b'.repeat(bytes)}">]><r>&a;</r>`],
  ]

  it.each(somePoints(documents))('is read or refused in little time: %s', (name, text) => {
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5 && best > 1_000; tries++) {
      const before = process.cpuUsage()
      try {
        parseXml(text)
      } catch (error) {
        expect(error).toBeInstanceOf(Error)
      }
      const { user, system } = process.cpuUsage(before)
      best = Math.min(best, (user + system) / 1_000)
    }
    expect(best, `${name}: ms of processor time`).toBeLessThan(1_000)
  })
})
