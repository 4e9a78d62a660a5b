import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getHeapSpaceStatistics } from 'node:v8'
import Koa from 'koa'
import { z } from 'zod'
import { unlimited } from '#e2e/harness/limits.ts'
import { runLoad } from '#e2e/lab/bench/load.ts'
import { problem } from '#server/infra/errors.ts'
import { createLog } from '#server/infra/log/log.ts'
import { routesOf } from '#shared/contract/declaring/route.ts'
import { checkRequest } from '../check-request.ts'
import { keepNothing } from '../idempotency/idempotency.ts'
import { mountContract } from '../mount.ts'
import { securityHeaders } from '../security-headers.ts'
import { trace } from '../trace.ts'

/**
 * Runs in a separate process with `--expose-gc`: answers requests, then reports how many bytes of each survived minor
 * collections, by path. A test's own process has its client and tools in memory.
 */
const declared = (path: string) =>
  routesOf('test')({
    ...{ summary: 'For a test', method: 'GET', path, auth: 'none' },
    replies: { 200: z.object({ said: z.string() }) },
  })
const routes = { good: declared('/good/'), bad: declared('/bad/') }
const app = new Koa()
app.use(
  trace(
    { log: createLog('info', { write: () => undefined }), usage: { note: () => undefined } },
    0,
    'http://127.0.0.1',
  ),
)
app.use(checkRequest(securityHeaders({ PUBLIC_URL: 'http://127.0.0.1', HSTS_DAYS: 0, sandbox: false })))
app.use(
  mountContract(
    routes,
    {
      good: async () => ({ status: 200 as const, body: { said: 'yes' } }),
      bad: async () => {
        throw problem('unauthenticated')
      },
    },
    {
      credentials: { findBearer: async () => null, findApiKey: async () => null },
      limits: unlimited,
      idempotency: { once: (_ctx, _call, run) => run(keepNothing) },
    },
  ).routes(),
)
const server = createServer(app.callback())
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

/** Returns the bytes of objects that only a full collection frees. */
const oldBytes = () =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => /^(old|large_object)_space$/.test(space_name))
    .reduce((sum, { space_used_size }) => sum + space_used_size, 0)

async function outliving(path: string): Promise<number> {
  const answer = async (least: number) => {
    const next = () => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    let answered = 0
    while (answered < least) {
      const { statuses } = await runLoad({ port, connections: 4, seconds: 0.2, next })
      answered += Object.values(statuses).reduce((sum, count) => sum + count, 0)
    }
    return answered
  }
  await answer(2_000)
  globalThis.gc?.()
  const before = oldBytes()
  // Enough that compiled code and other fixed costs weigh little, however slow the machine is.
  const answered = await answer(2_000)
  // Objects that survive two are promoted.
  for (let turn = 0; turn < 2; turn++) globalThis.gc?.({ type: 'minor' })
  return (oldBytes() - before) / answered
}

process.send?.({ good: await outliving('/good/'), bad: await outliving('/bad/') })
process.exit(0)
