const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }

/**
 * Returns text as the seller typed it. Etsy sends it HTML-escaped, and this reverses that in one pass, so that
 * `&amp;lt;` becomes `&lt;` and not `<`. It removes U+0000 and half surrogates, which PostgreSQL cannot store.
 */
export function unescapeHtml(text: string): string {
  return text
    .replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos|nbsp));/g, (_, decimal, hex, name) =>
      name ? named[name]! : characterOf(decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hex, 16)),
    )
    .replaceAll('\u0000', '')
    .toWellFormed()
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}
