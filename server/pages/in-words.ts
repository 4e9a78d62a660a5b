import type Koa from 'koa'
import { type Html, html } from '#server/infra/html.ts'
import { decimalFromMinor } from '#shared/money.ts'

/**
 * The language that a reader's browser asks for first and this server can write numbers and dates in; English where it asks
 * for none. The answer differs by it: `Vary` says so.
 */
export function readerLocale(ctx: Koa.Context): string {
  ctx.vary('Accept-Language')
  const asked = ctx.acceptsLanguages()
  return (Array.isArray(asked) ? asked : [asked]).find((one) => typeof one === 'string' && isKnown(one)) || 'en'
}

function isKnown(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0
  } catch (error) {
    // A browser may send any words.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** An amount as its reader writes money, with the plain number beside it for programs. */
export function moneyHtml({ price_minor, currency }: { price_minor: number; currency: string }, locale: string): Html {
  const decimal = decimalFromMinor(price_minor, currency)
  return html`<data value="${decimal}" lang="${locale}">${moneyWords(decimal, currency, locale)}</data>`
}

function moneyWords(decimal: string, currency: string, locale: string): string {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(decimal))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return `${decimal} ${currency}`
  }
}

/** A day (2026-03-10), or the day of a moment in UTC, as its reader writes dates, with the plain one for programs. */
export function dayHtml(day: string, locale: string): Html {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
  return html`<time datetime="${day}" lang="${locale}">${words}</time>`
}
