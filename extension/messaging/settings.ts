import { z } from 'zod'

/** Settings that the seller or a test may change. */
export const Settings = z
  .object({
    pace_ms: z.int().min(0).max(60_000).default(1_000),
    /** Notify when an item sells elsewhere. */
    notify: z.boolean().default(true),
    /** Minutes between checks for sales. 0: only during visits to the shop. */
    check_minutes: z.int().min(0).max(1_440).default(60),
  })
  .catch({ pace_ms: 1_000, notify: true, check_minutes: 60 })
export type Settings = z.infer<typeof Settings>
