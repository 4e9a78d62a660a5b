import { z } from 'zod'
import { PlatformSlug } from '../../platforms.ts'
import { CountedPage, PageQuery } from '../declaring/pages.ts'
import { UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

export const ChangeKind = z.enum([
  'link',
  'overwrite',
  'create',
  'skip',
  'mark_sold',
  'import_job',
  'change_price',
  'adopt',
  'overwrite_listing',
  'ignore_difference',
  'take_down',
  'edit_items',
  'take_back_hold',
  'withdraw',
])
export type ChangeKind = z.infer<typeof ChangeKind>

/** An act of the last 30 days that can be undone, or was. */
export const Change = z
  .object({
    uid: z.string().describe('The id'),
    kind: ChangeKind.describe(
      '`link`, `overwrite`, `create`, `skip`: decisions about conflicts of imports. `change_price`: a bulk change of prices, or those of a file. ' +
        '`adopt`, `overwrite_listing`, `ignore_difference`: decisions about differences. `take_down`: listings that the seller ended. `edit_items`: an edit of many items. `withdraw`: an item that the seller withdrew, with the listings that it ended. `take_back_hold`: an item that a page or a mail held, and that the seller freed',
    ),
    count: z.int().describe('How many listings or items it changed; of an import, how many items it made'),
    title: z.string().describe('Of the first one'),
    image: z.string().nullable().describe('The first photo; null without one'),
    inventory_item_uid: z.string().nullable().describe('The item that it changed, where it is one'),
    marketplace: PlatformSlug.nullable().describe('The platform'),
    at: z.iso.datetime().describe('When it happened'),
    expires_at: z.iso.datetime().describe('Until then it can be undone'),
    undone_at: z.iso.datetime().nullable().describe('Null where nothing of it was undone'),
    can_undo: z.boolean().describe('Something of it is not undone yet'),
  })
  .meta({ id: 'Change' })
export type Change = z.infer<typeof Change>

const route = routesOf('Changes')

export const listChanges = route({
  summary: 'What can be undone, newest first',
  method: 'GET',
  path: '/api/v1/changes/',
  auth: { scope: 'inventory:read' },
  query: z.strictObject(PageQuery),
  replies: { 200: CountedPage(Change) },
})

export const undoChange = route({
  summary: 'Undo a change',
  notes:
    'Each listing or item of the change goes back by itself. A listing or item that has changed since stays as it is, because undoing would lose the later change, and is counted in `kept`. ' +
    'A listing that was taken down stays where it is still live, and is listed again where it has ended: on eBay and Etsy by the server, elsewhere by a task. ' +
    'Where nothing could be undone the answer is 409 `changed_since`, or the reason why a listing cannot be listed again. Repeating it changes nothing.',
  method: 'POST',
  path: '/api/v1/changes/{uid}/undo/',
  auth: { scope: 'inventory:write' },
  params: UidParams('chg'),
  replies: {
    200: z.object({
      change: Change,
      undone: z.int().describe('How many were undone'),
      kept: z.int().describe('How many stay because they changed since, or were refused'),
      reason: z.string().optional().describe('Why the first of those that were refused was'),
    }),
  },
  errors: [
    'changed_since',
    'subscription_required',
    'address_required',
    'connection_required',
    'reconnect_required',
    'platform_not_configured',
    'conflict',
  ],
})

export const changes = { listChanges, undoChange }
