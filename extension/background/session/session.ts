import { z } from 'zod'
import { User } from '#shared/contract/account/accounts.ts'
import type { Store } from './store.ts'

/** The current sign-in. The API key is the only credential stored. */
export const Session = z.object({
  server: z.string(),
  key: z.string(),
  /** Null for a pasted key, of which only the value is known. */
  key_id: z.string().nullable(),
  key_name: z.string().nullable(),
  user: User.nullable(),
  /** `expired`: the server rejects the key. Data is kept until the next sign-in. */
  status: z.enum(['active', 'expired']),
  signed_in_at: z.number(),
})
export type Session = z.infer<typeof Session>

const name = 'session'

/** A session that was signed out of but not fully deleted. Nobody acts for it. */
const Leaving = Session.extend({ status: z.literal('leaving') })

/** Returns the stored session, or null if there is none or its form is unknown. */
export async function readSession(store: Store): Promise<Session | null> {
  return (
    Session.nullish()
      .catch(null)
      .parse(await store.get(name)) ?? null
  )
}

/** Stores a session. */
export async function writeSession(store: Store, session: Session): Promise<void> {
  await store.set(name, session)
}

/** Ends the session in one write. The rest can be finished later. */
export async function leaveSession(store: Store): Promise<void> {
  const session = await readSession(store)
  if (session) await store.set(name, { ...session, status: 'leaving' })
}

/** Returns a session whose sign-out is unfinished, or null. */
export async function readLeaving(store: Store): Promise<Session | null> {
  const leaving = Leaving.nullish()
    .catch(null)
    .parse(await store.get(name))
  return leaving ? { ...leaving, status: 'expired' } : null
}

/** Marks the session expired unless it was replaced. Call within `alone`. */
export async function expireSession(store: Store, key: string): Promise<void> {
  const session = await readSession(store)
  if (session?.key === key) await writeSession(store, { ...session, status: 'expired' })
}

/**
 * Names the account of a session without a secret, the same at every sign-in. A pasted key's user is unknown, so the key
 * stands for it.
 */
export async function accountOf({ server, user, key }: Pick<Session, 'server' | 'user' | 'key'>): Promise<string> {
  if (user !== null) return `${server} ${user.id}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key))
  return `${server} ${[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * Returns true if data of one session may be sent by another: same server and same user. A pasted key's user is
 * unknown, so only the same key matches.
 */
export function sameAccount(one: Session, other: Session): boolean {
  if (one.server !== other.server) return false
  // The web app has one word in place of a key for every account.
  if (one.user !== null && other.user !== null) return one.user.id === other.user.id
  return one.key === other.key
}
