import type { ShopAccess } from '#server/integrations/port.ts'
import { createEbaySandbox, type EbaySandbox, type EbaySandboxOptions } from '#server/sandbox/ebay/index.ts'
import { createEbayAdapter, type EbayOptions } from '../index.ts'
import { parseXml, type XmlElement } from '../xml.ts'

export interface RunningEbaySandbox {
  sandbox: EbaySandbox
  url: string
  adapter: ReturnType<typeof createEbayAdapter>
  /** Returns the access of a connected shop. */
  accessOf(seller: string): ShopAccess
}

export const client = { clientId: 'Test-EBAY', clientSecret: 'test-secret', ruName: 'Test-RuName' }

/** Starts the eBay sandbox on a free port, with an adapter that uses it. */
export async function startEbaySandbox(
  options: Partial<EbaySandboxOptions> = {},
  adapterOptions: Partial<EbayOptions> = {},
): Promise<RunningEbaySandbox> {
  const sandbox = createEbaySandbox({ ...client, acceptUrl: 'http://127.0.0.1:8080/callback/', ...options })
  const url = await sandbox.listen(0)
  const adapter = createEbayAdapter({
    config: {
      EBAY_CLIENT_ID: client.clientId,
      EBAY_CLIENT_SECRET: client.clientSecret,
      EBAY_RU_NAME: client.ruName,
      EBAY_AUTH_URL: url,
      EBAY_API_URL: url,
      EBAY_APIZ_URL: url,
    },
    fetch,
    timeoutMs: 30_000,
    ...adapterOptions,
  })
  const accessOf = (seller: string): ShopAccess => ({
    accessToken: sandbox.grant(seller).access_token,
    shop: { external_id: seller, external_name: seller, url: `${url}/usr/${seller}` },
  })
  return { sandbox, url, adapter, accessOf }
}

/** Returns the item and the headers of the newest request that listed one. */
export function lastListed({ requests }: EbaySandbox): { item: XmlElement; header(name: string): string | undefined } {
  const sent = requests.filter(({ body }) => body.includes('<AddFixedPriceItemRequest')).at(-1)
  const names = (sent?.rawHeaders ?? []).map((name) => name.toLowerCase())
  const root = parseXml(sent?.body ?? '<none/>').AddFixedPriceItemRequest as XmlElement
  return {
    item: root.Item as XmlElement,
    header: (name) => sent?.rawHeaders[names.indexOf(name) + 1],
  }
}

/** Returns the item specifics of a request by name. */
export function specificsOf(item: XmlElement): Record<string, string[]> {
  const list = (item.ItemSpecifics as XmlElement | undefined)?.NameValueList ?? []
  return Object.fromEntries(
    [list].flat().map((one) => {
      const { Name, Value } = one as XmlElement
      return [String(Name), [Value ?? []].flat().map(String)]
    }),
  )
}
