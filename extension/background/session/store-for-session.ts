import { readSession, type Session } from './session.ts'
import type { Store } from './store.ts'

export interface KeepDeps {
  store: Store
  locks: Pick<LockManager, 'request'>
}

/** Stores a value only while its session is current, so that late answers leave nothing after a sign-out. */
export async function storeForSession(deps: KeepDeps, session: Session, name: string, value: unknown): Promise<void> {
  await whileIn(deps, session, () => deps.store.set(name, value))
}

/** Runs `work` only while the session is current, and keeps it current meanwhile. Keep it short. */
export async function whileIn(deps: KeepDeps, session: Session, work: () => Promise<unknown>): Promise<void> {
  await alone(deps, async () => {
    if ((await readSession(deps.store))?.key === session.key) await work()
  })
}

/** Changes the session while nothing is stored for any. */
export async function alone<T>(deps: KeepDeps, work: () => Promise<T>): Promise<T> {
  return deps.locks.request('hapax-session', work) as Promise<T>
}
