import { z } from 'zod'
import { PlatformSlug } from '../../platforms.ts'
import { CursorPage, CursorQuery } from '../declaring/pages.ts'
import { param, UidParams } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Extension')
const auth = { scope: 'listings:write' } as const
const params = UidParams('tsk')

const TaskStatus = z.enum(['open', 'completed', 'dismissed'])

/** How an attempt to end a listing by itself ended. Only `ended` and `already_down` were read back as down. */
export const TakeDownResult = z.enum([
  'ended',
  'already_down',
  'sold_there',
  'signed_out',
  'other_account',
  'other_listing',
  'other_page',
  'unknown_dialog',
  'challenge',
  'open_offer',
  'no_button',
  'still_live',
  'unreadable',
  'tab_closed',
  'taken_over',
  'stopped',
  'task_over',
  'no_server',
  'timed_out',
])
export type TakeDownResult = z.infer<typeof TakeDownResult>

/** An attempt of the extension to end a listing by itself, in the seller's own session. There is one for each task. */
export const TakeDownAttempt = z
  .object({
    attempt_id: z.uuid().describe('The id that the extension gave it'),
    begun_at: z.iso.datetime().describe('When it began'),
    pressed: z.array(z.string()).describe('The labels of the buttons that were pressed, in order'),
    ended_at: z.iso.datetime().nullable().describe('When it ended; null while it works'),
    result: TakeDownResult.nullable().describe(
      'How it ended; null while it works. Only `ended` and `already_down` mean that the marketplace shows no listing any more',
    ),
    seen: z.string().nullable().describe('What the page showed instead of what was expected'),
  })
  .meta({ id: 'TakeDownAttempt' })
export type TakeDownAttempt = z.infer<typeof TakeDownAttempt>

/** An action in a platform's own page that the seller performs with the extension's help. */
export const ExtensionTask = z
  .object({
    uid: z.string().describe('The id'),
    kind: z.enum(['list', 'delist', 'cancel_order']).describe('The kind'),
    status: TaskStatus.describe('The status'),
    platform: PlatformSlug.describe('The platform'),
    inventory_item_uid: z.string().describe('The item'),
    title: z.string().describe('The title'),
    image: z.string().nullable().describe('The first photo; null without one'),
    reason: z.string().describe('Why, in words for the seller: "Sold on eBay"'),
    url: z.string().describe('Where to do it: the sell form, or the listing'),
    listing_id: z.string().nullable().describe('The id of the listing on the platform'),
    price_minor: z.int().nullable().describe('The price in minor units of its currency'),
    currency: z.string().nullable().describe('The currency, as three letters (ISO 4217)'),
    created_at: z.iso.datetime().describe('When it was created'),
    sold_elsewhere: z
      .boolean()
      .optional()
      .describe('An open task to end the listing of an item that was sold on another marketplace, without any doubt'),
    attempt: TakeDownAttempt.nullable()
      .optional()
      .describe('The attempt of the extension to do it by itself; null without one'),
  })
  .meta({ id: 'ExtensionTask' })
export type ExtensionTask = z.infer<typeof ExtensionTask>

export const listTasks = route({
  summary: 'The open tasks of the seller, newest first',
  method: 'GET',
  path: '/api/v1/extension/tasks/',
  auth,
  query: z.strictObject({
    status: TaskStatus.optional().meta(param('The status; default: open, or any with `attempted`')),
    attempted: z.literal('true').optional().meta(param('Only tasks that the extension tried by itself')),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(ExtensionTask) },
})

export const completeTask = route({
  summary: 'Say that a task was done',
  method: 'POST',
  path: '/api/v1/extension/tasks/{uid}/complete/',
  auth,
  params,
  body: z.strictObject({
    listing_id: z.string().min(1).max(200).optional().describe('The id of the listing on the platform'),
    listing_url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe('The address of the listing'),
    seen_down: z
      .literal(true)
      .optional()
      .describe('The marketplace was read back and shows the listing no more; without it the seller says so'),
  }),
  replies: { 200: ExtensionTask },
  errors: ['conflict'],
  worksOnLowDisk: true,
})

export const dismissTask = route({
  summary: 'Put a task aside',
  method: 'POST',
  path: '/api/v1/extension/tasks/{uid}/dismiss/',
  auth,
  params,
  replies: { 200: ExtensionTask },
  errors: ['conflict'],
  worksOnLowDisk: true,
})

/** Called before each press, so that the server agrees to each and a killed extension repeats none. */
export const recordAttempt = route({
  summary: 'Begin, continue or end an attempt to end a listing by itself',
  method: 'POST',
  path: '/api/v1/extension/tasks/{uid}/attempt/',
  auth,
  params,
  body: z.strictObject({
    attempt_id: z.uuid().describe('The id of the attempt; the first one given is the only one'),
    pressed: z
      .array(z.string().max(40))
      .max(10)
      .describe('The labels of the buttons pressed so far, with the one to be pressed next'),
    result: TakeDownResult.optional().describe('How it ended. Without it the attempt goes on'),
    seen: z.string().max(200).optional().describe('What the page showed instead of what was expected'),
  }),
  replies: { 200: ExtensionTask },
  errors: ['conflict'],
  worksOnLowDisk: true,
})

/** A picture for a sell form. */
export const TaskPicture = z
  .object({ type: z.enum(['image/jpeg', 'image/png']).describe('The type'), data: z.string().describe('Base64') })
  .meta({ id: 'TaskPicture' })
export type TaskPicture = z.infer<typeof TaskPicture>

/** Browsers cannot fetch pictures from the platforms' hosts, and sell forms require files. */
export const getTaskPicture = route({
  summary: 'A picture of the item that an open task is to list',
  method: 'GET',
  path: '/api/v1/extension/tasks/{uid}/picture/',
  auth,
  params,
  query: z.strictObject({
    n: z
      .string()
      .regex(/^\d{1,3}$/, 'must be a whole number')
      .transform(Number)
      .describe('Which one, from 0'),
  }),
  replies: { 200: TaskPicture },
  errors: ['platform_failed'],
})

export const tasks = { listTasks, completeTask, dismissTask, recordAttempt, getTaskPicture }
