import { afterEach } from 'vitest'
import { quietMoments } from './quiet-moments.ts'

// Drop checks that an aborted file left behind.
quietMoments.clear()

// This hook is registered first, so it runs last.
afterEach(async () => {
  for (const check of quietMoments) await check()
})
