import { afterEach, beforeEach } from 'vitest'
import { type ConnectionHook, connectionHooks } from '../hooks.ts'

/** Each test of a file begins without any hook, and what it adds goes with it: other features' are back after it. */
export function useOwnHooks(): void {
  let others: ConnectionHook[][] = []
  beforeEach(() => {
    others = Object.values(connectionHooks).map((hooks) => [...hooks])
    for (const hooks of Object.values(connectionHooks)) hooks.clear()
  })
  afterEach(() => {
    for (const [index, hooks] of Object.values(connectionHooks).entries()) {
      hooks.clear()
      for (const hook of others[index] ?? []) hooks.add(hook)
    }
  })
}
