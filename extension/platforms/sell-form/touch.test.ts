// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { waitFor } from './touch.ts'

it('waits for a page that gets no turns either', async () => {
  let isDrawn = false
  // A page draws in several turns.
  setTimeout(() => setTimeout(() => (isDrawn = true), 100), 100)
  const drawn = waitFor(() => isDrawn, 600)
  const busyUntil = performance.now() + 700
  while (performance.now() < busyUntil);
  expect(await drawn).toBe(true)
})
