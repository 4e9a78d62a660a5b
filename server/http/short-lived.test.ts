import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

// Where something holds requests until a full collection, each quick one copies all since the last, and others wait for it.
it('what a request leaves behind goes with the next quick collection of what is young', async () => {
  const path = fileURLToPath(new URL('./testing/outliving.ts', import.meta.url))
  const child = fork(path, { execArgv: ['--expose-gc'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const bytes = await new Promise<{ good: number; bad: number }>((resolve, reject) => {
    child.once('message', (said) => resolve(said as { good: number; bad: number }))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the process ended (${code})`)))
  })
  // One holds about 4,000.
  expect(bytes.good).toBeLessThan(1_000)
  expect(bytes.bad).toBeLessThan(1_000)
})
