import { z } from 'zod'

const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number')

/** Query of a paged list (decisions 2): 1-based page, page_size default 20, above 100 clamped, below 1 refused. */
export const PageQuery = {
  page: digits
    .transform(Number)
    .pipe(z.int().min(1))
    .transform((page) => Math.min(page, 1e12))
    .optional()
    .describe('1-based'),
  page_size: digits
    .transform(Number)
    .pipe(z.int().min(1))
    .transform((size) => Math.min(size, 100))
    .optional()
    .describe('Default 20; above 100 is read as 100'),
}

/** Query of a list by opaque cursor (decisions 2). */
export const CursorQuery = {
  cursor: z.string().min(1).max(3_000).optional().describe('next_cursor of the page before'),
  page_size: PageQuery.page_size,
}

/** `{results, next_cursor}` */
export function CursorPage<Item extends z.ZodType>(item: Item) {
  return z.object({ results: z.array(item), next_cursor: z.string().nullable() })
}

/** `{count, results}` (spec 2.8) */
export function CountedPage<Item extends z.ZodType>(item: Item) {
  return z.object({ count: z.int(), results: z.array(item) })
}

/** offset and limit of a page query's values. */
export function offsetOf(query: { page?: number; page_size?: number }): { limit: number; offset: number } {
  const limit = query.page_size ?? 20
  return { limit, offset: ((query.page ?? 1) - 1) * limit }
}
