import type Koa from 'koa'
import { randomBase62 } from '#shared/identity.ts'
import { readCookie, writeCookie } from '../cookies.ts'

/** Ties an authorization to the browser that began it. Lax, because the platform redirects back from its own site. */
const browserCookie = {
  name: 'hapax-browser',
  sameSite: 'Lax',
  isValue: (text: string) => /^[0-9A-Za-z]{43}$/.test(text),
} as const
const seconds = 600

/** Returns the value of the browser's cookie; null without one. */
export function readBrowserCookie(ctx: Koa.Context, publicUrl: string): string | null {
  return readCookie(ctx, publicUrl, browserCookie)
}

/** Sets the browser's cookie and returns its value. Keeps the value it has, so that two tabs can connect at once. */
export function keepBrowserCookie(ctx: Koa.Context, publicUrl: string): string {
  const value = readBrowserCookie(ctx, publicUrl) ?? randomBase62(43)
  writeCookie(ctx, publicUrl, browserCookie, value, seconds)
  return value
}
