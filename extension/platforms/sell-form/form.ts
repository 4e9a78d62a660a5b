import type { PageTextName } from '#extension/i18n/content-text.ts'
import type { PageAnswer, PageRequest } from '../port.ts'
import type { ListingDraft } from './listing-draft.ts'

/** Fields of a sell form, in our words. */
export const fields = [
  'photos',
  'title',
  'description',
  'category',
  'size',
  'condition',
  'brand',
  'colors',
  'price',
  'sku',
] as const
export type Field = (typeof fields)[number]

/** Why a field is to be looked at, or is left to the seller. */
export type Why =
  /** The form shows no such field (any more). */
  | 'no_field'
  /** The form offers nothing that is the same. */
  | 'no_option'
  /** The item does not say. */
  | 'not_said'
  /** Shortened, or fewer of them, because the form takes no more. */
  | 'cut'
  | 'rounded'
  /** The nearest that the form offers. */
  | 'nearest'
  /** Chosen, but the form does not show it. */
  | 'unseen'
  /** Something else stood there already. */
  | 'kept'
  | 'currency'
  /** The form does not take such a price. */
  | 'limit'
  /** Not all pictures could be had. */
  | 'pictures'
  /** The form did not take it. */
  | 'refused'

/** What became of a field: filled in, filled in for the seller to look at, or left to them. */
export interface Result {
  result: 'filled' | 'check' | 'left'
  why: Why | null
  /** What to mark in the page. */
  highlights: Element[]
  /** For the seller to fill in by hand. */
  value: string | null
}

export interface Outcome extends Result {
  field: Field
}

/** What filling works with beside the page. */
export interface Tools {
  /** The first `max` pictures as files, in order; those that could not be had are left out. */
  pictures: (max: number) => Promise<File[]>
  /** The clue that says who is signed in; null: the page does not say. */
  account: () => Promise<string | null>
}

export type Step = readonly [Field, () => Promise<Result>]

/**
 * A listing that was found to be the new one. `sure`: whose it is and what it is called leave no doubt; else the seller is
 * asked.
 */
export interface Made {
  listing_id: string
  listing_url: string
  sure: boolean
}

/** What a page shows after the form was filled in. */
export interface Afterwards {
  url: string
  /** Addresses that the page asked for since its form was filled in, or since it was opened for another. */
  requests: readonly string[]
  /** When the form was opened for this, epoch milliseconds. */
  since: number
  title: string
  /** Listings that were told as others' before, or that the seller said are not the one. */
  known: readonly string[]
  /** The clue that says who is signed in; null: the page does not say. */
  account: () => Promise<string | null>
}

/** Asks the platform as its own pages do; null: no answer. */
export type Ask = (request: PageRequest) => Promise<PageAnswer | null>

export interface Listing {
  listing_id: string
  url: string
}

/** A button to press, or to press next. */
export interface Press {
  element: HTMLElement
  /** Its word on the page. */
  word: string
}

/** A platform's forms, for a content script: it fills them in, the seller presses the buttons. */
export interface SellForm {
  isForm(url: URL): boolean
  /** Selector of what is there when the form is drawn. */
  ready: string
  /** What is left to the seller in any case, and which buttons they press. */
  afterwards: Extract<PageTextName, `fill.press.${string}`>
  steps(draft: ListingDraft, tools: Tools): Step[]
  /** The new listing, where a page shows it. */
  findMade(seen: Afterwards, ask: Ask): Promise<Made | null>
  /** True for a page where the listing can be taken down, or from which one gets there. */
  showsListing(url: URL, listing: Listing): boolean
  /** The button that takes it down, or that leads there; null: none is seen. */
  findPress(): Press | null
  /** What tells whether a listing can still be bought, and what its answer says; null: nothing. */
  stateRequest(listing: Listing): PageRequest
  readState(answer: PageAnswer, listing: Listing): 'up' | 'down' | 'sold' | null
}

/** Does the steps one after the other: a step that fails is left to the seller, the others go on. */
export async function fillForm(steps: readonly Step[], tell: (outcome: Outcome) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [field, step] of steps) {
    // A page that changed may throw whatever it likes; what is left is shown to the seller.
    const result = await step().catch(() => left('refused'))
    const outcome = { field, ...result }
    outcomes.push(outcome)
    tell(outcome)
  }
  return outcomes
}

/** The form shows what was to be in it. */
export function filled(...highlights: (Element | null)[]): Result {
  return { result: 'filled', why: null, highlights: highlights.filter((highlight) => highlight !== null), value: null }
}

/** Something was filled in, and the seller should look at it. */
export function check(why: Why, ...highlights: (Element | null)[]): Result {
  return { result: 'check', why, highlights: highlights.filter((highlight) => highlight !== null), value: null }
}

/** Of something that was chosen in a menu: what the form does not show, the seller looks at. */
export function chosen({ sure, seen }: { sure: boolean; seen: boolean }, ...highlights: (Element | null)[]): Result {
  return sure && seen ? filled(...highlights) : check(sure ? 'unseen' : 'nearest', ...highlights)
}

/** `value`: for the seller to copy. */
export function left(why: Why, value: string | null = null, ...highlights: (Element | null)[]): Result {
  return { result: 'left', why, highlights: highlights.filter((highlight) => highlight !== null), value }
}
