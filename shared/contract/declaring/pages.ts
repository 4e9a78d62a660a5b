import { z } from 'zod'

/** Documents a query parameter as a number, although its text is what is validated. */
const shownAs = (schema: Record<string, unknown>) => ({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    for (const name of ['pattern', 'format', 'allOf']) delete jsonSchema[name]
    Object.assign(jsonSchema, schema)
  },
})

/** Documents a query parameter as a whole number of at least `minimum`. */
export const wholeNumber = (minimum: number, more: Record<string, unknown> = {}) =>
  shownAs({ type: 'integer', minimum, ...more })

const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number')

/** Query of a numbered list: 1-based page; page_size defaults to 20 and is capped at 100. */
export const PageQuery = {
  page: digits
    .transform(Number)
    .pipe(z.int().min(1))
    .transform((page) => Math.min(page, 1e12))
    .optional()
    .describe('1-based')
    .meta(wholeNumber(1, { default: 1 })),
  page_size: digits
    .transform(Number)
    .pipe(z.int().min(1))
    .transform((size) => Math.min(size, 100))
    .optional()
    .describe('Default 20; above 100 is read as 100')
    .meta(wholeNumber(1, { default: 20 })),
}

/** Query of a list by opaque cursor; pages end early at 4 MB. */
export const CursorQuery = {
  cursor: z.string().min(1).max(3_000).optional().describe('next_cursor of the page before'),
  page_size: PageQuery.page_size,
}

/** `{results, next_cursor}` */
export function CursorPage<Item extends z.ZodType>(item: Item) {
  return z.object({
    results: z.array(item).describe('The entries of this page'),
    next_cursor: z.string().nullable().describe('Send it as `cursor` for the next page; null on the last one'),
  })
}

/** `{count, results}` */
export function CountedPage<Item extends z.ZodType>(item: Item) {
  return z.object({
    count: z.int().describe('Entries on all pages'),
    results: z.array(item).describe('The entries of this page'),
  })
}

/** Returns limit and offset of a page query. */
export function offsetOf(query: { page?: number; page_size?: number }): { limit: number; offset: number } {
  const limit = query.page_size ?? 20
  return { limit, offset: ((query.page ?? 1) - 1) * limit }
}
