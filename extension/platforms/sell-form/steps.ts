import { decimalFromMinor } from '#shared/money.ts'
import { check, chosen, type Field, filled, left, type Result, type Step, type Tools } from './form.ts'
import type { ListingDraft } from './listing-draft.ts'
import { attach, type Menu, pick, sameAmount, type TextField, waitFor, write } from './touch.ts'
import { plain } from './words.ts'

/** Writes a text of at most `max` characters, cut at a word's end. */
export function textStep(field: Field, find: () => TextField | null, text: string, max: number): Step {
  return [
    field,
    async () => {
      if (text === '') return left('not_said', null, find())
      const place = await waitFor(find)
      if (!place) return left('no_field', text)
      const short = shorten(text, max)
      const done = await write(place, short)
      if (done !== 'written') return left(done, text, place)
      return short === text ? filled(place) : check('cut', place)
    },
  ]
}

/** At most `max` characters (as forms count them: UTF-16 units), cut between words where there are any. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  // A word goes whole or not at all; a half of a character never.
  const end = /\s/.test(text[max]!) ? max : cut.search(/\s\S*$/)
  return (end > max / 2 ? cut.slice(0, end) : cut)
    .toWellFormed()
    .replace(/\uFFFD$/, '')
    .trimEnd()
}

/** Whether a listing has the title that the form was filled in with, of which it took the first `max` characters. */
export function saysTitle(listed: string | null | undefined, title: string, max: number): boolean {
  return [title, shorten(title, max)].some((one) => plain(one) === plain(listed ?? ''))
}

/** Puts the pictures into the form's file field, as many as it takes. */
export function photosStep(
  draft: ListingDraft,
  tools: Tools,
  options: {
    find: () => HTMLInputElement | null
    max: number
    /** What is marked: the field itself is often hidden. */
    highlight: (field: HTMLInputElement) => Element | null
    afterwards?: () => Promise<void>
  },
): Step {
  const { find, max, highlight, afterwards } = options
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
      // The page may have been drawn anew meanwhile.
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
  ]
}

/** File fields that were given pictures, and for which task: many sites empty the field once they have them. */
const given = new WeakMap<HTMLInputElement, string>()

/** What a form takes for a price. */
export interface PriceRules {
  /** Null: not known. */
  currency: string | null
  min_minor: number
  max_minor: number
  /** Only whole units: rounded, for the seller to look at. */
  whole: boolean
}

/** The price as the form takes it, or why it does not. */
export function priceText(
  draft: ListingDraft,
  rules: PriceRules,
): { text: string; rounded: boolean } | 'currency' | 'limit' {
  const { currency } = rules
  if (currency === null || draft.currency !== currency) return 'currency'
  const minor = rules.whole ? Math.round(draft.price_minor / 100) * 100 : draft.price_minor
  if (minor < rules.min_minor || minor > rules.max_minor) return 'limit'
  const text = decimalFromMinor(minor, currency)
  return { text: rules.whole ? text.replace(/\.0+$/, '') : text, rounded: minor !== draft.price_minor }
}

/** The price as it is when the form's currency is known only once it is drawn; see `priceStep`. */
export interface PriceRulesOf extends Omit<PriceRules, 'currency'> {
  /** Null: the form does not say, so that no price is written. */
  currencyAt: (field: TextField) => Promise<string | null>
}

/** Writes the price; `place`: opens what has to be opened, and closes it with `afterwards`. */
export function priceStep(
  draft: ListingDraft,
  rules: PriceRules | PriceRulesOf,
  place: () => Promise<TextField | null>,
  afterwards?: (text: string) => Promise<TextField | null>,
): Step {
  return [
    'price',
    async () => {
      const value = `${decimalFromMinor(draft.price_minor, draft.currency)} ${draft.currency}`
      // Where the rules are known at once, nothing is opened for a price that cannot be.
      const known = 'currency' in rules ? priceText(draft, rules) : null
      if (typeof known === 'string') return left(known, value)
      const field = await place()
      if (!field) return left('no_field', value)
      const price = known ?? priceText(draft, { ...rules, currency: await (rules as PriceRulesOf).currencyAt(field) })
      if (typeof price === 'string') return left(price, value, field)
      const done = await write(field, price.text, { same: sameAmount })
      if (done !== 'written') return left(done, value, field)
      const shown = afterwards ? await afterwards(price.text) : field
      if (!shown) return left('refused', value)
      return price.rounded ? check('rounded', shown) : filled(shown)
    },
  ]
}

/** Picks from a menu. `value`: what is wanted; null: the item does not say. */
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
