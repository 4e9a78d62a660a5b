import type Koa from 'koa'
import { hashSecret } from '#server/http/credentials.ts'
import { type Queries, sql } from '#server/infra/db/index.ts'
import { clearCookie, readCookie, sessionCookie, setCookie } from './cookies.ts'

const insertSession = sql(import.meta.url, './sql/insert-session.sql')
const findSession = sql(import.meta.url, './sql/find-session.sql')
const deleteSession = sql(import.meta.url, './sql/delete-session.sql')

export interface PageSession {
  /** It stands on a bearer token, and ends with it. */
  kind: 'bearer'
  user_id: number
  token_hash: Buffer
  /** What the seller knows the account by. */
  account_name: string
  /** There is an email address, and nobody has shown that they read its mail. */
  unconfirmed: boolean
}

/**
 * Opens a browser session of 15 minutes on the token that signing in gave. The token itself is dropped here: the session
 * only serves these pages, and ends with every other session at a password change.
 */
export async function openSession(queries: Queries, ctx: Koa.Context, userId: number, token: string): Promise<void> {
  const value = setCookie(ctx, sessionCookie)
  await queries.none(insertSession, { user_id: userId, session_hash: hashSecret(value), token_hash: hashSecret(token) })
}

/** Who is signed in on the page; null for nobody. */
export async function readSession(queries: Queries, ctx: Koa.Context): Promise<PageSession | null> {
  const value = readCookie(ctx, sessionCookie)
  if (value === null) return null
  return queries.oneOrNone<PageSession>(findSession, { session_hash: hashSecret(value) })
}

/** Ends the page's session, here and in the browser; where there is none, nothing happens. */
export async function closeSession(queries: Queries, ctx: Koa.Context): Promise<void> {
  const value = readCookie(ctx, sessionCookie)
  if (value !== null) await queries.none(deleteSession, { session_hash: hashSecret(value) })
  clearCookie(ctx, sessionCookie)
}
