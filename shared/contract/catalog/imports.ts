import { z } from 'zod'
import { Id } from '../../identity.ts'
import { Availability } from '../../item/inventory-record.ts'
import { ImportErrorCode, ImportState, Listing, ListingState } from '../../listing.ts'
import { PlatformSlug } from '../../platforms.ts'
import { errorCodes } from '../declaring/errors.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'
import { Sku } from './inventory.ts'

export const ImportJobStatus = z.enum(['pending', 'in_progress', 'completed', 'failed'])
export type ImportJobStatus = z.infer<typeof ImportJobStatus>

/** An import job. The counters are computed from its rows. */
export const ImportJob = z
  .object({
    id: z.string().describe('The id'),
    marketplace: PlatformSlug.describe('The platform'),
    status: ImportJobStatus.describe('The status'),
    total_listings_found: z.int().describe('Listings that were found in the shop'),
    items_imported: z.int().describe('Entries that are imported'),
    items_skipped: z.int().describe('Entries that were skipped'),
    items_failed: z.int().describe('Entries that failed'),
    items_conflicted: z.int().describe('Entries that need a decision'),
    has_issues: z.boolean().describe('Whether anything needs a look'),
    issue_summary: z.string().describe('The issues, in a sentence'),
    progress_percentage: z.number().min(0).max(100).describe('From 0 to 100'),
    error_message: z.string().nullable().describe('The error, in a sentence'),
    retry: z
      .object({
        reason: z.string().describe('The reason, in words'),
        at: z.iso.datetime({ offset: true }).describe('When it happened'),
      })
      .nullable()
      .optional()
      .describe('Why the import waits, and when it is tried again; null while nothing is wrong'),
    created_at: z.iso.datetime().describe('When it was created'),
    started_at: z.iso.datetime().nullable().describe('When it began; null before'),
    completed_at: z.iso.datetime().nullable().describe('When it ended; null while it runs'),
  })
  .meta({ id: 'ImportJob' })
export type ImportJob = z.infer<typeof ImportJob>

/** Status of an import item. `pending`: found but not decided yet. */
export const ImportItemStatus = z.enum(['pending', 'imported', 'failed', 'conflict', 'skipped'])
export type ImportItemStatus = z.infer<typeof ImportItemStatus>

export const ConflictType = z.enum([
  'duplicate_sku',
  'missing_sku',
  'possible_duplicate',
  'sold_elsewhere',
  'quantity_above_one',
  'price_mismatch',
])
export type ConflictType = z.infer<typeof ConflictType>

export const Resolution = z.enum(['link_existing', 'create_new', 'overwrite', 'skip'])
export type Resolution = z.infer<typeof Resolution>

const Certainty = z.enum(['certain', 'likely', 'unsure'])

export const MatchReason = z.enum([
  'listed_here',
  'same_sku',
  'same_photo',
  'same_title',
  'similar_title',
  'same_price',
  'similar_price',
  'same_brand',
  'same_size',
])
export type MatchReason = z.infer<typeof MatchReason>

/** How certain the listing of a conflict is the item that it is compared with. */
export const Match = z
  .object({
    certainty: Certainty.describe('How sure the match is'),
    reasons: z.array(MatchReason).describe('The traits that agree; `listed_here`: the listing was published from here'),
    photos: z
      .enum(['comparing', 'unread'])
      .nullable()
      .optional()
      .describe(
        '`comparing`: photos are still being compared, so the certainty may change; `unread`: a photo could not be read, so words decide; null where nothing is left to compare',
      ),
  })
  .meta({ id: 'Match' })
export type Match = z.infer<typeof Match>

/** Import item. */
export const ImportItem = z
  .object({
    id: z.string().describe('The id'),
    external_listing_id: z.string().describe('The id of the listing on the platform'),
    external_sku: z.string().describe('Empty where the listing has none'),
    status: ImportItemStatus.describe('The status'),
    listing_title: z.string().describe('In lists cut at 1,000 characters'),
    listing_price: z.string().nullable().describe('Decimal text'),
    listing_currency: z.string().nullable().optional().describe('In lists: of the listing as read'),
    listing_image: z.string().nullable().optional().describe('In lists: the first picture of the listing as read'),
    listing_url: z.string().nullable().optional().describe('In lists: the page of the listing as read'),
    note: z
      .string()
      .nullable()
      .optional()
      .describe('In lists: what Hapax cannot protect about the listing as read, in words: an auction'),
    conflict_type: ConflictType.nullable().describe('The kind of conflict'),
    conflict_details: z.string().nullable().describe('The conflict, in a sentence'),
    error_message: z.string().nullable().describe('The error, in a sentence'),
    error_code: ImportErrorCode.nullable().describe('The code of the error'),
    resolution: z
      .enum(['pending', ...Resolution.options, 'skip_all', 'auto_skip', 'superseded'])
      .nullable()
      .describe(
        '`pending` for an unresolved conflict; null where there never was one; `superseded` where a later import asks the same again',
      ),
    created_inventory_item_uid: z.string().nullable().describe('The item that was created from it'),
    processed_at: z.iso.datetime().nullable().describe('When it was handled; null before'),
    match: Match.nullable()
      .optional()
      .describe('Of a listing that may be an item which is here already; null for other conflicts'),
    change_uid: z
      .string()
      .nullable()
      .optional()
      .describe('Of a decision just taken: the change that can be undone; null where it also sold or ended something'),
  })
  .meta({ id: 'ImportItem' })
export type ImportItem = z.infer<typeof ImportItem>

const route = routesOf('Imports')
const auth = { scope: 'imports:run' } as const
const jobParams = UidParams('job')
const itemParams = jobParams.extend({ item_uid: Id('itm').meta(param('The entry of the import')) })
const ItemPage = CountedPage(ImportItem)

/** A shop has one live job; a second create returns it (200). */
export const createImportJob = route({
  summary: 'Import a connected shop',
  method: 'POST',
  path: '/api/v1/marketplace/import/jobs/create/',
  auth,
  body: z.strictObject({
    seller_account_uid: Id('sel').describe('The shop'),
    marketplace: z.string().max(50).describe('The platform'),
    states: z.array(ImportState).min(1).max(4).optional().describe('Default ["active"]'),
    auto_start: z.boolean().optional().describe('Default true; false stops after discovery until start'),
  }),
  replies: { 200: ImportJob, 201: ImportJob },
  location: '/api/v1/marketplace/import/jobs/{id}/',
  errors: ['not_found', 'reconnect_required', 'platform_not_configured'],
  idempotent: true,
})

export const importPlatform = route({
  summary: 'Import the shop connected on a platform',
  method: 'POST',
  path: '/api/v1/marketplace/{platform}/import/',
  auth,
  params: z.strictObject({
    platform: z.string().max(50).meta(param('The platform')),
  }),
  replies: { 200: ImportJob, 201: ImportJob },
  location: '/api/v1/marketplace/import/jobs/{id}/',
  errors: [
    'connection_required',
    'seller_account_required',
    'reconnect_required',
    'platform_not_connectable',
    'platform_not_configured',
  ],
  idempotent: true,
})

/** The last 50, newest first. */
export const listImportJobs = route({
  summary: 'The last 50 import jobs',
  notes: 'The newest 50, newest first.',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/',
  auth,
  query: z.strictObject({
    marketplace: PlatformSlug.optional().meta(param('The platform')),
    status: ImportJobStatus.optional().meta(param('The status')),
  }),
  replies: { 200: z.array(ImportJob) },
})

export const getImportJob = route({
  summary: 'One import job; poll progress_percentage',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/{uid}/',
  auth,
  params: jobParams,
  replies: { 200: ImportJob },
})

/** All items of a job. */
export const listImportItems = route({
  summary: 'The items of an import job',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/{uid}/items/',
  auth,
  params: jobParams,
  query: z.strictObject({
    status: ImportItemStatus.optional().meta(param('The status')),
    ...PageQuery,
  }),
  replies: { 200: ItemPage },
})

/** Everything needed to decide a conflict: the listing as read and the conflicting item. */
export const getImportItem = route({
  summary: 'One item of an import job, with its listing',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/{uid}/items/{item_uid}/',
  auth,
  params: itemParams,
  replies: {
    200: z.object({
      item: ImportItem,
      listing: Listing.nullable().describe('Null where the listing could not be read'),
      existing_inventory_item_uid: z.string().nullable().describe('The item that it may be'),
      state_now: ListingState.nullable().describe(
        'Changes to the listing of an open conflict since it was read; null if there are none',
      ),
    }),
  },
})

export const listImportIssues = route({
  summary: 'The failed and conflicting items of an import job',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/{uid}/issues/',
  auth,
  params: jobParams,
  query: z.strictObject({
    status: z.enum(['failed', 'conflict']).optional().meta(param('The status')),
    ...PageQuery,
  }),
  replies: { 200: ItemPage },
})

/** Repeating a decision is 200, a different one 409. */
export const resolveImportItem = route({
  summary: 'Decide a conflict',
  method: 'POST',
  path: '/api/v1/marketplace/import/jobs/{uid}/items/{item_uid}/resolve/',
  auth,
  params: itemParams,
  body: z.strictObject({
    resolution: Resolution.describe('The decision'),
    inventory_item_uid: Id('inv')
      .optional()
      .describe('link_existing, overwrite: default the item named by the conflict'),
    sku: Sku.optional().describe('create_new: a SKU that is free'),
  }),
  replies: { 200: ImportItem },
  errors: ['conflict', 'already_resolved', 'sku_in_use', 'quota_exceeded'],
  idempotent: true,
})

const ItemRef = z.strictObject({
  job_uid: Id('job').describe('The import'),
  item_uid: Id('itm').describe('The entry of the import'),
  inventory_item_uid: Id('inv')
    .optional()
    .describe('link_existing: the item that the seller saw; default the item named by the conflict'),
})

/** An open conflict with both sides as a seller compares them. */
export const Conflict = z
  .object({
    job_uid: z.string().describe('The import'),
    marketplace: PlatformSlug.describe('The platform'),
    item: ImportItem,
    listing: z
      .object({
        url: z.string().nullable().describe('The address'),
        image: z.string().nullable().describe('The first photo; null without one'),
        price_minor: z.int().nullable().describe('The price in minor units of its currency'),
        currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
      })
      .describe('The listing as it was read'),
    existing: z
      .object({
        uid: z.string().describe('The id'),
        title: z.string().describe('The title'),
        image: z.string().nullable().describe('The first photo; null without one'),
        sku: z.string().nullable().describe("The seller's own number of the item"),
        price_minor: z.int().describe('The price in minor units of its currency'),
        currency: z.string().describe('The currency, as three letters (ISO 4217)'),
        state: Availability.describe('The state of the item'),
        platforms: z.array(PlatformSlug).describe('Where it is live'),
      })
      .nullable()
      .describe('The item that it is compared with; null where there is none or it is gone'),
    proposed: z
      .enum(['link_existing', 'create_new'])
      .nullable()
      .optional()
      .describe(
        'Of a match: `create_new` where the listing is on sale and its item has another live listing on the platform, because two live listings there are two items. Null where it is no match',
      ),
  })
  .meta({ id: 'Conflict' })
export type Conflict = z.infer<typeof Conflict>

/** `other`: conflicts that are not about a match, such as a changed price. */
export const CertaintyGroup = z.enum([...Certainty.options, 'other'])

export type CertaintyGroup = z.infer<typeof CertaintyGroup>

const matchCounts = {
  certain: z.int().describe('Matches that are certain'),
  likely: z.int().describe('Matches that are likely'),
  unsure: z.int().describe('Matches that are unsure'),
}

export const listConflicts = route({
  summary: 'The open conflicts of all imports, the most certain matches first',
  method: 'GET',
  path: '/api/v1/marketplace/import/conflicts/',
  auth,
  query: z.strictObject({
    job_uid: Id('job').optional().meta(param('The import')),
    certainty: CertaintyGroup.optional().meta(param('How sure the match is')),
    ...PageQuery,
  }),
  errors: ['not_found'],
  replies: {
    200: z.object({
      count: z.int().describe('Entries on all pages'),
      groups: z
        .object({
          ...matchCounts,
          other: z.int().describe('Conflicts without a match'),
        })
        .describe('How many there are of each certainty, whatever `certainty` asks for'),
      comparing: z
        .int()
        .optional()
        .describe('Conflicts whose photos are still being compared; they come last, and are of no certainty before'),
      linkable: z
        .object(matchCounts)
        .optional()
        .describe('How many of each certainty can be linked by `certainty`: one live listing of an item on a platform'),
      as_of: z.iso.datetime().optional().describe('When they were counted'),
      results: z.array(Conflict).describe('The entries of this page'),
    }),
  },
})

/** At most this many conflicts are resolved by one request. */
export const conflictsAtOnce = 100

export const resolveConflicts = route({
  summary: 'Decide many conflicts',
  notes:
    'Either the conflicts in `items`, or with `certainty` the next 100 open ones of that certainty; `next` goes on as `after`. ' +
    'Each is decided by itself, and its outcome says why where it could not be. ' +
    'A match by `certainty` is left where its item has another live listing on the platform by then, or another one agrees as well. Repeating a request changes nothing.',
  method: 'POST',
  path: '/api/v1/marketplace/import/conflicts/resolve/',
  auth,
  body: z.strictObject({
    resolution: z.enum(['link_existing', 'skip']).describe('The decision'),
    items: z.array(ItemRef).min(1).max(conflictsAtOnce).optional().describe('Entries, or how many there are'),
    certainty: CertaintyGroup.optional().describe('How sure the match is'),
    job_uid: Id('job').optional().describe('With `certainty`: only of this job'),
    after: Id('itm').optional().describe('With `certainty`: `next` of the request before'),
    as_of: z.iso
      .datetime()
      .optional()
      .describe('With `certainty`: only those that had it when they were listed, by `as_of` of that answer'),
    change_uid: Id('chg').optional().describe('The change of the request before, to be undone together'),
  }),
  replies: {
    200: z.object({
      results: z
        .array(
          z.object({
            job_uid: z.string().describe('The import'),
            item_uid: z.string().describe('The entry of the import'),
            outcome: z.enum(['resolved', 'left']).describe('Whether it was decided'),
            code: z.enum(errorCodes).nullable().describe('Why it was left'),
            message: z.string().nullable().describe('A sentence for people'),
          }),
        )
        .describe('The entries of this page'),
      change_uid: z.string().nullable().describe('The change that can be undone; null where nothing can'),
      next: z.string().nullable().describe('Send it as `after` to go on; null at the end'),
    }),
  },
})

const selection = {
  job_uid: Id('job').describe('The import'),
  status_filter: ImportItemStatus.optional().describe('Which listings are imported'),
  limit: z.int().min(1).max(1_000_000).optional().describe('At most this many listings'),
}

/** Asynchronous; previewImport returns the result. */
export const requestImportPreview = route({
  summary: 'Decide every matching item without writing anything',
  method: 'POST',
  path: '/api/v1/marketplace/import/preview/',
  auth,
  body: z.strictObject(selection),
  replies: { 202: ImportJob },
  errors: ['not_found', 'conflict'],
})

export const getImportPreview = route({
  summary: 'The items as they would become',
  method: 'GET',
  path: '/api/v1/marketplace/import/jobs/{uid}/preview/',
  auth,
  params: jobParams,
  query: z.strictObject({
    status: ImportItemStatus.optional().meta(param('The status')),
    ...PageQuery,
  }),
  replies: { 200: ItemPage },
})

/** Asynchronous. */
export const startImport = route({
  summary: 'Decide and write the matching items',
  method: 'POST',
  path: '/api/v1/marketplace/import/start/',
  auth,
  body: z.strictObject({
    ...selection,
    skip_conflicts: z.boolean().optional().describe('Whether conflicts are skipped'),
  }),
  replies: { 202: ImportJob },
  errors: ['not_found', 'conflict'],
  idempotent: true,
})

export const retryFailedItems = route({
  summary: 'Read every failed listing again',
  method: 'POST',
  path: '/api/v1/marketplace/import/jobs/{uid}/retry-failed/',
  auth,
  params: jobParams,
  replies: { 202: ImportJob },
  errors: ['conflict'],
})

export const skipAllConflicts = route({
  summary: 'Skip all remaining conflicts',
  method: 'POST',
  path: '/api/v1/marketplace/import/jobs/{uid}/skip-all-conflicts/',
  auth,
  params: jobParams,
  replies: { 200: ImportJob },
})

export const stopImport = route({
  summary: 'Stop an import',
  notes: 'It ends as `failed`; what was imported stays. An import that is over stays as it is.',
  method: 'POST',
  path: '/api/v1/marketplace/import/jobs/{uid}/stop/',
  auth,
  params: jobParams,
  replies: { 200: ImportJob },
})

export const imports = {
  createImportJob,
  importPlatform,
  listImportJobs,
  getImportJob,
  listImportItems,
  getImportItem,
  listImportIssues,
  resolveImportItem,
  listConflicts,
  resolveConflicts,
  requestImportPreview,
  getImportPreview,
  startImport,
  retryFailedItems,
  skipAllConflicts,
  stopImport,
}
