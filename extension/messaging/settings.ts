import { z } from 'zod'

/** Settings that the seller or a test may change. */
export const Settings = z
  .object({
    pace_ms: z.int().min(0).max(60_000).default(1_000),
    /** Whether a notification is shown when something sold elsewhere. */
    notify: z.boolean().default(true),
    /** Minutes between two looks at what sold on a platform without orders to read; 0: at visits to the shop only. */
    check_minutes: z.int().min(0).max(1_440).default(60),
  })
  .catch({ pace_ms: 1_000, notify: true, check_minutes: 60 })
export type Settings = z.infer<typeof Settings>
