import type { PageTextName } from '#extension/i18n/content-text.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import type { PageAnswer, PageRequest } from '../port.ts'
import type { Site } from '../refuse-answer.ts'
import type { DownSite } from '../take-down/find-press.ts'
import type { ListingDraft } from './listing-draft.ts'
import { noteTyping, waitFor } from './touch.ts'

const fields = [
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

/** Reasons for the seller to review or fill in a field. */
export type Why =
  /** The form has no such field. */
  | 'no_field'
  /** The form has no equal option. */
  | 'no_option'
  /** The item has no value. */
  | 'not_said'
  /** The value was shortened to the form's limit. */
  | 'cut'
  | 'rounded'
  /** The nearest option was chosen. */
  | 'nearest'
  /** The option was chosen, but the form does not show it. */
  | 'unseen'
  /** The field already had another value. */
  | 'kept'
  | 'currency'
  /** The form does not accept such a price. */
  | 'limit'
  /** The site would lower the price, or send offers, by itself. */
  | 'smart_pricing'
  | 'smart_offers'
  | 'smart_both'
  | 'smart_sell'
  /** The form takes no text of so few words. */
  | 'few_words'
  /** Some pictures could not be loaded. */
  | 'pictures'
  /** The form rejected the value. */
  | 'refused'
  /** The site wrote its own value. */
  | 'overwritten'

/** The outcome of a field: filled, filled for review, or left to the seller. */
export interface Result {
  result: 'filled' | 'check' | 'left'
  why: Why | null
  highlights: Element[]
  /** The value for the seller to copy. */
  value: string | null
}

export interface Outcome extends Result {
  field: Field
}

/** Services that the steps use besides the page. */
export interface Tools {
  /** Returns up to `max` pictures as files, in order. Pictures that fail to load are left out. */
  pictures: (max: number) => Promise<File[]>
  /** Returns the signed-in account as the page context has it, or null. */
  account: () => Promise<string | null>
}

/** Fills a field. `again` looks at it once more after the others: null if it still is as it was left. */
export type Step = readonly [Field, () => Promise<Result>, again?: (first: Result) => Promise<Result | null>]

/** The new listing found after publishing. Unless `sure`, the seller has to confirm it. */
export interface Made {
  listing_id: string
  listing_url: string
  sure: boolean
}

/** The page after the form was filled. */
export interface Afterwards {
  url: string
  /** URLs that the page requested since the form was filled, or since it was opened for another item. */
  requests: readonly string[]
  /** When the form was opened, in epoch milliseconds. */
  since: number
  title: string
  /** Listings that already belong to other items, or that the seller ruled out. */
  known: readonly string[]
  /** Returns the signed-in account as the page context has it, or null. */
  account: () => Promise<string | null>
}

/** Requests data from the platform as its own pages do. Returns null on a network error. */
export type Ask = (request: PageRequest) => Promise<PageAnswer | null>

export interface Listing {
  listing_id: string
  url: string
}

/** Title and owner of a listing. Null: it does not say so, or nobody is signed in. */
interface Described {
  title: string | null
  /** The listing belongs to the signed-in seller. */
  own: boolean | null
}

/** Returns the steps that fill a platform's form. */
export type FormSteps = (draft: ListingDraft, tools: Tools) => Step[]

/** The sell form of a platform. A content script has it filled, and the seller presses the buttons. */
export interface SellForm {
  platform: ExtensionSlug
  isForm(url: URL): boolean
  /** Selector of an element that exists once the form is rendered. */
  ready: string
  /** Instructions for the steps that are always left to the seller. */
  afterwards: Extract<PageTextName, `fill.press.${string}`>
  /** Finds the new listing if the page shows one. */
  findMade(seen: Afterwards, ask: Ask): Promise<Made | null>
  /** Identifies refusals and the sign-in page. */
  site: Site
  /** Its words and pages for ending a listing. */
  down: DownSite
  /** Returns the request that tells whether the listing is still for sale. */
  stateRequest(listing: Listing): PageRequest
  /** Returns the status inside an answer, where errors come with HTTP 200. */
  statusOf?(answer: PageAnswer): number
  readState(answer: PageAnswer, listing: Listing): 'up' | 'down' | 'sold' | null
  /** Reads the listing's title and owner from the same answer. `account`: as the page context has it. */
  describe(answer: PageAnswer, listing: Listing, account: string | null): Described
}

/** How often the fields are looked at once more, and how long a form takes to follow a change, in ms. */
const maxPasses = 3
const settlesInMs = 500

/** Runs the steps in order. A failed step is left to the seller, and the next steps still run. */
export async function fillForm(
  steps: readonly Step[],
  onChange: (outcomes: readonly Outcome[]) => void,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const stopNoting = noteTyping()
  for (const [field, step] of steps) {
    // A changed page may throw any error; leave the field to the seller.
    const result = await step().catch(() => left('refused'))
    outcomes.push({ field, ...result })
    onChange(outcomes)
  }
  // Sites that recognize photos write values of their own meanwhile, and a new category empties the size.
  for (let isChanged = true, pass = 0; isChanged && pass < maxPasses; pass++) {
    if (pass > 0) await waitFor(() => false, settlesInMs)
    isChanged = false
    for (const [field, , again] of steps) {
      const at = outcomes.findIndex((one) => one.field === field)
      const result = await again?.(outcomes[at]!).catch(() => left('overwritten'))
      if (!result) continue
      isChanged = true
      outcomes[at] = { field, ...result }
      onChange(outcomes)
    }
  }
  stopNoting()
  return outcomes
}

/** The field has its value. */
export function filled(...highlights: (Element | null)[]): Result {
  return { result: 'filled', why: null, highlights: highlights.filter((highlight) => highlight !== null), value: null }
}

/** The field has a value that the seller should review. */
export function check(why: Why, ...highlights: (Element | null)[]): Result {
  return { result: 'check', why, highlights: highlights.filter((highlight) => highlight !== null), value: null }
}

/** The result of a menu choice. A choice that the form does not show needs a review. */
export function chosen({ sure, seen }: { sure: boolean; seen: boolean }, ...highlights: (Element | null)[]): Result {
  return sure && seen ? filled(...highlights) : check(sure ? 'unseen' : 'nearest', ...highlights)
}

/** The field is left to the seller. `value` is for copying. */
export function left(why: Why, value: string | null = null, ...highlights: (Element | null)[]): Result {
  return { result: 'left', why, highlights: highlights.filter((highlight) => highlight !== null), value }
}
