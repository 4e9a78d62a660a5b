import type Koa from 'koa'
import { randomBase62 } from '#shared/identity.ts'

/**
 * Cookies of the pages that connect a shop. Over https their names begin with `__Host-`, so that no neighbouring domain
 * can set them; over plain http (a laptop) browsers refuse that prefix.
 */
export interface CookieKind {
  name: string
  sameSite: 'Lax' | 'Strict'
  maxAgeSeconds: number
}

/** Ties an authorization to the browser that began it. Lax: the platform sends the seller back from its own site. */
export const browserCookie: CookieKind = { name: 'hapax-browser', sameSite: 'Lax', maxAgeSeconds: 600 }

/** The signed-in seller on /connect/. Strict: no other site's link or form comes with it. */
export const sessionCookie: CookieKind = { name: 'hapax-connect', sameSite: 'Strict', maxAgeSeconds: 900 }

const form = /^[0-9A-Za-z]{43}$/

/** The value of a cookie of ours; null when it is absent or not of our form. */
export function readCookie(ctx: Koa.Context, kind: CookieKind): string | null {
  const value = ctx.cookies.get(fullName(ctx, kind))
  return value !== undefined && form.test(value) ? value : null
}

/** Sets a cookie and answers its value; a browser that has one keeps it, so that two tabs may connect side by side. */
export function setCookie(ctx: Koa.Context, kind: CookieKind, value: string = randomBase62(43)): string {
  write(ctx, kind, value, kind.maxAgeSeconds)
  return value
}

/** Has the browser forget a cookie of ours. */
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

/** By our public address, not by the connection: TLS may end at a proxy before us. */
const isSecure = (ctx: Koa.Context) => (ctx.state.publicUrl as string).startsWith('https:')
