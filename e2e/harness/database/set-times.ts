import { onTestFinished } from 'vitest'
import type { Services } from '#server/services.ts'
import type { Times } from '#server/times.ts'

/** Gives a running server other times until the test is over. */
export function setTimes({ times }: Services, given: Partial<Times>): void {
  const before = { ...times }
  Object.assign(times, given)
  onTestFinished(() => void Object.assign(times, before))
}
