const letterSizes: Record<string, string> = {
  xsmall: 'xs',
  small: 's',
  medium: 'm',
  med: 'm',
  large: 'l',
  xlarge: 'xl',
  xxlarge: 'xxl',
  '2xl': 'xxl',
  '3xl': 'xxxl',
}

/** Splits a size into comparable parts: "W32 L30", "32x30" -> {32, 30}; "Medium (M)" -> {m}. May be empty. */
export function sizeParts(size: string): Set<string> {
  const text = size
    .toLowerCase()
    .replace(/\b(x+)[\s-]*(small|large)\b/g, '$1$2')
    .replace(/(\d)([a-z])|([a-z])(\d)/g, (pair) => (/\dxl/.test(pair) ? pair : `${pair[0]} ${pair[1]}`))
  const parts = text.match(/\d+(?:[.,]\d+)?|[a-z]+/g) ?? []
  const sizes = parts
    .map((part) => letterSizes[part] ?? part)
    .filter((part) => /^\d/.test(part) || /^(x*s|m|x*l|os)$/.test(part))
  return new Set(sizes.map((part) => part.replace(',', '.').replace(/\.0$/, '')))
}
