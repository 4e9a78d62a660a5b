import { z } from 'zod'
import type { ListingDraft } from '#extension/platforms/sell-form/listing-draft.ts'
import type { ImportItem, ImportJob } from '#shared/contract/imports.ts'
import { ImportItemStatus, Resolution } from '#shared/contract/imports.ts'
import type { HistoryEntry, InventoryItem } from '#shared/contract/inventory.ts'
import {
  type BulkJob,
  BulkResult,
  type Choice,
  ListingOptions,
  type ListingResult,
  Price,
} from '#shared/contract/listings.ts'
import type { Preflight } from '#shared/contract/preflight.ts'
import type { ExtensionTask, TaskPicture } from '#shared/contract/tasks.ts'
import { Id } from '#shared/identity.ts'
import type { Availability } from '#shared/inventory-record.ts'
import type { Listing, ListingState } from '#shared/listing.ts'
import { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'
import { maxAnswerChars } from './limits.ts'
import type { Overview } from './overview.ts'
import type { PageView } from './page-view.ts'
import type { Settings } from './settings.ts'
import type { TabTasks } from './tab-tasks.ts'
import type { WireError } from './wire-error.ts'

const PageContext = z.strictObject({
  url: z.string().max(4_000),
  cookies: z.record(z.string().max(50), z.string().max(10_000)),
  texts: z.record(z.string().max(50), z.string().max(1_000)),
})

/**
 * What a content script may say: what its page shows, that the seller pressed the button, and what it fetched
 *. Nothing here reaches the key, the settings or anybody else's listings.
 */
export const pageRequests = {
  'page.look': z.strictObject({ pageContext: PageContext }),
  'page.import': z.strictObject({ pageContext: PageContext }),
  'page.answer': z.strictObject({
    pageContext: PageContext,
    scrape_id: z.uuid(),
    step: z.int().min(1),
    answer: z.strictObject({
      url: z.string().max(8_000),
      status: z.int().min(0).max(999),
      text: z.string().max(maxAnswerChars),
    }),
  }),
  /** What is to be listed or taken down on the page's platform. */
  'page.tabTasks': z.strictObject({}),
  /** The item of a task to list, for the form of this tab. */
  'page.listingDraft': z.strictObject({ task: Id('tsk') }),
  'page.filled': z.strictObject({ task: Id('tsk') }),
  'page.putAway': z.strictObject({ task: Id('tsk') }),
  'page.picture': z.strictObject({ task: Id('tsk'), n: z.int().min(0).max(99) }),
  'page.listed': z.strictObject({
    task: Id('tsk'),
    listing_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
    listing_url: z.url({ protocol: /^https$/ }).max(2_000),
  }),
  /** The seller pressed the button that takes the listing down, as far as the page shows. */
  'page.pressed': z.strictObject({ task: Id('tsk') }),
  'page.down': z.strictObject({ task: Id('tsk') }),
} as const

/** What is chosen already, and changes what else there is to choose. */
const Chosen = z.strictObject({
  seller_account_uid: Id('sel').optional(),
  marketplace_id: z.string().max(50).optional(),
  category_id: z.string().max(50).optional(),
  condition: z.string().max(50).optional(),
  fulfillment_policy_id: z.string().max(50).optional(),
  shipping_profile_id: z.string().max(50).optional(),
})
export type Chosen = z.infer<typeof Chosen>

/** What the extension's own pages may say. */
export const popupRequests = {
  /** `fresh` false: what is known here, at once; true: what the server says now. */
  'popup.overview': z.strictObject({ fresh: z.boolean() }),
  'popup.signIn': z.strictObject({
    server: z.string().max(500),
    email: z.string().max(320),
    password: z.string().max(1_024),
  }),
  /** `code`: of an authenticator app, or a recovery code. */
  'popup.secondStep': z.strictObject({
    server: z.string().max(500),
    signin_token: z.string().max(200),
    code: z.string().max(100),
  }),
  'popup.signInByKey': z.strictObject({ server: z.string().max(500), key: z.string().trim().min(1).max(200) }),
  'popup.signOut': z.strictObject({}),
  'popup.import': z.strictObject({ platform: OAuthSlug }),
  'popup.issues': z.strictObject({ job: Id('job'), page: z.int().min(1) }),
  'popup.compare': z.strictObject({ job: Id('job'), item: Id('itm') }),
  'popup.resolve': z.strictObject({
    job: Id('job'),
    item: Id('itm'),
    resolution: Resolution,
    inventory_item_uid: Id('inv').optional(),
    sku: z.string().trim().min(1).max(500).optional(),
  }),
  'popup.retryImport': z.strictObject({ scrape: z.uuid() }),
  'popup.cancelImport': z.strictObject({ scrape: z.uuid() }),
  'popup.dismiss': z.strictObject({ id: z.string().max(100) }),
  /** `change` null: what they are. No faster than one request a second, and a check each 15 minutes, can be set. */
  'popup.settings': z.strictObject({
    change: z
      .strictObject({
        pace_ms: z.int().min(1_000).max(60_000).optional(),
        notify: z.boolean().optional(),
        check_minutes: z.union([z.literal(0), z.int().min(15).max(1_440)]).optional(),
      })
      .nullable(),
  }),
  /** Tasks to take down that a visible page shows, so that no notification repeats them. */
  'popup.shown': z.strictObject({ uids: z.array(Id('tsk')).min(1).max(1_000) }),
  /** Opens the task's page; a sell form there is filled in. */
  'popup.openTask': z.strictObject({ uid: Id('tsk') }),
  'popup.finishTask': z.strictObject({ uid: Id('tsk'), how: z.enum(['done', 'dismiss']) }),
  'inventory.sync': z.strictObject({}),
  'inventory.item': z.strictObject({ uid: Id('inv') }),
  /** As it was last read, at once. */
  'inventory.knownItem': z.strictObject({ uid: Id('inv') }),
  /** `key`: the same for every try of one press, so that it is done once. */
  'inventory.bulk': z.strictObject({
    action: z.enum(['list', 'delist']),
    uids: z.array(Id('inv')).min(1).max(10_000),
    platforms: z.array(PlatformSlug).min(1).max(5),
    key: z.uuid(),
  }),
  'inventory.bulkJob': z.strictObject({
    uid: Id('blk'),
    status: BulkResult.shape.status.optional(),
    page: z.int().min(1),
  }),
  'inventory.cancelBulk': z.strictObject({ uid: Id('blk') }),
  /** What an item's listing on a platform needs to be chosen. */
  'choices.ofItem': z.strictObject({ uid: Id('inv'), platform: OAuthSlug, chosen: Chosen }),
  /** What can be chosen once for a shop, and what the seller has chosen. */
  'choices.ofShop': z.strictObject({
    platform: OAuthSlug,
    chosen: Chosen.pick({ seller_account_uid: true, marketplace_id: true }),
  }),
  'choices.categories': z.strictObject({
    platform: OAuthSlug,
    words: z.string().trim().min(1).max(100),
    chosen: Chosen.pick({ seller_account_uid: true, marketplace_id: true }),
  }),
  /** The shops of a platform that works can be done in. */
  'choices.shops': z.strictObject({ platform: OAuthSlug }),
  /** Keeps what is chosen for all that is listed from now on; null: what was is forgotten, what is left out stays. */
  'choices.keep': z.strictObject({
    platform: OAuthSlug,
    options: z.partialRecord(ListingOptions.keyof(), z.string().max(50).nullable()),
  }),
  'inventory.list': z.strictObject({
    uid: Id('inv'),
    platform: OAuthSlug,
    price: Price,
    options: ListingOptions,
    seller_account_uid: Id('sel').optional(),
  }),
  /** The findings about a listing, before it is asked for. */
  'preflight.ofItem': z.strictObject({
    uid: Id('inv'),
    platform: OAuthSlug,
    price: Price,
    options: ListingOptions,
    seller_account_uid: Id('sel').optional(),
  }),
  'preflight.ofMany': z.strictObject({
    uids: z.array(Id('inv')).min(1).max(100),
    platforms: z.array(PlatformSlug).min(1).max(5),
  }),
  'inventory.markSold': z.strictObject({ uid: Id('inv') }),
  'inventory.takeBackSale': z.strictObject({ uid: Id('inv') }),
  'inventory.jobItems': z.strictObject({
    job: Id('job'),
    page: z.int().min(1),
    status: ImportItemStatus.optional(),
  }),
} as const

/** An issue with what this browser knows of the listing. */
export interface Issue {
  item: ImportItem
  url: string | null
  image: string | null
}

/** A listing of an import's review. `image` and `currency` null: not known in this browser. */
export interface ReviewedItem {
  item: ImportItem
  image: string | null
  currency: string | null
}

/** A conflict, side by side. `mine`: the item it is in conflict with; null where there is none, or it is gone. */
/** What is compared to decide a conflict. `listing`: as it was read, in the state that is known by now; `since`: that state where it has changed since. */
export interface Comparison {
  item: ImportItem
  listing: Listing | null
  since: ListingState | null
  url: string | null
  mine: InventoryItem | null
}

/** An item's page. `description`: as plain text, whatever markup it came with; `history` null: not known here; `copies`: what this browser last read of its listings. */
export interface ShownItem {
  item: InventoryItem
  description: string
  history: HistoryEntry[] | null
  copies: Listing[]
  trouble: WireError | null
}

interface Answers {
  'page.look': PageView
  'page.import': PageView
  'page.answer': PageView
  'page.tabTasks': TabTasks
  'page.listingDraft': ListingDraft
  'page.filled': TabTasks
  'page.putAway': TabTasks
  'page.picture': TaskPicture
  /** `kept`: the server does not answer now and is told later. */
  'page.listed': 'sent' | 'queued'
  'page.pressed': TabTasks
  'page.down': 'sent' | 'queued'
  'popup.overview': Overview
  /** `signin_token`: the account asks for a second step, which is sent with it. */
  'popup.signIn': { tokenEnded: boolean } | { signin_token: string }
  'popup.secondStep': { tokenEnded: boolean }
  'popup.signInByKey': null
  /** Null: the key was pasted in, and is left to its maker. */
  'popup.signOut': { keyEnded: boolean | null }
  'popup.import': ImportJob
  'popup.issues': { count: number; issues: Issue[] }
  'popup.compare': Comparison
  'popup.resolve': ImportItem
  'popup.retryImport': null
  'popup.cancelImport': null
  'popup.dismiss': null
  'popup.settings': Settings
  'popup.shown': null
  'popup.openTask': null
  'popup.finishTask': ExtensionTask
  'inventory.sync': { changed: number; more: boolean; total: number; trouble: WireError | null }
  'inventory.item': ShownItem
  'inventory.knownItem': ShownItem | null
  'inventory.bulk': BulkJob
  'inventory.bulkJob': { count: number; results: BulkResult[]; job: BulkJob }
  'inventory.cancelBulk': BulkJob
  'choices.ofItem': Choice[]
  'choices.ofShop': { choices: Choice[]; kept: ListingOptions }
  'choices.categories': { id: string; name: string }[]
  'choices.shops': { uid: string; name: string }[]
  'choices.keep': ListingOptions
  'inventory.list': ListingResult
  'preflight.ofItem': Preflight
  'preflight.ofMany': Preflight[]
  'inventory.markSold': { uid: string; state: 'sold'; taking_down: PlatformSlug[] }
  'inventory.takeBackSale': { uid: string; state: Availability }
  'inventory.jobItems': { count: number; items: ReviewedItem[] }
}

export type PageRequestName = keyof typeof pageRequests
export type PopupRequestName = keyof typeof popupRequests
export type MessageName = PageRequestName | PopupRequestName
export type RequestOf<Name extends MessageName> = Name extends PageRequestName
  ? z.input<(typeof pageRequests)[Name]>
  : Name extends PopupRequestName
    ? z.input<(typeof popupRequests)[Name]>
    : never
export type AnswerOf<Name extends MessageName> = Answers[Name]

/** How answers and errors cross the boundary: whole, never as a lost promise. */
export type Envelope<T> = { ok: true; value: T } | { ok: false; error: WireError }
