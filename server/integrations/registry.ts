import type { Config } from '#server/config.ts'
import type { Fetch } from '#server/infra/fetch.ts'
import { createEbayAdapter } from './ebay/index.ts'
import { createEtsyAdapter } from './etsy/index.ts'
import { createPictureFetcher } from './own-pictures.ts'
import type { PlatformAdapter } from './port.ts'

/** Creates the adapters of the platforms with credentials, by slug. A new platform is one line here. */
export function createPlatforms(options: { config: Config; fetch: Fetch }): ReadonlyMap<string, PlatformAdapter> {
  const adapters = [ebay(options), etsy(options)].filter((adapter) => adapter !== null)
  return new Map(adapters.map((adapter) => [adapter.slug, adapter]))
}

function ebay({ config, fetch }: { config: Config; fetch: Fetch }): PlatformAdapter | null {
  const { EBAY_CLIENT_ID, EBAY_CLIENT_SECRET, EBAY_RU_NAME } = config
  if (!EBAY_CLIENT_ID || !EBAY_CLIENT_SECRET || !EBAY_RU_NAME) return null
  return createEbayAdapter({
    config: { ...config, EBAY_CLIENT_ID, EBAY_CLIENT_SECRET, EBAY_RU_NAME },
    fetch,
    fetchPicture: createPictureFetcher(config),
  })
}

function etsy({ config, fetch }: { config: Config; fetch: Fetch }): PlatformAdapter | null {
  const { ETSY_CLIENT_ID, ETSY_CLIENT_SECRET } = config
  if (!ETSY_CLIENT_ID || !ETSY_CLIENT_SECRET) return null
  return createEtsyAdapter({
    config: { ...config, ETSY_CLIENT_ID, ETSY_CLIENT_SECRET },
    fetch,
    fetchPicture: createPictureFetcher(config),
  })
}
