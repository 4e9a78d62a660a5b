import type Koa from 'koa'
import { sessionLifetimes } from '#server/accounts/sessions/lifetimes.ts'
import type { Config } from '#server/config.ts'
import type { RequestCheck } from '#server/http/check-request.ts'
import { secretKind } from '#server/http/credentials/credentials.ts'
import { readCookie, writeCookie } from '../cookies.ts'

/** The header that the web app sends with each call. */
export const appHeader = 'x-hapax-app'

/** Strict: no link or form of another site sends it. */
const appCookie = {
  name: 'hapax-app',
  sameSite: 'Strict',
  isValue: (text: string) => secretKind(text) === 'hpxt',
} as const

/** Keeps the bearer token of the web app in a cookie, as long as the session can live. */
export function setAppCookie(ctx: Koa.Context, config: Config, token: string): void {
  writeCookie(ctx, config.PUBLIC_URL, appCookie, token, sessionLifetimes(config).absolute)
}

export function clearAppCookie(ctx: Koa.Context, publicUrl: string): void {
  writeCookie(ctx, publicUrl, appCookie, '', 0)
}

/**
 * Lets the web app call the API with its cookie: the cookie's token becomes the request's bearer token. Other sites
 * cannot forge such a call: their header would need a preflight, which the server never answers. Does nothing to a
 * request with a credential of its own.
 */
export function acceptAppCookie(publicUrl: string): RequestCheck {
  return (ctx) => {
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
  }
}

/** Returns the bearer token of the web app's cookie, null without one. */
export function readAppCookie(ctx: Koa.Context, publicUrl: string): string | null {
  return readCookie(ctx, publicUrl, appCookie)
}
