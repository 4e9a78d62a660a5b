import { z } from 'zod'
import { type KeepDeps, whileIn } from '../session/keep-for.ts'
import type { Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'

/** Jobs and checks that the seller gave up. */
const Canceled = z.array(z.string()).catch([])

/** How many are remembered: the server closes a job that nobody fills after a day. */
const maxCanceled = 200

/** Remembers a job or a check that was given up, as long as its seller is signed in. */
export async function rememberCanceled(deps: KeepDeps, session: Session, id: string): Promise<void> {
  await whileIn(deps, session, async () => {
    const canceled = await readCanceled(deps.store)
    await deps.store.set('canceled', [...canceled, id].slice(-maxCanceled))
  })
}

/** Ids of what was given up, oldest first. */
export async function readCanceled(store: Store): Promise<string[]> {
  return Canceled.parse(await store.get('canceled'))
}
