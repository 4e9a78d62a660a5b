import { afterEach } from 'vitest'
import { quietMoments } from './quiet-moments.ts'

// The first hook there is, and so the last that runs.
afterEach(async () => {
  for (const check of quietMoments) await check()
})
