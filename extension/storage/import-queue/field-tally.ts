import type { Listing } from '#shared/listing.ts'

/** How many listings of a scrape lack a field, by reason. `had`: it was there in an earlier reading. */
interface Count {
  unread: number
  absent: number
  lesser: number
  had: number
  dropped: number
}
export type FieldTally = { [Field in keyof Listing]?: Count }
