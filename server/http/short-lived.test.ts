import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// If requests survived until a full collection, each minor one would copy them all and delay others.
it("frees a request's memory at the next minor collections", async () => {
  const path = fileURLToPath(new URL('./testing/outliving.ts', import.meta.url))
  const child = fork(path, { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const bytes = await new Promise<{ good: number; bad: number }>((resolve, reject) => {
    child.once('message', (said) => resolve(said as { good: number; bad: number }))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the process ended (${code})`)))
  })
  // One request holds about 4,000.
  expect(bytes.good).toBeLessThan(1_000)
  expect(bytes.bad).toBeLessThan(1_000)
})
