import type Koa from 'koa'

/** A cookie that scripts cannot read. */
interface CookieKind {
  name: string
  sameSite: 'Lax' | 'Strict'
  /** The form of its values; others count as absent. */
  isValue: (text: string) => boolean
}

/** Returns the value of a cookie; null if it is absent or malformed. */
export function readCookie(ctx: Koa.Context, publicUrl: string, kind: CookieKind): string | null {
  const value = ctx.cookies.get(nameOf(publicUrl, kind))
  return value !== undefined && kind.isValue(value) ? value : null
}

/** Sets a cookie for a number of seconds; 0 clears it. */
export function writeCookie(
  ctx: Koa.Context,
  publicUrl: string,
  kind: CookieKind,
  value: string,
  seconds: number,
): void {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${nameOf(publicUrl, kind)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=${kind.sameSite}${secure}`,
  )
}

/**
 * Over https the name begins with `__Host-`, so that sibling domains cannot set the cookie. Browsers refuse that prefix
 * over plain http.
 */
const nameOf = (publicUrl: string, { name }: CookieKind) => `${isSecure(publicUrl) ? '__Host-' : ''}${name}`

/** Decides by the public URL rather than the connection: a proxy may terminate TLS. */
const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')
