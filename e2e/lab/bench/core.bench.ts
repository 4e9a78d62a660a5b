import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { logInByPassword, validateToken } from '#shared/contract/account/accounts.ts'
import { getCatalogue } from '#shared/contract/extension.ts'
import { fillInventory } from './fill-inventory.ts'
import { fakePlatform, rateOfBare, rateOfOurs } from './import-rates.ts'
import { setImportStage } from './import-stage.ts'
import { requestText, runLoad, runOnce } from './load.ts'
import { openSales } from './sale-turns.ts'
import { type Answer, benchPassword, median, type Served, setStage } from './stage.ts'

/**
 * Watches the paths that sellers feel: `npm run bench core`. Each runs in turns with a floor in the same run: a bare Koa
 * handler with prepared statements that returns as many bytes, a bare script that writes the same rows, or the
 * marketplace's two calls alone. Prints the share of the floor's speed beside the share that docs/growing.md has.
 * `--record` writes the shares there, `--only session,key` measures those whose names begin so. Fails if one fell by more than a fifth,
 * which is more than a busy machine changes.
 */
const { values } = parseArgs({
  options: { record: { type: 'boolean', default: false }, only: { type: 'string' } },
  allowPositionals: true,
})
const sessionPath = validateToken.path
const signInPath = logInByPassword.path
const keyPath = `${getCatalogue.path}?version=1`
const page = new URL('../../../docs/growing.md', import.meta.url)
const leastOfRecorded = 0.8
const isWanted = (name: string) => values.only?.split(',').some((start) => name.startsWith(start)) ?? true

interface Turn {
  perSecond: number
  p99Ms?: number
  cpuMicroseconds?: number
}
interface Share {
  name: string
  share: number
  /** Figures behind the share. */
  detail: string
}

const shares: Share[] = await measureRequests()
if (isWanted('import of 10,000')) shares.push(await measureImport())
if (isWanted('sale to take-down')) shares.push(await measureSales())
const recorded = readRecorded()
if (shares.length === 0) throw new Error(`No path begins with "${values.only}".`)
let failed = false
for (const { name, share, detail } of shares) {
  const before = recorded.get(name)
  const isSlower = before !== undefined && share < before * leastOfRecorded
  failed ||= isSlower
  const said = before === undefined ? 'not recorded' : `recorded ${before.toFixed(2)}`
  console.log(`${name.padEnd(18)} ${share.toFixed(2)} of the floor, ${said}${isSlower ? '  SLOWER' : ''}; ${detail}`)
}
if (values.record) record()
process.exit(failed && !values.record ? 1 : 0)

/** Session, key, sign-in and list of 50, each over HTTP against a bare Koa handler. */
async function measureRequests(): Promise<Share[]> {
  const stage = await setStage(500)
  try {
    const sellers = stage.accounts.slice(0, 100)
    if (isWanted('list of 50')) for (const { user_id } of sellers) await fillInventory(stage.db, user_id, 1_000)
    await stage.db.none('vacuum analyze')
    const hapax = await stage.serve('hapax')
    const { bearer, key, email } = stage.accounts[0]!
    const credentials = { email, password: benchPassword }
    const floor = await stage.serve('bare', {
      [sessionPath]: await answerOf(hapax, sessionPath, { headers: bearer }),
      [getCatalogue.path]: await answerOf(hapax, keyPath, { headers: key }),
      [signInPath]: await answerOf(hapax, signInPath, { method: 'POST', body: JSON.stringify(credentials) }),
    })
    const servers = { floor, hapax }
    // Many accounts and addresses, so that no limit of either is met.
    const signIns = stage.accounts.slice(0, 400).map(({ email }, index) => {
      const body = { email, password: benchPassword }
      return requestText('POST', signInPath, { 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` }, body)
    })
    // The first sign-in of a device sends a mail.
    for (const text of signIns) await runOnce(servers.hapax.port, text)
    const paths = [
      ['session', stage.accounts.map(({ bearer }) => requestText('GET', sessionPath, { ...bearer })), 32],
      ['key', stage.accounts.map(({ key }) => requestText('GET', keyPath, { ...key })), 32],
      ['sign-in', signIns, 8],
      ['list of 50', sellers.map(({ key }) => requestText('GET', '/api/v1/inventory/?page_size=50', { ...key })), 8],
    ] as const
    const found: Share[] = []
    for (const [name, texts, connections] of paths.filter(([name]) => isWanted(name))) {
      let turn = 0
      const load = (kind: 'floor' | 'hapax', seconds: number) => async (): Promise<Turn> => {
        const server = servers[kind]
        const before = await server.cpuMicroseconds()
        const next = () => texts[turn++ % texts.length] as string
        const { statuses, perSecond, p99Ms } = await runLoad({ port: server.port, connections, seconds, next })
        if (Object.keys(statuses).join() !== '200') throw new Error(`${name}, ${kind}: ${JSON.stringify(statuses)}`)
        return {
          perSecond,
          p99Ms,
          cpuMicroseconds: ((await server.cpuMicroseconds()) - before) / (perSecond * seconds),
        }
      }
      const seconds = name === 'sign-in' ? 4 : 2
      found.push(await inTurns(name, 5, load('floor', seconds), load('hapax', seconds)))
    }
    return found
  } finally {
    await stage.close()
  }
}

/** Returns an answer without the headers that Node sets itself. */
async function answerOf({ port }: Served, path: string, { headers = {}, ...init }: RequestInit): Promise<Answer> {
  const asked = { 'content-type': 'application/json', 'accept-encoding': 'identity', ...headers }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers: asked })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  const set = [...response.headers].filter(([name]) => !/^(connection|keep-alive|date|content-length)$/.test(name))
  return { headers: Object.fromEntries(set), body: await response.json() }
}

/** An import of 10,000 listings from memory against the bare script that writes the same rows. */
async function measureImport(): Promise<Share> {
  const stage = await setImportStage()
  try {
    const platform = fakePlatform(10_000)
    return await inTurns(
      'import of 10,000',
      3,
      async () => ({ perSecond: await rateOfBare(stage.services, platform) }),
      async () => ({ perSecond: await rateOfOurs(stage.services, platform) }),
    )
  } finally {
    await stage.close()
  }
}

/** One sale at a time, from its push to the end of its other listing, against the two calls of the marketplaces. */
async function measureSales(): Promise<Share> {
  const sales = await openSales()
  try {
    const rateOf = (work: () => Promise<number>) => async () => ({ perSecond: 1_000 / (await work()) })
    return await inTurns('sale to take-down', 30, rateOf(sales.callsAlone), rateOf(sales.takenDown))
  } finally {
    await sales.close()
  }
}

/** Lets both take turns, after one that warms up, and compares the medians. */
async function inTurns(
  name: string,
  rounds: number,
  floor: () => Promise<Turn>,
  hapax: () => Promise<Turn>,
): Promise<Share> {
  const turns = { floor: [] as Turn[], hapax: [] as Turn[] }
  await floor()
  await hapax()
  for (let round = 0; round < rounds; round++) {
    const order = [['floor', floor] as const, ['hapax', hapax] as const]
    for (const [kind, run] of round % 2 ? order.reverse() : order) turns[kind].push(await run())
  }
  const of = (kind: 'floor' | 'hapax', figure: keyof Turn) => median(turns[kind].map((turn) => turn[figure] ?? 0))
  const both = (figure: keyof Turn, digits: number, unit: string) =>
    `${of('hapax', figure).toFixed(digits)} and ${of('floor', figure).toFixed(digits)} ${unit}`
  const detail = [
    both('perSecond', of('hapax', 'perSecond') < 100 ? 1 : 0, 'a second'),
    ...(turns.hapax[0]?.p99Ms ? [`p99 ${both('p99Ms', 1, 'ms')}`] : []),
    ...(turns.hapax[0]?.cpuMicroseconds ? [`processor time ${both('cpuMicroseconds', 0, 'µs')}`] : []),
  ]
  return { name, share: of('hapax', 'perSecond') / of('floor', 'perSecond'), detail: detail.join(', ') }
}

/** Returns the shares in the table of docs/growing.md by path. */
function readRecorded(): Map<string, number> {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| ([a-z][a-z0-9, -]+?) \| (\d\.\d\d) \|/gm)
  return new Map([...rows].map(([, name = '', share]) => [name, Number(share)]))
}

/** Writes the measured shares over the table's. */
function record(): void {
  let text = readFileSync(page, 'utf8')
  for (const { name, share } of shares) {
    const row = new RegExp(`^\\| ${name} \\| \\d\\.\\d\\d \\|`, 'm')
    if (!row.test(text)) throw new Error(`docs/growing.md has no row for "${name}".`)
    text = text.replace(row, `| ${name} | ${share.toFixed(2)} |`)
  }
  writeFileSync(page, text)
}
