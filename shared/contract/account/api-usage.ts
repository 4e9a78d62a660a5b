import { z } from 'zod'
import { routesOf } from '../declaring/route.ts'

/** Requests by key and UTC day; days without requests are left out. */
export const ApiUsage = z
  .object({
    from: z.iso.date().describe('The beginning of the period'),
    to: z.iso.date().describe('The end of the period'),
    total: z.int().describe('How many there are in all'),
    keys: z
      .array(
        z.object({
          id: z.string().describe('The id'),
          name: z.string().describe('The name'),
          total: z.int().describe('How many there are in all'),
          days: z
            .array(
              z.object({
                date: z.iso.date().describe('The day, in UTC'),
                count: z.int().describe('Entries on all pages'),
                errors: z.int().describe('The errors, or how many there were'),
              }),
            )
            .describe('Figures by day'),
        }),
      )
      .describe('Figures by key'),
  })
  .meta({ id: 'ApiUsage' })
export type ApiUsage = z.infer<typeof ApiUsage>

/** The last 30 days by default. */
export const getApiUsage = routesOf('API keys')({
  summary: 'Calls by API key and day',
  method: 'GET',
  path: '/api/v1/api-usage/',
  auth: { scope: 'usage:read' },
  query: z.strictObject({
    from: z.iso.date().optional().describe('First day, UTC; default 29 days before `to`'),
    to: z.iso.date().optional().describe('Last day, UTC; default today. At most 90 days in all'),
  }),
  replies: { 200: ApiUsage },
})

export const apiUsage = { getApiUsage }
