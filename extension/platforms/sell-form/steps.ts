import { decimalFromMinor } from '#shared/money.ts'
import { check, chosen, type Field, filled, left, type Result, type Step, type Tools } from './form.ts'
import type { ListingDraft } from './listing-draft.ts'
import { attach, type Menu, pick, sameAmount, type TextField, waitFor, write } from './touch.ts'
import { plain } from './words.ts'

/**
 * Returns a step that fills its field anew if the site wrote its own value there meanwhile, and once more where that failed:
 * the site may still have been drawing its menu. `shows`: the value in the form, empty for none. `fill` writes over a value
 * that is there if `again`.
 */
export function keptStep(field: Field, fill: (again: boolean) => Promise<Result>, shows: () => string): Step {
  const before = shows()
  let held = ''
  const run = async (again: boolean) => {
    const result = await fill(again)
    held = shows()
    return result
  }
  return [
    field,
    () => run(false),
    async (first) => {
      const { result, why, value, highlights } = first
      if (why === 'overwritten') {
        if (result === 'check') return null
      } else if (result === 'left') {
        if (['', before].includes(shows()) || why === 'kept') return null
        return value === null ? check('overwritten', ...highlights) : { ...first, why: 'overwritten' }
      } else if (shows() === held) return null
      const anew = await run(true)
      return anew.result === 'left' ? { ...anew, why: 'overwritten' } : anew
    },
  ]
}

/** Writes a text of at most `max` characters, cut between words. `options.overwrites`: a value in the field is the site's own. */
export function textStep(
  field: Field,
  find: () => TextField | null,
  text: string,
  max: number,
  { overwrites = false, least = 0 } = {},
): Step {
  const short = shorten(text, max)
  const fill = async (again: boolean) => {
    if (text === '') return left('not_said', null, find())
    const place = await waitFor(find)
    if (!place) return left('no_field', text)
    const done = await write(place, short, { overwrite: overwrites || again })
    if (done !== 'written') return left(done, text, place)
    if (short.split(/\s+/).length < least) return check('few_words', place)
    return short === text ? filled(place) : check('cut', place)
  }
  return keptStep(field, fill, () => find()?.value.trim() ?? '')
}

/** Shortens a text to `max` UTF-16 units, as forms count them. Cuts between words if possible. */
function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  // Never cut inside a word or a surrogate pair.
  const end = /\s/.test(text[max]!) ? max : cut.search(/\s\S*$/)
  return (end > max / 2 ? cut.slice(0, end) : cut)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd()
}

/** Returns true if a listing has the form's title, of which the form kept the first `max` characters. */
export function saysTitle(listed: string | null | undefined, title: string, max: number): boolean {
  return [title, shorten(title, max)].some((one) => plain(one) === plain(listed ?? ''))
}

/** Attaches as many pictures as the form's file field accepts. */
export function photosStep(
  draft: ListingDraft,
  tools: Tools,
  options: {
    find: () => HTMLInputElement | null
    max: number
    /** The element to highlight, because the field itself is often hidden. */
    highlight: (field: HTMLInputElement) => Element | null
    afterwards?: () => Promise<void>
    /** Waits for what the site does with the pictures. */
    again?: () => Promise<null>
  },
): Step {
  const { find, max, highlight, afterwards, again = async () => null } = options
  return [
    'photos',
    async () => {
      if (draft.pictures === 0) return left('not_said')
      const wanted = Math.min(draft.pictures, max)
      const place = await waitFor(find)
      if (!place) return left('no_field')
      if (given.get(place) === draft.task) return filled(highlight(place))
      if (given.has(place) || (place.files?.length ?? 0) > 0) return left('kept', null, highlight(place))
      const files = await tools.pictures(wanted)
      if (files.length === 0) return left('pictures', null, highlight(place))
      // The page may have re-rendered the field meanwhile.
      const field = place.isConnected ? place : find()
      if (!field) return left('no_field')
      const put = (into: HTMLInputElement, some: File[]) => {
        attach(into, some)
        given.set(into, draft.task)
      }
      if (field.multiple) put(field, files)
      else for (const file of files) put(find() ?? field, [file])
      await afterwards?.()
      if (files.length < wanted) return check('pictures', highlight(field))
      return draft.pictures > max ? check('cut', highlight(field)) : filled(highlight(field))
    },
    again,
  ]
}

/** File fields that received pictures, by task. Many sites empty the field after upload. */
const given = new WeakMap<HTMLInputElement, string>()

/** A form's price limits. */
export interface PriceRules {
  /** Null: unknown. */
  currency: string | null
  min_minor: number
  max_minor: number
  /** Only whole units. Prices are rounded for review. */
  whole: boolean
}

/** Returns the price in the form's format, or the reason why the form rejects it. */
function priceText(draft: ListingDraft, rules: PriceRules): { text: string; rounded: boolean } | 'currency' | 'limit' {
  const { currency } = rules
  if (currency === null || draft.currency !== currency) return 'currency'
  const minor = rules.whole ? Math.round(draft.price_minor / 100) * 100 : draft.price_minor
  if (minor < rules.min_minor || minor > rules.max_minor) return 'limit'
  const text = decimalFromMinor(minor, currency)
  return { text: rules.whole ? text.replace(/\.0+$/, '') : text, rounded: minor !== draft.price_minor }
}

/** Price limits of a form whose currency is known only after rendering. */
interface PriceRulesOf extends Omit<PriceRules, 'currency'> {
  /** Returns null if the form shows no currency. Then no price is written. */
  currencyAt: (field: TextField) => Promise<string | null>
}

/** Where a form has its price. */
interface PricePlace {
  find: () => TextField | null
  /** Opens the price dialog, if any. */
  open?: () => Promise<TextField | null>
  /** Closes it, and returns why the seller has to look. */
  close?: (text: string) => Promise<TextField | Result | null>
  /** Returns why the seller has to look at a price that is written. */
  remark?: () => Promise<Result | null>
  /** A value in the field is the site's own. */
  overwrites?: boolean
}

/** Writes the price. */
export function priceStep(draft: ListingDraft, rules: PriceRules | PriceRulesOf, place: PricePlace): Step {
  const { find, open = () => waitFor(find), close, remark, overwrites = false } = place
  const fill = async (again: boolean) => {
    const value = `${decimalFromMinor(draft.price_minor, draft.currency)} ${draft.currency}`
    // Check fixed rules before opening a dialog.
    const known = 'currency' in rules ? priceText(draft, rules) : null
    if (typeof known === 'string') return left(known, value)
    const field = await open()
    if (!field) return left('no_field', value)
    const price = known ?? priceText(draft, { ...rules, currency: await (rules as PriceRulesOf).currencyAt(field) })
    if (typeof price === 'string') return left(price, value, field)
    const done = await write(field, price.text, { same: sameAmount, overwrite: overwrites || again })
    if (done !== 'written') return left(done, value, field)
    const shown = close ? await close(price.text) : field
    if (!shown) return left('refused', value)
    if ('result' in shown) return shown
    return price.rounded ? check('rounded', shown) : filled(shown)
  }
  const amount = () => find()?.value.replace(/[^\d.]/g, '') ?? ''
  const [field, first, again] = keptStep('price', fill, () => (amount() === '' ? '' : String(Number(amount()))))
  const isOpen = ({ result, why }: Result) => result === 'filled' || why === 'kept'
  return [
    field,
    first,
    async (result) => {
      const now = await again!(result)
      return (isOpen(now ?? result) && (await remark?.())) || now
    },
  ]
}

/** Picks from a menu. `value`: the wanted option, or null if the item has no value. */
export async function pickStep(
  value: string | null,
  find: () => HTMLElement | null,
  menu: (opener: HTMLElement) => Omit<Menu, 'opener'>,
  highlight: (opener: HTMLElement) => Element | null = (opener) => opener,
): Promise<Result> {
  if (!value) return left('not_said')
  const opener = await waitFor(find)
  if (!opener) return left('no_field', value)
  const picked = await pick({ opener, ...menu(opener) })
  if (picked === 'no_menu') return left('no_field', value, highlight(opener))
  if (!picked) return left('no_option', value, highlight(opener))
  return chosen(picked, highlight(opener))
}
