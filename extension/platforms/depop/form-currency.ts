/** Currency signs and codes beside a form's price. A bare `$` is ambiguous. */
const signs = /\b(?:USD|GBP|EUR|AUD|NZD|CAD)\b|(?:\b(?:US|AU|A|NZ|CA|C))?\$|[£€\u20a0-\u20cf¥]/g
const codes: Record<string, string> = {
  '£': 'GBP',
  '€': 'EUR',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  NZ$: 'NZD',
  C$: 'CAD',
  CA$: 'CAD',
}

/** Currencies by ISO 3166-1 country code. */
const byCountry: Record<string, string> = {
  ...{ US: 'USD', GB: 'GBP', UK: 'GBP', AU: 'AUD', NZ: 'NZD', CA: 'CAD' },
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((c) => [c, 'EUR']),
  ),
}
const dollars = new Set(['USD', 'AUD', 'NZD', 'CAD'])

/**
 * Returns the currency of a form's price field: its sign or code, or else the currency of the seller's country. Returns
 * null if neither is known or they disagree. Then no price is written, because it would be in the wrong currency.
 */
export function formCurrency(words: string, country: string | null): string | null {
  const home = byCountry[country?.toUpperCase() ?? ''] ?? null
  const said = new Set(words.match(signs))
  if (said.size === 0) return home
  if (said.size > 1) return null
  const [sign] = said as Set<string>
  if (sign === '$') return home !== null && dollars.has(home) ? home : null
  return codes[sign!] ?? (/^[A-Z]{3}$/.test(sign!) ? sign! : null)
}

/** Returns the text nearest to a field that names a currency. */
export function currencyWords(field: Element): string {
  const own = ['placeholder', 'aria-label'].map((name) => field.getAttribute(name) ?? '').join(' ')
  let words = own
  for (let around = field.parentElement; !words.match(signs) && around; around = around.parentElement) {
    // An element with several fields may show another field's sign.
    if (around.querySelectorAll('input, textarea').length > 1 || around.matches('main, form, body')) break
    words = around.textContent ?? ''
  }
  return words
}
