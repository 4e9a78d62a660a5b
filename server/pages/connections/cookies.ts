import type Koa from 'koa'
import { randomBase62 } from '#shared/identity.ts'

/**
 * A cookie of the connection pages. Over https its name begins with `__Host-`, so that sibling domains cannot set it.
 * Browsers refuse that prefix over plain http.
 */
interface CookieKind {
  name: string
  sameSite: 'Lax' | 'Strict'
  maxAgeSeconds: number
}

/** Ties an authorization to the browser that began it. Lax, because the platform redirects back from its own site. */
export const browserCookie: CookieKind = { name: 'hapax-browser', sameSite: 'Lax', maxAgeSeconds: 600 }

/** The seller's session on /connect/. Strict: no link or form of another site sends it. */
export const sessionCookie: CookieKind = { name: 'hapax-connect', sameSite: 'Strict', maxAgeSeconds: 900 }

const form = /^[0-9A-Za-z]{43}$/

/** Returns the value of a cookie; null if it is absent or malformed. */
export function readCookie(ctx: Koa.Context, kind: CookieKind): string | null {
  const value = ctx.cookies.get(fullName(ctx, kind))
  return value !== undefined && form.test(value) ? value : null
}

/**
 * Sets a cookie and returns its value. Callers pass the current value to keep it, so that two tabs can connect at once.
 */
export function setCookie(ctx: Koa.Context, kind: CookieKind, value: string = randomBase62(43)): string {
  write(ctx, kind, value, kind.maxAgeSeconds)
  return value
}

/** Clears a cookie. */
export function clearCookie(ctx: Koa.Context, kind: CookieKind): void {
  write(ctx, kind, '', 0)
}

function write(ctx: Koa.Context, kind: CookieKind, value: string, maxAgeSeconds: number): void {
  const secure = isSecure(ctx) ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${fullName(ctx, kind)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${kind.sameSite}${secure}`,
  )
}

const fullName = (ctx: Koa.Context, kind: CookieKind) => `${isSecure(ctx) ? '__Host-' : ''}${kind.name}`

/** Decides by the public URL rather than the connection: a proxy may terminate TLS. */
const isSecure = (ctx: Koa.Context) => (ctx.state.publicUrl as string).startsWith('https:')
