import { readSession, type Session } from './session.ts'
import type { Store } from './store.ts'

export interface KeepDeps {
  store: Store
  locks: Pick<LockManager, 'request'>
}

/**
 * Keeps a value as long as the session it belongs to is the one in use: an answer that comes after the seller signed out
 * leaves nothing behind.
 */
export async function keepFor(deps: KeepDeps, session: Session, name: string, value: unknown): Promise<void> {
  await whileIn(deps, session, () => deps.store.set(name, value))
}

/** Does something as long as the session is the one in use, which it stays till that is done. It must be short. */
export async function whileIn(deps: KeepDeps, session: Session, work: () => Promise<unknown>): Promise<void> {
  await alone(deps, async () => {
    if ((await readSession(deps.store))?.key === session.key) await work()
  })
}

/** Changes who is signed in while nothing is kept for anybody. */
export async function alone<T>(deps: KeepDeps, work: () => Promise<T>): Promise<T> {
  return deps.locks.request('hapax-session', work) as Promise<T>
}
