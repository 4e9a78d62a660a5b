import type Koa from 'koa'
import { hashSecret } from '#server/http/credentials.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { clearCookie, readCookie, sessionCookie, setCookie } from './cookies.ts'
import { readOwnForm } from './own-form.ts'
import { seeOther } from './see-other.ts'

const insertSession = sql(import.meta.url, './sql/insert-session.sql')
const findSession = sql(import.meta.url, './sql/find-session.sql')
const deleteSession = sql(import.meta.url, './sql/delete-session.sql')

export interface PageSession {
  /** The bearer token that the session depends on. */
  kind: 'bearer'
  user_id: number
  token_hash: Buffer
  /** The email address, phone number or user name of the account. */
  account_name: string
  /** True while the email address is unverified. */
  unconfirmed: boolean
}

/**
 * Opens a browser session of 15 minutes that depends on the token of a sign-in, and ends with all others at a password
 * change. `endsToken`: the token serves these pages only and ends with the session. The web app's lives on.
 */
export async function openSession(
  queries: Queries,
  ctx: Koa.Context,
  { user_id, token, endsToken }: { user_id: number; token: string; endsToken: boolean },
): Promise<void> {
  const session_hash = hashSecret(setCookie(ctx, sessionCookie))
  await queries.none(insertSession, { user_id, session_hash, token_hash: hashSecret(token), ends_token: endsToken })
}

/** Returns the signed-in seller; null without a session. */
export async function readSession(queries: Queries, ctx: Koa.Context): Promise<PageSession | null> {
  const value = readCookie(ctx, sessionCookie)
  if (value === null) return null
  return queries.oneOrNone<PageSession>(findSession, { session_hash: hashSecret(value) })
}

/** Ends the page's session on the server and in the browser, if there is one. */
export async function closeSession(queries: Queries, ctx: Koa.Context): Promise<void> {
  const value = readCookie(ctx, sessionCookie)
  if (value !== null) await queries.none(deleteSession, { session_hash: hashSecret(value) })
  clearCookie(ctx, sessionCookie)
}

/** A page that a seller may ask for before signing in. */
export type Destination = 'address' | 'app' | 'subscription' | 'security'

type Answer = (ctx: Koa.Context, session: PageSession, fields: Map<string, string>) => unknown

/** Middleware for signed-in sellers. Everyone else is sent to sign in, and from there to `destination`. */
export function signedIn(queries: Queries, destination?: Destination) {
  const guard =
    (readFields: (ctx: Koa.Context) => Promise<Map<string, string>>, answer: Answer): Koa.Middleware =>
    async (ctx) => {
      const fields = await readFields(ctx)
      const session = await readSession(queries, ctx)
      if (session) await answer(ctx, session, fields)
      else seeOther(ctx, destination ? `/connect/?to=${destination}` : '/connect/')
    }
  return {
    /** Shows a page. */
    page: (answer: Answer): Koa.Middleware => guard(async () => new Map(), answer),
    /** Handles a form that a page of this server sent. */
    form: (answer: Answer): Koa.Middleware => guard(readOwnForm, answer),
  }
}
