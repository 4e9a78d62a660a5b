import type Koa from 'koa'
import { type Html, html } from '#server/infra/html.ts'
import { decimalFromMinor } from '#shared/money.ts'

/** Returns the first language the browser accepts that can format numbers and dates; English otherwise. Sets `Vary`. */
export function readerLocale(ctx: Koa.Context): string {
  ctx.vary('Accept-Language')
  const asked = ctx.acceptsLanguages()
  return (Array.isArray(asked) ? asked : [asked]).find((one) => typeof one === 'string' && isKnown(one)) || 'en'
}

function isKnown(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0
  } catch (error) {
    // Accept-Language may contain anything.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Formats an amount in the reader's locale, with the plain number for programs. */
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

/** Formats a day (2026-03-10), or the UTC day of a timestamp, in the reader's locale. */
export function dayHtml(day: string, locale: string): Html {
  const words = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
  return html`<time datetime="${day}" lang="${locale}">${words}</time>`
}
