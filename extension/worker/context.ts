import { z } from 'zod'
import type { Client } from '#shared/contract/client.ts'
import type { Cache } from '../cache/database.ts'
import type { Fetch } from '../session/api.ts'
import type { Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import type { PushDeps } from '../sync/push.ts'

/** What the worker's handlers work with; everything that touches the world comes in here. */
export interface WorkerContext {
  /** Opened at first use, and again after the browser closed it. */
  cache: () => Promise<Cache>
  store: Store
  fetch: Fetch
  clientOf: (session: Session) => Client
  now: () => number
  random: () => number
  sleep: (ms: number) => Promise<void>
  locks: PushDeps['locks']
  keyName: string
  /** Sends what waits, soon; its outcome is its own business. */
  push: (eager?: boolean) => void
}

/** Settings that the seller or a test may change. */
const Settings = z.object({ pace_ms: z.int().min(0).max(60_000) }).catch({ pace_ms: 1_000 })

/** Milliseconds between two requests to a platform (default: at most one a second). */
export async function readPaceMs(store: Store): Promise<number> {
  return Settings.parse(await store.get('settings')).pace_ms
}
