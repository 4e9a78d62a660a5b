import type { TestAccount } from '#e2e/harness/account.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import type { Services } from '#server/services.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** Connects a shop of an account, as if its seller had just consented. */
export async function connectTestShop(
  services: Services,
  account: Pick<TestAccount, 'user_id'>,
  platform: OAuthSlug = 'ebay',
): Promise<{ uid: string }> {
  const name = `shop-${randomBase62(8).toLowerCase()}`
  const { seller_account_uid } = await storeConnection(services, {
    user_id: account.user_id,
    platform,
    shop: { external_id: name, external_name: name, url: `https://platform.example/${name}` },
    grant: {
      access_token: 'fake-access',
      refresh_token: 'fake-refresh',
      expires_in_seconds: 7_200,
      refresh_expires_in_seconds: null,
      scopes: [],
    },
  })
  return { uid: seller_account_uid }
}
