import { createEtsySandbox, type EtsySandbox, type EtsySandboxOptions } from '#server/sandbox/etsy/index.ts'
import { createEtsyAdapter, type EtsyOptions } from '../index.ts'

export const client = {
  clientId: 'etsytestkeystring',
  clientSecret: 'etsy-test-secret',
  redirectUris: ['http://127.0.0.1:8080/accounts/etsy/login/callback/'],
}

export interface RunningEtsySandbox {
  sandbox: EtsySandbox
  url: string
  adapter: ReturnType<typeof createEtsyAdapter>
  /** Creates another adapter of the sandbox. */
  createAdapter(options: Partial<EtsyOptions>): ReturnType<typeof createEtsyAdapter>
  /** Returns the access of a shop in the sandbox. */
  accessOf(shopName: string): { accessToken: string; shop: { external_id: string; external_name: string; url: string } }
}

/** Starts the Etsy sandbox on a free port, without limits by default, with an adapter that uses it. */
export async function startEtsySandbox(
  options: Partial<EtsySandboxOptions> = {},
  adapterOptions: Partial<EtsyOptions> = {},
): Promise<RunningEtsySandbox> {
  const sandbox = createEtsySandbox({ ...client, limits: null, ...options })
  const url = await sandbox.listen(0)
  const createAdapter = (given: Partial<EtsyOptions>) =>
    createEtsyAdapter({
      config: {
        ETSY_CLIENT_ID: client.clientId,
        ETSY_CLIENT_SECRET: client.clientSecret,
        ETSY_AUTH_URL: url,
        ETSY_API_URL: url,
      },
      fetch,
      timeoutMs: 30_000,
      ...given,
    })
  return {
    sandbox,
    url,
    adapter: createAdapter(adapterOptions),
    createAdapter,
    accessOf(shopName) {
      const shop = sandbox.market.shopNamed(shopName)!
      return {
        accessToken: sandbox.grant(shopName).access_token,
        shop: { external_id: String(shop.shopId), external_name: shopName, url: `${url}/shop/${shopName}` },
      }
    },
  }
}
