import { z } from 'zod'
import { Id } from '../identity.ts'
import { Listing, ListingFailure } from '../listing.ts'
import { ExtensionSlug } from '../platforms.ts'
import { ImportJob } from './catalog/imports.ts'
import { param, UidParams } from './declaring/params.ts'
import { routesOf } from './declaring/route.ts'

const route = routesOf('Extension')
const auth = { scope: 'imports:run' } as const
const params = UidParams('job')

/** Largest number of listings in a batch. */
export const maxBatchListings = 100

/** Opens an import of the seller's own shop, or returns the live one (200). */
export const startExtensionImport = route({
  summary: 'Start an import that the extension will fill',
  method: 'POST',
  path: '/api/v1/extension/imports/',
  auth,
  body: z.strictObject({
    platform: ExtensionSlug.describe('The platform'),
    shop: z
      .strictObject({
        username: z.string().trim().min(1).max(200).describe('The name of the account'),
        url: z
          .url({ protocol: /^https?$/ })
          .max(2_000)
          .describe('The address'),
      })
      .describe('The shop'),
    expected_total: z.int().min(0).max(10_000_000).optional().describe('Listings that the extension expects to send'),
    reading_since: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When the extension began to read the shop. News that came later is not doubted'),
  }),
  replies: { 200: ImportJob, 201: ImportJob },
  location: '/api/v1/marketplace/import/jobs/{id}/',
  // Not found: the account was closed meanwhile.
  errors: ['quota_exceeded', 'not_found'],
  idempotent: true,
})

/** The result of a batch: how many of its listings are now stored with the job. */
export const BatchResult = z
  .object({
    batch_id: z.string().describe('Names the batch, so that sending it again changes nothing'),
    accepted: z.int().describe('Listings of the batch that are stored'),
    job: ImportJob,
  })
  .meta({ id: 'BatchResult' })
export type BatchResult = z.infer<typeof BatchResult>

/** A repeated batch id gets the same response. `failures` are listings that could not be read. */
export const sendImportBatch = route({
  summary: "Send listings read in the seller's tab",
  method: 'POST',
  path: '/api/v1/extension/imports/{uid}/batches/',
  auth,
  params,
  body: z
    .strictObject({
      batch_id: z.string().min(1).max(100).describe('Names the batch, so that sending it again changes nothing'),
      listings: z.array(Listing).max(maxBatchListings).describe('The listings'),
      failures: z.array(ListingFailure).max(maxBatchListings).optional().describe('Listings that could not be read'),
      expected_total: z.int().min(0).max(10_000_000).optional().describe("The shop's own number of listings so far"),
      left_out: z
        .int()
        .min(0)
        .max(10_000_000)
        .optional()
        .describe('Listings of other sellers that were left out so far'),
    })
    .refine((body) => body.listings.length + (body.failures?.length ?? 0) <= maxBatchListings, {
      path: ['listings'],
      message: `a batch holds at most ${maxBatchListings} listings`,
    }),
  replies: { 200: BatchResult },
  errors: ['conflict'],
  largeBody: 'batch',
})

/** No more batches follow; the job completes when everything is decided. */
export const completeExtensionImport = route({
  summary: 'Say that the whole shop was sent',
  method: 'POST',
  path: '/api/v1/extension/imports/{uid}/complete/',
  auth,
  params,
  replies: { 200: ImportJob },
  errors: ['conflict'],
})

/** The result of a reported listing: sold by this report, known before, an oversell, unknown, or freed by this report. */
export const ReportedSale = z
  .object({
    listing_id: z.string().describe('The id of the listing on the platform'),
    state: z.enum(['sold', 'known', 'oversell', 'unmatched', 'freed']).describe('The state of the item'),
  })
  .meta({ id: 'ReportedSale' })
export type ReportedSale = z.infer<typeof ReportedSale>

/** Largest number of listings in a report. */
export const maxReportedSales = 100

/**
 * The extension saw the listing as sold, which counts as a sale; on offer, which frees an item that only that listing's
 * sale holds; or ended, which ends the task and the alert that ask for it. Repeating a report changes nothing.
 */
export const reportSales = route({
  summary: "Say which listings were seen as sold, on offer again or ended, in the seller's tab",
  method: 'POST',
  path: '/api/v1/extension/sales/',
  auth,
  body: z.strictObject({
    platform: ExtensionSlug.describe('The platform'),
    shop: z
      .strictObject({ username: z.string().trim().min(1).max(200).describe('The name of the account') })
      .describe('The shop'),
    listing_ids: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(maxReportedSales)
      .describe('The listings by their ids on the platform'),
    state: z.enum(['sold', 'on_offer', 'ended']).optional().describe('What their pages show; sold when left out'),
    seen_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('When their pages were read; now when left out. A sale that became known later stays'),
  }),
  replies: { 200: z.object({ results: z.array(ReportedSale).describe('The entries of this page') }) },
  worksOnLowDisk: true,
})

/** Permissions of a version of the extension on a platform. */
export const CataloguePlatform = z
  .object({
    slug: ExtensionSlug.describe('The platform by its short name'),
    reading: z.boolean().describe('False: this version must not read there'),
    until_version: z.string().nullable().describe('The version that may read again; null: none yet, or reading is on'),
  })
  .meta({ id: 'CataloguePlatform' })
export type CataloguePlatform = z.infer<typeof CataloguePlatform>

/** A version such as 0.1.0; at most four numbers, as in browsers. */
export const ExtensionVersion = z.string().regex(/^\d{1,9}(\.\d{1,9}){0,3}$/, 'must be numbers with dots between')

/** The operator's switch that stops reading a platform until a version understands its pages. */
export const getCatalogue = route({
  summary: 'Which platforms a version of the extension may read',
  method: 'GET',
  path: '/api/v1/extension/catalogue/',
  auth,
  query: z.strictObject({ version: ExtensionVersion.meta(param('Grows with each change')) }),
  replies: { 200: z.object({ platforms: z.array(CataloguePlatform).describe('The platforms') }) },
})

/**
 * Ends the requesting key only: any other id is 404, so that a key reveals nothing about others. A session may end any
 * of its keys.
 */
export const endExtensionKey = route({
  summary: 'End the key that asks, when the extension signs out',
  method: 'DELETE',
  path: '/api/v1/extension/keys/{pk}/',
  auth,
  params: z.strictObject({ pk: Id('key').meta(param('The key by its id')) }),
  replies: { 204: null },
  audit: 'api_key.deleted',
  worksOnLowDisk: true,
})

export const extension = {
  startExtensionImport,
  sendImportBatch,
  completeExtensionImport,
  reportSales,
  getCatalogue,
  endExtensionKey,
}
