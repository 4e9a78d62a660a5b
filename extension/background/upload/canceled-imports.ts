import { z } from 'zod'
import type { Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { type KeepDeps, whileIn } from '../session/store-for-session.ts'

/** Ids of canceled jobs and checks. */
const Canceled = z.array(z.string()).catch([])

/** Maximum number remembered. The server closes an abandoned job after a day. */
const maxCanceled = 200

/** Remembers a canceled job or check while its seller is signed in. */
export async function rememberCanceled(deps: KeepDeps, session: Session, id: string): Promise<void> {
  await whileIn(deps, session, async () => {
    const canceled = await readCanceled(deps.store)
    await deps.store.set('canceled', [...canceled, id].slice(-maxCanceled))
  })
}

/** Returns the ids of canceled jobs and checks, oldest first. */
export async function readCanceled(store: Store): Promise<string[]> {
  return Canceled.parse(await store.get('canceled'))
}
