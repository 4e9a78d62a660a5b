import { afterEach } from 'vitest'
import { quietMoments } from './quiet-moments.ts'

// A file that ended half done has left its own behind: they say nothing of the next one's tests.
quietMoments.clear()

// The first hook there is, and so the last that runs.
afterEach(async () => {
  for (const check of quietMoments) await check()
})
