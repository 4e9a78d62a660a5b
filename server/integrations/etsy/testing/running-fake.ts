import { createEtsyFake, type EtsyFake, type EtsyFakeOptions } from '#server/sandbox/etsy/index.ts'
import { createEtsyAdapter, type EtsyOptions } from '../index.ts'

export const client = {
  clientId: 'etsytestkeystring',
  clientSecret: 'etsy-test-secret',
  redirectUris: ['http://127.0.0.1:8080/accounts/etsy/login/callback/'],
}

export interface RunningFake {
  fake: EtsyFake
  url: string
  adapter: ReturnType<typeof createEtsyAdapter>
  /** Access to a shop of the fake's world. */
  accessOf(shopName: string): { accessToken: string; shop: { external_id: string; external_name: string; url: string } }
}

/** A fake Etsy on a free port, without limits unless asked for, and an adapter for it. */
export async function startFake(
  options: Partial<EtsyFakeOptions> = {},
  adapterOptions: Partial<EtsyOptions> = {},
): Promise<RunningFake> {
  const fake = createEtsyFake({ ...client, limits: null, ...options })
  const url = await fake.listen(0)
  const adapter = createEtsyAdapter({
    config: {
      ETSY_CLIENT_ID: client.clientId,
      ETSY_CLIENT_SECRET: client.clientSecret,
      ETSY_AUTH_URL: url,
      ETSY_API_URL: url,
    },
    fetch,
    timeoutMs: 30_000,
    ...adapterOptions,
  })
  return {
    fake,
    url,
    adapter,
    accessOf(shopName) {
      const shop = fake.world.shopNamed(shopName)!
      return {
        accessToken: fake.grant(shopName).access_token,
        shop: { external_id: String(shop.shopId), external_name: shopName, url: `${url}/shop/${shopName}` },
      }
    },
  }
}
