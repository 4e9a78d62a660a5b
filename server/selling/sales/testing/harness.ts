import { afterAll, beforeAll } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import type { Database } from '#server/infra/db/index.ts'
import { buildListedItem, buildSeller, type ListedItem } from './sell.ts'

/** A database for the tests of a file, with helpers to build and inspect sales. */
interface SalesHarness {
  readonly db: Database
  /** Builds an item of a new seller, live on each platform (default: eBay and Etsy). */
  build(
    platforms?: Parameters<typeof buildSeller>[1],
    given?: Parameters<typeof buildListedItem>[2],
  ): Promise<ListedItem>
  stateOf(item: ListedItem): Promise<{ state: string; version: number }>
  /** Kinds of the seller's alerts, in alphabetical order. */
  alertsOf(item: ListedItem, state?: string): Promise<string[]>
  /** Types of the seller's events in order, without tasks. */
  eventsOf(item: ListedItem): Promise<string[]>
}

/** Creates the database before the tests of a file and drops it after them. */
export function useSalesHarness(): SalesHarness {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database?.drop())
  return {
    get db() {
      return database.db
    },
    build: async (platforms, given) => buildListedItem(database.db, await buildSeller(database.db, platforms), given),
    stateOf: ({ user_id, item_uid }) =>
      database.db.one<{ state: string; version: number }>(
        'select state, version from inventory_item where user_id = $1 and uid = $2',
        [user_id, item_uid],
      ),
    alertsOf: ({ user_id }, state = 'open') =>
      database.db.map(
        'select kind from alert where user_id = $1 and state = $2 order by kind',
        [user_id, state],
        ({ kind }) => kind,
      ),
    eventsOf: ({ user_id }) =>
      database.db.map(
        "select type from event where user_id = $1 and type not like 'task.%' order by seq",
        [user_id],
        ({ type }) => type,
      ),
  }
}
