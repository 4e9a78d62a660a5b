import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { patientTimeouts, patientTimes } from '#e2e/harness/patient-times.ts'
import { type RunningHapax, startHapax } from '#server/main.ts'
import { createMarket as createEbayMarket } from '#server/sandbox/ebay/market.ts'
import { createMarket as createEtsyMarket } from '#server/sandbox/etsy/market.ts'
import type { Services } from '#server/services.ts'

export interface Service extends RunningHapax {
  url: string
}

/** How many generated listings vintage_vera keeps on eBay; those of VintageVeraShop that are the same items stay, too. */
type ShopSize = 'few' | 'dozens' | 'all'
const kept = { few: 24, dozens: 72 }

/**
 * Starts all of Hapax as `npm start` does (server, worker, sandbox), on free ports and a separate database. An import of
 * all listings takes ten seconds of processor time.
 */
export async function startService(
  environment: Record<string, string> = {},
  { shops = 'few', services = {} }: { shops?: ShopSize; services?: Partial<Services> } = {},
): Promise<Service> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'hapax-service-'))
  if (shops !== 'all') await keepFewListings(join(dataDir, 'sandbox'), kept[shops])
  const port = await freePorts(7)
  const hapax = await startHapax(
    {
      SANDBOX: 'on',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: 'debug',
      // Copying hundreds of photos would compete with the browser.
      IMAGE_COPIES: 'off',
      ...environment,
    },
    {
      logFile: join(dataDir, 'hapax.log'),
      requestTimeouts: patientTimeouts,
      // No balancer is before it, so it need not drain.
      services: { times: { ...patientTimes, closing: { ...patientTimes.closing, drainMs: 0 } }, ...services },
    },
  )
  return {
    ...hapax,
    url: hapax.config.PUBLIC_URL,
    async close() {
      await hapax.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Etsy's generated listings that are on Etsy alone. */
const keptOnEtsyAlone = 6

/** Removes plain listings of the usual shops from the sandbox's state. The awkward ones stay. */
async function keepFewListings(folder: string, count: number): Promise<void> {
  const clock = () => new Date()
  const items = createEbayMarket({ clock })
    .itemsOf('vintage_vera')
    .filter(({ itemId }) => itemId.startsWith('2761'))
    .slice(count)
    .map(({ itemId }) => itemId)
  const etsy = createEtsyMarket({ clock })
  const gone = new Set(items)
  const twins = etsy.twins().filter(([, itemId]) => gone.has(itemId))
  const own = etsy
    .listingsOf(etsy.shopNamed('VintageVeraShop')!.shopId)
    .filter(({ listingId }) => String(listingId).startsWith('162'))
    .slice(keptOnEtsyAlone)
  const listings = [...twins.map(([listingId]) => listingId), ...own.map(({ listingId }) => listingId)]
  const removed = (ids: (number | string)[]) => Object.fromEntries(ids.map((id) => [id, null]))
  await mkdir(folder)
  await writeFile(join(folder, 'ebay.json'), JSON.stringify({ market: { items: removed(items) } }))
  await writeFile(join(folder, 'etsy.json'), JSON.stringify({ market: { listings: removed(listings) } }))
}
