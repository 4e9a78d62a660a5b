import { buildAccount } from '#e2e/harness/account.ts'
import { createFakeAdapter } from '#e2e/harness/fake-adapter.ts'
import { buildListing } from '#e2e/harness/listing.ts'
import { createJob } from '#server/catalog/imports/jobs/create-job.ts'
import { readJob } from '#server/catalog/imports/jobs/read-jobs.ts'
import { runImport } from '#server/catalog/imports/run-import.ts'
import type { Database } from '#server/infra/db/index.ts'
import type { PlatformAdapter } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { importBare } from './import-bare.ts'
import { bigShop, connectShop } from './import-stage.ts'

/** Imports a shop for a new seller, as its job does, into empty tables. Returns the listings a second. */
export async function rateOfOurs(services: Services, adapter: PlatformAdapter): Promise<number> {
  const rate = await importAsNewSeller(services, adapter)
  await emptyTables(services.db)
  return rate
}

/** Imports a shop for a new seller, as its job does, beside what is there. Returns the listings a second. */
export async function importAsNewSeller(services: Services, adapter: PlatformAdapter): Promise<number> {
  const { db } = services
  const { user_id } = await buildAccount(db)
  services.platforms = new Map([[adapter.slug, adapter]])
  const seller_account_uid = await connectShop(services, user_id, adapter.slug)
  const startedMs = performance.now()
  const { body } = await createJob(services, { user_id, seller_account_uid, marketplace: adapter.slug })
  while ((await runImport(services, { user_id, job_uid: body.id })).kind === 'again') {}
  const job = await readJob(db, { user_id, job_uid: body.id })
  const seconds = (performance.now() - startedMs) / 1000
  if (job.status !== 'completed') throw new Error(`the import is ${job.status}: ${job.error_message}`)
  return job.total_listings_found / seconds
}

/** Imports the same shop with the bare script. Returns the listings a second. */
export async function rateOfBare(services: Services, adapter: PlatformAdapter): Promise<number> {
  const { db } = services
  const { user_id } = await buildAccount(db)
  const seller_account_uid = await connectShop(services, user_id, adapter.slug)
  const access = { accessToken: '', shop: bigShop }
  const startedMs = performance.now()
  const found = await importBare(db, { user_id, seller_account_uid, platform: adapter.slug }, (cursor) =>
    adapter.imports.readPage(access, { states: ['active'], cursor }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  await emptyTables(db)
  return found / seconds
}

/** Empties the tables, so that all rounds start equal. */
async function emptyTables(db: Database): Promise<void> {
  await db.none('truncate import_job, import_item, inventory_item, channel_listing, inventory_history cascade')
  await db.none('vacuum analyze')
}

/** A platform whose pages come from memory. */
export function fakePlatform(size: number): PlatformAdapter {
  const fake = createFakeAdapter('ebay')
  fake.pageSize = 100
  const pages = Math.ceil(size / fake.pageSize)
  // Create listings page by page, so that the measured memory is the worker's.
  fake.imports.readPage = async (_access, { cursor }) => {
    const page = Number(cursor ?? 0)
    const listings = Array.from({ length: fake.pageSize }, (_, index) => {
      const number = page * fake.pageSize + index
      return buildListing({
        listing_id: `m-${number}`,
        title: `Vintage wool coat number ${number}, forest green, size M`,
        description: `<p>${'A lovely coat, worn twice and kept in a dry cupboard. '.repeat(12)}</p>`,
        sku: `M-${number % 100 === 99 ? number - 1 : number}`,
        brand: 'Marimekko',
        size: 'M',
        images: Array.from(
          { length: 6 },
          (_, picture) => `https://i.ebayimg.com/images/g/${number}-${picture}/s-l1600.jpg`,
        ),
      })
    })
    return { listings, failures: [], nextCursor: page + 1 < pages ? String(page + 1) : null, total: size }
  }
  return fake
}
