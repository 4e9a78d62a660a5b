/** Signs and codes of currencies, as a form shows them beside a price. A bare `$` is that of several countries. */
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

/** What sellers of a country sell in, by its code (ISO 3166-1). */
const byCountry: Record<string, string> = {
  ...{ US: 'USD', GB: 'GBP', UK: 'GBP', AU: 'AUD', NZ: 'NZD', CA: 'CAD' },
  ...Object.fromEntries(
    'AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ').map((c) => [c, 'EUR']),
  ),
}
const dollars = new Set(['USD', 'AUD', 'NZD', 'CAD'])

/**
 * The currency of a form's price field: the one whose sign is among the words at it, else that of the seller's country.
 * Null: the form does not say, or says what does not fit the country; then no price is written, for it would be one in
 * other money.
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

/** The words nearest to a field that name a currency: its own, else those of the first around it that does. */
export function currencyWords(field: Element): string {
  const own = ['placeholder', 'aria-label'].map((name) => field.getAttribute(name) ?? '').join(' ')
  let words = own
  for (let around = field.parentElement; !words.match(signs) && around; around = around.parentElement) {
    // Beyond what holds this field alone, signs are those of others.
    if (around.querySelectorAll('input, textarea').length > 1 || around.matches('main, form, body')) break
    words = around.textContent ?? ''
  }
  return words
}
