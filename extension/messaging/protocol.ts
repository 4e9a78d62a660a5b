import { z } from 'zod'
import type { ListingDraft } from '#extension/platforms/sell-form/listing-draft.ts'
import { downSteps } from '#extension/platforms/take-down/steps.ts'
import type { Image } from '#shared/contract/catalog/images.ts'
import type { ImportItem, ImportJob } from '#shared/contract/catalog/imports.ts'
import { ImportItemStatus } from '#shared/contract/catalog/imports.ts'
import {
  createInventoryItem,
  type HistoryEntry,
  type InventoryItem,
  putSettings,
  type SellerSettings,
  updateInventoryItem,
} from '#shared/contract/catalog/inventory.ts'
import { type ImportedFile, importInventory } from '#shared/contract/catalog/inventory-files.ts'
import { ListingOptions } from '#shared/contract/selling/listings.ts'
import { type ExtensionTask, TakeDownResult, type TaskPicture } from '#shared/contract/selling/tasks.ts'
import { Id } from '#shared/identity.ts'
import type { Listing, ListingState } from '#shared/listing.ts'
import { ExtensionSlug, OAuthSlug, type PlatformSlug } from '#shared/platforms.ts'
import { maxAnswerChars } from './limits.ts'
import { type OperationName, operations } from './operations.ts'
import type { Overview } from './overview.ts'
import type { PageView } from './page-view.ts'
import type { Settings } from './settings.ts'
import type { TabTasks } from './tab-tasks.ts'
import type { TakeDownEntry } from './take-downs.ts'
import type { WireError } from './wire-error.ts'

const PageContext = z.strictObject({
  url: z.string().max(4_000),
  cookies: z.record(z.string().max(50), z.string().max(10_000)),
  texts: z.record(z.string().max(50), z.string().max(1_000)),
})

/**
 * Requests of content scripts: the page context, a click on the button, a fetched answer, progress of tasks. None
 * reaches the key, the settings or other listings.
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
  /** Tasks on the page's platform. */
  'page.tabTasks': z.strictObject({}),
  /** Asks the server for tasks that the extension does not know yet. */
  'page.newTasks': z.strictObject({}),
  /** Draft for the form in this tab. */
  'page.listingDraft': z.strictObject({ task: Id('tsk') }),
  'page.filled': z.strictObject({ task: Id('tsk') }),
  'page.putAway': z.strictObject({ task: Id('tsk') }),
  'page.picture': z.strictObject({ task: Id('tsk'), n: z.int().min(0).max(99) }),
  'page.listed': z.strictObject({
    task: Id('tsk'),
    listing_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
    listing_url: z.url({ protocol: /^https$/ }).max(2_000),
    /** Opens the task that follows. */
    leads_on: z.boolean().optional(),
  }),
  /** The seller clicked the button that ends the listing. */
  'page.pressed': z.strictObject({ task: Id('tsk') }),
  'page.down': z.strictObject({ task: Id('tsk') }),
  /**
   * Asks before a press of a listing that ends by itself. `press`: the same for each retry of one press. The worker's
   * yes counts for one press only.
   */
  'page.mayPress': z.strictObject({
    task: Id('tsk'),
    press: z.uuid(),
    step: z.enum(downSteps),
    word: z.string().max(40),
  }),
  /** The page stopped ending the listing by itself. */
  'page.stopped': z.strictObject({ task: Id('tsk'), result: TakeDownResult, seen: z.string().max(200).nullable() }),
  /** Opens the task that this tab's panel offers after the one that is done. */
  'page.next': z.strictObject({ task: Id('tsk') }),
} as const

/** Requests of the extension's own pages. */
export const popupRequests = {
  /** Calls the server for a page. The server checks the request. */
  call: z.strictObject({
    operation: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
    request: z.strictObject({
      params: z.record(z.string(), z.string()).optional(),
      query: z.record(z.string(), z.unknown()).optional(),
      body: z.unknown().optional(),
      headers: z.strictObject({ 'idempotency-key': z.uuid() }).optional(),
    }),
  }),
  /** `fresh` false returns local data, true asks the server. */
  'popup.overview': z.strictObject({ fresh: z.boolean() }),
  'popup.signIn': z.strictObject({
    server: z.string().max(500),
    email: z.string().max(320),
    password: z.string().max(1_024),
  }),
  /** `code`: from an authenticator app, or a recovery code. */
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
  /** A CSV file of at most 15 MB. `dryRun` changes nothing; `currency`: of rows without one; `answers`: to its preview. */
  'files.import': z.strictObject({
    base64: z.string().max(20_000_000),
    dryRun: z.boolean(),
    currency: z.string().length(3),
    answers: importInventory.query.omit({ dry_run: true, currency: true }).optional(),
  }),
  /** The whole inventory, or some items. */
  'files.export': z.strictObject({ uids: z.array(Id('inv')).min(1).max(10_000).optional() }),
  /** A photo of at most 15 MB, which is 20 MB in base64. `account`: refused if another one is signed in. */
  'photos.upload': z.strictObject({ base64: z.string().max(20_000_000), account: z.string().optional() }),
  /** Turns a photo clockwise. */
  'photos.rotate': z.strictObject({ id: Id('img'), degrees: z.literal([90, 180, 270]) }),
  'popup.retryImport': z.strictObject({ scrape: z.uuid() }),
  'popup.cancelImport': z.strictObject({ scrape: z.uuid() }),
  'popup.dismiss': z.strictObject({ id: z.string().max(100) }),
  /** `change` null only reads the settings. The limits keep requests at most one a second. */
  'popup.settings': z.strictObject({
    change: z
      .strictObject({
        pace_ms: z.int().min(1_000).max(60_000).optional(),
        notify: z.boolean().optional(),
        check_minutes: z.union([z.literal(0), z.int().min(15).max(1_440)]).optional(),
      })
      .nullable(),
  }),
  /** Tasks visible on a page, so that no notification repeats them. */
  'popup.shown': z.strictObject({
    uids: z
      .array(z.union([Id('tsk'), Id('alm')]))
      .min(1)
      .max(1_000),
  }),
  /** Opens the task's page, where a sell form is filled in. */
  'popup.openTask': z.strictObject({ uid: Id('tsk') }),
  'popup.dismissAlert': z.strictObject({ uid: Id('alm') }),
  /** Has the server try at once what an alert waits for. */
  'popup.retryAlert': z.strictObject({ uid: Id('alm') }),
  'popup.endedAlert': z.strictObject({ uid: Id('alm') }),
  /** Says which item was sold; null: none of them. */
  'popup.answerAlert': z.strictObject({ uid: Id('alm'), item: Id('inv').nullable() }),
  /** Attempts to end listings by themselves, newest first: of this browser, and of others as the server knows them. */
  'takeDowns.log': z.strictObject({}),
  /** Off stops one that is under way on this marketplace at once. */
  'takeDowns.switch': z.strictObject({ platform: ExtensionSlug, on: z.boolean() }),
  'popup.finishTask': z.strictObject({ uid: Id('tsk'), how: z.enum(['done', 'dismiss']) }),
  'inventory.sync': z.strictObject({}),
  'inventory.item': z.strictObject({ uid: Id('inv') }),
  /** Returns the cached item at once. */
  'inventory.knownItem': z.strictObject({ uid: Id('inv') }),
  /** Saves defaults for later listings. Null deletes one; omitted ones stay. */
  'choices.keep': z.strictObject({
    platform: OAuthSlug,
    options: z.partialRecord(ListingOptions.keyof(), z.string().max(50).nullable()),
  }),
  'settings.keep': z.strictObject({
    change: putSettings.body.pick({ price_rules: true, units: true, texts: true }),
  }),
  /** `change.version`: the version that the seller saw. */
  'inventory.change': z.strictObject({ uid: Id('inv'), change: updateInventoryItem.body }),
  /** `key`: the same for each retry of one item. `account`: refused if another one is signed in. */
  'inventory.create': z.strictObject({
    item: createInventoryItem.body,
    key: z.uuid(),
    account: z.string().optional(),
  }),
  'inventory.delete': z.strictObject({ uid: Id('inv') }),
  'inventory.markSold': z.strictObject({
    uid: Id('inv'),
    price_minor: z.int().min(0).optional(),
    note: z.string().max(500).optional(),
  }),
  'inventory.jobItems': z.strictObject({
    job: Id('job'),
    page: z.int().min(1),
    status: ImportItemStatus.optional(),
  }),
} as const

/** An issue with what this browser knows about the listing. */
export interface Issue {
  item: ImportItem
  url: string | null
  image: string | null
}

/** A listing in an import's review. `image` and `currency` are null if unknown here. */
export interface ReviewedItem {
  item: ImportItem
  image: string | null
  currency: string | null
}

/**
 * Both sides of a conflict. `listing` has its current state; `since` is that state if it changed after reading. `mine`
 * is null if there is no item or it is gone.
 */
export interface Comparison {
  item: ImportItem
  listing: Listing | null
  since: ListingState | null
  url: string | null
  mine: InventoryItem | null
}

/**
 * An item's page. `description` is plain text. `history` is null offline. `copies`: its listings as last read by this
 * browser.
 */
export interface ShownItem {
  item: InventoryItem
  description: string
  history: HistoryEntry[] | null
  copies: Listing[]
  trouble: WireError | null
}

interface Answers {
  call: unknown
  'page.look': PageView
  'page.import': PageView
  'page.answer': PageView
  'page.tabTasks': TabTasks
  /** Whether there are any. */
  'page.newTasks': boolean
  'page.listingDraft': ListingDraft
  'page.filled': TabTasks
  'page.putAway': TabTasks
  'page.picture': TaskPicture
  /** `queued`: the server does not answer now and gets it later. */
  'page.listed': 'sent' | 'queued'
  'page.pressed': TabTasks
  'page.down': 'sent' | 'queued'
  'page.mayPress': boolean
  'page.stopped': null
  'page.next': null
  'popup.overview': Overview
  /** `signin_token`: the account needs a second factor. */
  'popup.signIn': { tokenEnded: boolean } | { signin_token: string }
  'popup.secondStep': { tokenEnded: boolean }
  'popup.signInByKey': null
  /** Null for a pasted key, which stays valid. */
  'popup.signOut': { keyEnded: boolean | null }
  'popup.import': ImportJob
  'popup.issues': { count: number; issues: Issue[] }
  'popup.compare': Comparison
  'files.import': ImportedFile
  'files.export': string
  'photos.upload': Image
  'photos.rotate': Image
  'popup.retryImport': null
  'popup.cancelImport': null
  'popup.dismiss': null
  'popup.settings': Settings
  'popup.shown': null
  'popup.openTask': null
  'popup.dismissAlert': null
  'popup.retryAlert': null
  'popup.endedAlert': null
  'popup.answerAlert': { change_uid: string | null }
  'takeDowns.log': TakeDownEntry[]
  'takeDowns.switch': null
  'popup.finishTask': ExtensionTask
  'inventory.sync': { changed: number; more: boolean; of: number | null; total: number; trouble: WireError | null }
  'inventory.item': ShownItem
  'inventory.knownItem': ShownItem | null
  'choices.keep': ListingOptions
  'settings.keep': SellerSettings
  'inventory.change': InventoryItem
  'inventory.create': InventoryItem
  'inventory.delete': null
  'inventory.markSold': { uid: string; state: 'sold'; taking_down: PlatformSlug[]; change_uid?: string | undefined }
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

/** How answers and errors travel: always as a value, never as a rejection. */
export type Envelope<T> = { ok: true; value: T } | { ok: false; error: WireError }
