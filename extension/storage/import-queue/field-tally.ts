import type { Listing } from '#shared/listing.ts'

/** How many listings of a run a field was not read of, by how; `had`: it was there when they were read before. */
interface Count {
  unread: number
  absent: number
  lesser: number
  had: number
  dropped: number
}
export type FieldTally = { [Field in keyof Listing]?: Count }
