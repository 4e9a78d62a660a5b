import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { somePoints } from '#e2e/harness/campaigns/campaign.ts'
import { until } from '#e2e/harness/until.ts'
import { createApp } from '#server/app.ts'
import { withTimeouts } from '#server/http/timeouts.ts'
import { useSaleMail } from '#server/selling/sale-mail/testing/harness.ts'
import { runs } from './testing/all-runs.ts'
import { type Case, type Kind, kinds, type Stage } from './testing/runs.ts'
import { type WayIn, type WayInName, waysIn } from './ways-in.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const harness = useSaleMail({
  limits: { stalledMs: 3_000 },
  environment: {
    STRIPE_WEBHOOK_SECRET: 'whsec_secret',
    ETSY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
    TWILIO_AUTH_TOKEN: 'token',
    ...{ APPLE_CLIENT_ID: 'app.hapax', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key', APPLE_PRIVATE_KEY: 'key' },
  },
})
const accountCount = 10
let stage: Stage
let impatient: Server
let victim: Stage['accounts'][number]
beforeAll(async () => {
  const sellers = []
  for (let made = 0; made <= accountCount; made++) sellers.push(await harness.build([]))
  victim = sellers.pop()!
  impatient = createServer(
    withTimeouts({ headersMs: 200, requestMs: 300, checkMs: 20 }),
    createApp(harness.server.services).callback(),
  )
  await new Promise<void>((resolve) => impatient.listen(0, '127.0.0.1', resolve))
  stage = {
    port: Number(new URL(harness.server.url).port),
    impatientPort: (impatient.address() as AddressInfo).port,
    smtpPort: harness.smtpPort,
    accounts: sellers,
    addresses: sellers.map(({ address }) => address),
  }
})
afterAll(() => {
  impatient?.closeAllConnections()
  impatient?.close()
})

/** Bytes of buffers that the process holds. */
function heldBytes(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

/** Another account gets an answer that it has asked for now. */
async function serveVictim(): Promise<void> {
  const { status } = await fetch(`${harness.server.url}/api/v1/inventory/`, { headers: victim.key })
  expect(status).toBe(200)
}

/** Runs and figures for a reader of the log: ms of processor time, and of the event loop's longest delay. */
const figures: string[] = []
afterAll(() => void process.stdout.write(`${figures.join('\n')}\n`))

/** The generous bound of a verdict in ms: a client and a host share the processor time of the process. */
const boundOf = ({ cpuMs }: WayIn) => cpuMs * 5 + 1_500

async function measure(name: string, work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  const cpuMs = (user + system) / 1_000
  delay.disable()
  figures.push(`${name}: ${cpuMs.toFixed(0)} ms of processor time, longest delay ${(delay.max / 1e6).toFixed(0)} ms`)
  return cpuMs
}

/** The share target is tried in a browser (e2e/other-sites.test.ts). */
const names = (Object.keys(waysIn) as WayInName[]).filter((name) => name !== 'share')
const casesOf = (name: WayInName, some: readonly Kind[] = kinds) =>
  some.flatMap((kind) => {
    const one = runs[name][kind]
    return typeof one === 'string' ? [] : [[kind, one] as const]
  })
/** Kinds that wait run at the same time, the others one after the other. */
const [waiting, others] = [kinds.slice(-4), kinds.slice(0, -4)]
const released = async (before: number) =>
  until(
    () => heldBytes() - before,
    (more) => more < 10_000_000,
  )

describe.each(names)('hostile bytes by the way %s', (name) => {
  it('are refused within the bounds', async () => {
    const before = heldBytes()
    const wrong: string[] = []
    const check = (kind: Kind, given: string, { gives }: Case) => {
      if (!gives.test(given)) wrong.push(`${kind}: ${given}`)
    }
    for (const [kind, one] of casesOf(name, others)) {
      const cpuMs = await measure(`${name} ${kind}`, async () => check(kind, await one.run(stage, 0), one))
      if (cpuMs > boundOf(waysIn[name])) wrong.push(`${kind}: ${cpuMs} ms of processor time`)
    }
    await Promise.all(casesOf(name, waiting).map(async ([kind, one]) => check(kind, await one.run(stage, 0), one)))
    expect(wrong).toEqual([])
    await released(before)
    await serveVictim()
    // A stranger fills no log with errors.
    const errors = harness.server.logged.filter((line) => /"level":"error".*could not be (?:written|stored)/.test(line))
    expect(errors).toEqual([])
  })
})

describe.each(somePoints(names))('hostile bytes by the way %s', (name) => {
  it('leave others served when ten accounts repeat them', async () => {
    // Many parts cost most. Answers come one after the other.
    const order: Kind[] = waysIn[name].left === 'ends' ? ['huge'] : ['many-parted', 'huge']
    const [kind, { run, gives }] = casesOf(name, order)[0]!
    const before = heldBytes()
    let left = accountCount
    await measure(`${name} ${kind} by ten accounts`, async () => {
      const all = stage.accounts.map((_, account) => run(stage, account).finally(() => left--))
      do await serveVictim()
      while (left > 0)
      // The budget of the process refuses some of the large ones.
      const given = (await Promise.all(all)).filter((one) => !one.startsWith('503'))
      expect(given.filter((one) => !gives.test(one))).toEqual([])
    })
    await released(before)
  })
})
