const dayMs = 86_400_000

/** Returns what a date can mean, in UTC where it names no zone: `3/4/2026` is two days. */
export function readDates(text: string): { from: number; until: number }[] {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    text,
  )
  const time = iso?.[4]
  if (time !== undefined && !/^0?0:00(?::00)?$/.test(time)) {
    const date = [iso![1], ...iso!.slice(2, 4).map((part) => part!.padStart(2, '0'))].join('-')
    const moment = Date.parse(`${date}T${time.padStart(time.length < 6 ? 5 : 8, '0')}${iso![5] ?? 'Z'}`)
    return Number.isNaN(moment) ? [] : [{ from: moment, until: moment + 1_000 }]
  }
  const days: number[] = []
  const add = (year: number, month: number, day: number) => {
    const date = new Date(Date.UTC(year < 100 ? year + 2_000 : year, month - 1, day))
    if (date.getUTCMonth() === month - 1 && date.getUTCDate() === day) days.push(date.getTime())
  }
  if (iso) add(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const [, first, sign, second, year] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})(?: 0?0:00(?::00)?)?$/.exec(text) ?? []
  if (year !== undefined) {
    add(Number(year), Number(second), Number(first))
    if (sign !== '.' && first !== second) add(Number(year), Number(first), Number(second))
  }
  // "Jul-29-26 16:00:01 PDT" as eBay writes it, "29 July 2026" and "Jul 29, 2026".
  const named = /^(?:(\d{1,2})[. -]+)?([a-z]{3})[a-z]*[. -]+(?:(\d{1,2})[, -]+)?(\d{4}|\d{2})\b/i.exec(text)
  const month = named ? 'janfebmaraprmayjunjulaugsepoctnovdec'.indexOf(named[2]!.toLowerCase()) : -1
  if (named && month % 3 === 0) add(Number(named[4]), month / 3 + 1, Number(named[1] ?? named[3]))
  // Excel counts days.
  if (/^[45]\d{4}$/.test(text)) days.push((Number(text) - 25_569) * dayMs)
  return days.map((day) => ({ from: day, until: day + dayMs }))
}
