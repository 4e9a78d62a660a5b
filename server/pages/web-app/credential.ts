import type Koa from 'koa'
import { sessionLifetimes } from '#server/accounts/auth/sessions/lifetimes.ts'
import type { Config } from '#server/config.ts'
import { secretKind } from '#server/http/credentials.ts'

/** The header that the web app sends with each call. */
export const appHeader = 'x-hapax-app'

/**
 * Keeps the bearer token of the web app in a cookie that scripts cannot read. Over https its name begins with `__Host-`,
 * so that no neighboring domain can set it. The browser keeps it as long as the session can live.
 */
export function setAppCookie(ctx: Koa.Context, config: Config, token: string): void {
  write(ctx, config.PUBLIC_URL, token, sessionLifetimes(config).absolute)
}

export function clearAppCookie(ctx: Koa.Context, publicUrl: string): void {
  write(ctx, publicUrl, '', 0)
}

/** Returns whether the browser has the cookie of a signed-in web app. */
export function hasAppCookie(ctx: Koa.Context, publicUrl: string): boolean {
  return readAppCookie(ctx, publicUrl) !== null
}

/**
 * Lets the web app call the API with its cookie: the cookie's token becomes the request's bearer token. Other sites
 * cannot forge such a call: their header would need a preflight, which the server never answers. Does nothing to a
 * request with a credential of its own.
 */
export function acceptAppCookie(publicUrl: string): Koa.Middleware {
  return (ctx, next) => {
    const { headers, rawHeaders } = ctx.req
    const site = headers['sec-fetch-site']
    const isOurs = headers[appHeader] === '1' && (site === undefined || site === 'same-origin')
    if (isOurs && headers.authorization === undefined && headers['x-api-key'] === undefined) {
      const token = readAppCookie(ctx, publicUrl)
      if (token !== null) {
        headers.authorization = `Bearer ${token}`
        rawHeaders.push('Authorization', headers.authorization)
      }
    }
    return next()
  }
}

/** Returns the bearer token of the web app's cookie, null without one. */
export function readAppCookie(ctx: Koa.Context, publicUrl: string): string | null {
  const value = ctx.cookies.get(nameOf(publicUrl))
  return value !== undefined && secretKind(value) === 'hpxt' ? value : null
}

function write(ctx: Koa.Context, publicUrl: string, value: string, seconds: number): void {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  ctx.append(
    'Set-Cookie',
    `${nameOf(publicUrl)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  )
}

const nameOf = (publicUrl: string) => (publicUrl.startsWith('https:') ? '__Host-hapax-app' : 'hapax-app')
