import { z } from 'zod'
import { User } from '#shared/contract/accounts.ts'
import type { Store } from './store.ts'

/** Who this browser is to the server. The API key is the only credential that is kept. */
export const Session = z.object({
  server: z.string(),
  key: z.string(),
  /** Null for a key that was pasted in: nothing but its value is known. */
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  user: User.nullable(),
  /** `expired`: the server no longer takes the key; everything else is kept until the seller signs in again. */
  status: z.enum(['active', 'expired']),
  signed_in_at: z.number(),
})
export type Session = z.infer<typeof Session>

const name = 'session'

/** A session that was signed out of, and of which something may still be here; nobody acts for it any more. */
const Leaving = Session.extend({ status: z.literal('leaving') })

/** The session that is kept; null for nobody, and for what is kept in a form we do not know. */
export async function readSession(store: Store): Promise<Session | null> {
  return (
    Session.nullish()
      .catch(null)
      .parse(await store.get(name)) ?? null
  )
}

/** Keeps a session, in place of the one before. */
export async function writeSession(store: Store, session: Session): Promise<void> {
  await store.set(name, session)
}

/** Ends the session in one write: from here on nobody is signed in, and the rest can be finished after any death. */
export async function leaveSession(store: Store): Promise<void> {
  const session = await readSession(store)
  if (session) await store.set(name, { ...session, status: 'leaving' })
}

/** The session that was signed out of and is not gone yet; null: there is none. */
export async function readLeaving(store: Store): Promise<Session | null> {
  const leaving = Leaving.nullish()
    .catch(null)
    .parse(await store.get(name))
  return leaving ? { ...leaving, status: 'expired' } : null
}

/** Notes that the server refused the key; a session that was replaced meanwhile stays as it is. Within `alone`. */
export async function expireSession(store: Store, key: string): Promise<void> {
  const session = await readSession(store)
  if (session?.key === key) await writeSession(store, { ...session, status: 'expired' })
}

/**
 * True when what was collected for one session may be sent by another: same server, and the same person. Whose a pasted
 * key is nobody knows here, so that only the very same key is the same person's.
 */
export function sameAccount(one: Session, other: Session): boolean {
  if (one.server !== other.server) return false
  return one.key === other.key || (one.user !== null && one.user.id === other.user?.id)
}
