/*
 * Etsy's values of `when_made`. They change every January, because vintage means at least twenty years old and the
 * newest decade ends with the current year.
 */

/** Returns the values that are valid in a year, in Etsy's order. */
export function erasOf(year: number): string[] {
  const decade = Math.floor(year / 10) * 10
  /** The first year that is not vintage. */
  const modern = year - 19
  const decadeOfModern = Math.floor(modern / 10) * 10
  const recent: string[] = []
  for (let start = decade; start > decadeOfModern; start -= 10)
    recent.push(`${start}_${start === decade ? year : start + 9}`)
  const oldest = modern > decadeOfModern ? [`${decadeOfModern}_${modern - 1}`] : []
  const decades: string[] = []
  for (let start = decadeOfModern - 10; start >= 1900; start -= 10)
    decades.push(start < 2000 ? `${start}s` : `${start}_${start + 9}`)
  return [
    'made_to_order',
    ...recent,
    `${modern}_${decadeOfModern + 9}`,
    `before_${modern}`,
    ...oldest,
    ...decades,
    '1800s',
    '1700s',
    'before_1700',
  ]
}

/** Returns the valid value in a year for one of this or an earlier year: `2020_2025` is `2020_2026` in 2026. */
export function currentEra(era: string, year: number): string {
  const eras = erasOf(year)
  if (eras.includes(era)) return era
  for (let before = year + 1; before > year - 10; before--) {
    const place = placeOf(era, before)
    const now = place === null ? undefined : eras.find((one) => placeOf(one, year) === place)
    if (now) return now
  }
  return era
}

/** Returns the values with the same meaning a year later and a year earlier, for refusals around New Year. */
export function neighbouringEras(era: string, year: number): string[] {
  const place = placeOf(era, year)
  if (place === null) return []
  return [year + 1, year - 1]
    .flatMap((other) => erasOf(other).filter((one) => placeOf(one, other) === place))
    .filter((one) => one !== era)
}

/** Returns the meaning of a value that changes with the year; null for a fixed value or one of another year. */
function placeOf(era: string, year: number): string | null {
  if (!erasOf(year).includes(era)) return null
  if (era === `before_${year - 19}`) return 'vintage'
  if (era.startsWith(`${year - 19}_`)) return 'just not vintage'
  if (era.endsWith(`_${year - 20}`)) return 'just vintage'
  return era.endsWith(`_${year}`) ? 'newest' : null
}

/** Returns the era of the year of making; null if it is ambiguous, as in the current decade. */
export function eraOfYear(made: number, now: number): string | null {
  if (made < 1700) return 'before_1700'
  if (made < 1800) return '1700s'
  if (made < 1900) return '1800s'
  if (made < 2000) return `${Math.floor(made / 10) * 10}s`
  const range = erasOf(now).find((era) => {
    const [, from = '', to = ''] = /^(\d{4})_(\d{4})$/.exec(era) ?? []
    return from !== '' && made >= Number(from) && made <= Number(to)
  })
  return range && !range.endsWith(`_${now}`) ? range : null
}

/** Returns true if Etsy considers an era vintage. */
export function isVintage(era: string, now: number): boolean {
  const [, from] = /^(\d{4})_\d{4}$/.exec(era) ?? []
  if (from) return Number(from) < now - 19
  return /^(1\d\d0s|before_\d{4})$/.test(era)
}

/** Returns a label such as "2010 to 2019", "Before 1700" or "1970s". */
export function nameOfEra(id: string): string {
  const words = id.replace(/^(\d{4})_(\d{4})$/, '$1 to $2').replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
