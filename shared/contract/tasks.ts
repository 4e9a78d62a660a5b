import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { CursorPage, CursorQuery } from './pages.ts'
import { param, UidParams } from './params.ts'
import { route } from './route.ts'

const tag = 'Extension'
const auth = { scope: 'listings:write' } as const
const params = UidParams('tsk')

const TaskStatus = z.enum(['open', 'completed', 'dismissed'])

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
  })
  .meta({ id: 'ExtensionTask' })
export type ExtensionTask = z.infer<typeof ExtensionTask>

export const listTasks = route({
  summary: 'The open tasks of the seller, newest first',
  tag,
  method: 'GET',
  path: '/api/v1/extension/tasks/',
  auth,
  query: z.strictObject({
    status: TaskStatus.optional().meta(param('The status')),
    ...CursorQuery,
  }),
  replies: { 200: CursorPage(ExtensionTask) },
})

export const completeTask = route({
  summary: 'Say that a task was done',
  tag,
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
  }),
  replies: { 200: ExtensionTask },
  errors: ['conflict'],
  worksOnLowDisk: true,
})

export const dismissTask = route({
  summary: 'Put a task aside',
  tag,
  method: 'POST',
  path: '/api/v1/extension/tasks/{uid}/dismiss/',
  auth,
  params,
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
  tag,
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

export const tasks = { listTasks, completeTask, dismissTask, getTaskPicture }
