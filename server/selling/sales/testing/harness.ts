import { afterAll, beforeAll } from 'vitest'
import type { Database } from '#server/infra/db/index.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { buildListedItem, buildSeller, type ListedItem } from './sell.ts'

/** A database for the tests of a file, and what tests of sales build and look at over and over. */
export interface SalesHarness {
  readonly db: Database
  /** An item of a new seller, live on each of the platforms: eBay and Etsy unless said. */
  build(
    platforms?: Parameters<typeof buildSeller>[1],
    given?: Parameters<typeof buildListedItem>[2],
  ): Promise<ListedItem>
  stateOf(item: ListedItem): Promise<{ state: string; version: number }>
  /** Kinds of its seller's alarms, in order of the alphabet. */
  alertsOf(item: ListedItem, state?: string): Promise<string[]>
  /** Types of what its seller was told, in order, tasks left out. */
  eventsOf(item: ListedItem): Promise<string[]>
}

/** Sets the stand up for every test of a file. */
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
