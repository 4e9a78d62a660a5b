import { z } from 'zod'
import { PlatformSlug } from '../../platforms.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Listing')
const auth = { scope: 'listings:write' } as const

const UnansweredListing = z
  .object({
    inventory_item_uid: z.string().describe('The item'),
    platform: PlatformSlug.describe('Where it was to be listed'),
    title: z.string().describe('Title of the item, cut at 1,000 characters'),
    bulk_job_uid: z.string().describe('The bulk job that asked for it'),
    since: z.iso.datetime().describe('When it was asked for'),
  })
  .meta({ id: 'UnansweredListing' })

/** They stay until they are listed, asked for again or dismissed, or the item is gone. */
export const listUnanswered = route({
  summary: 'Listings of bulk jobs that wait for an answer',
  notes:
    'Each failed with `choice_required` or `seller_account_required`. An entry goes when its item is listed there, asked for by another bulk job, dismissed, or no longer available. All go with their bulk job, 90 days after its end where the operator keeps the default.',
  method: 'GET',
  path: '/api/v1/unanswered-listings/',
  auth,
  query: z.strictObject({ platform: PlatformSlug.optional().meta(param('The platform')), ...PageQuery }),
  replies: {
    200: CountedPage(UnansweredListing).extend({
      counts: z.partialRecord(PlatformSlug, z.int()).describe('How many there are on each platform that has some'),
    }),
  },
})

export const dismissUnanswered = route({
  summary: 'Leave listings that wait for an answer unlisted',
  method: 'POST',
  path: '/api/v1/unanswered-listings/dismiss/',
  auth,
  body: z.strictObject({
    platform: PlatformSlug.describe('The platform'),
    uids: z
      .array(z.string().max(40))
      .min(1)
      .max(10_000)
      .optional()
      .describe('The items. Left out: all of the platform'),
  }),
  replies: { 200: z.object({ dismissed: z.int().describe('How many there were') }) },
})

export const unanswered = { listUnanswered, dismissUnanswered }
