import { consentAs as consentOnEbay } from '#server/sandbox/testing/consent-on-ebay.ts'
import { consentAs as consentOnEtsy } from '#server/sandbox/testing/consent-on-etsy.ts'
import { randomBase62 } from '#shared/identity.ts'
import { idPattern } from './check-answer.ts'

/** A test account, created over HTTP like any client's. */
export interface Tenant {
  canary: string
  token: string
  key: string
  cookies: Map<string, string>
  /** Text from its answers by member name, by URL parameter, and ids by prefix. */
  seen: Map<string, string[]>
}

/** Sellers of the sandbox marketplaces, one for each tenant. */
const shops = [
  { ebay: 'vintage_vera', etsy: 'VintageVeraShop' },
  { ebay: 'camera_carl', etsy: 'KyotoKanaCrafts' },
  { ebay: 'empty_eve', etsy: 'EmptyEveShop' },
]

const password = 'paper lantern 42'

/** Registers an account with an address, an API key and its shops. Throws if the server refuses a documented call. */
export async function createTenant(url: string, place: number): Promise<Tenant> {
  const canary = `Tn${place}${randomBase62(10)}`
  const call = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const { token, user } = await call('POST', '/api/auth/register/email/', {
    ...{ email: `${canary}@example.com`.toLowerCase(), password, password_confirm: password, full_name: canary },
  })
  const bearer = { authorization: `Bearer ${token}` }
  const scopes = ['inventory:read', 'inventory:write', 'listings:write', 'imports:run', 'platforms:read', 'usage:read']
  const { key } = await call('POST', '/api/v1/api-keys/', { name: canary, scopes }, bearer)
  const address = {
    full_name: canary,
    line1: `${canary} Street`,
    city: 'Troy',
    region: 'NY',
    postal_code: '12180',
    country: 'US',
  }
  await call('PUT', '/api/v1/user/address/', address, bearer)
  const policies = 'https://example.invalid/policies'
  const settings = { default_currency: 'USD', shipping_policy_url: policies, returns_policy_url: policies }
  await call('PUT', '/api/v1/user/settings/', settings, bearer)
  const tenant: Tenant = { canary, token: String(token), key: String(key), cookies: new Map(), seen: new Map() }
  for (const slug of ['ebay', 'etsy'] as const) {
    const { connection_url } = await call('POST', `/api/v1/platforms/${slug}/connect/`, undefined, bearer)
    await connect(String(connection_url), String(token), slug, shops[place % shops.length]![slug])
  }
  remember(tenant, JSON.stringify(await call('GET', '/api/v1/seller-accounts/', undefined, bearer)))
  remember(tenant, JSON.stringify(user))
  return tenant
}

/** Consents as a seller. A shop of the tenant's earlier account stays with that account. */
async function connect(connectionUrl: string, token: string, slug: 'ebay' | 'etsy', seller: string): Promise<void> {
  const opened = await fetch(connectionUrl, { redirect: 'manual', headers: { cookie: `hapax-app=${token}` } })
  const location = opened.headers.get('location')
  if (!location) throw new Error(`connecting answered ${opened.status}`)
  const back = await (slug === 'ebay' ? consentOnEbay : consentOnEtsy)(location, seller)
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  await fetch(back, { redirect: 'manual', headers: { cookie } })
}

/** Removes ids that no longer exist. */
export function forget(tenant: Tenant, ids: Record<string, string>): void {
  for (const id of Object.values(ids)) {
    const known = tenant.seen.get(id.slice(0, 4))
    if (known?.includes(id)) known.splice(known.indexOf(id), 1)
  }
}

const mostSeen = 100

/** Records the text of an answer for later requests. */
export function remember(tenant: Tenant, text: string): void {
  const keep = (name: string, value: string) => {
    const list = tenant.seen.get(name) ?? []
    if (list.includes(value)) return
    if (list.length >= mostSeen) list.shift()
    list.push(value)
    tenant.seen.set(name, list)
  }
  for (const id of text.match(idPattern) ?? []) keep(id.slice(0, 4), id)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return
  }
  const visit = (value: unknown, name: string) => {
    if (typeof value === 'string' && value.length <= 3_000) {
      keep(name.replace(/^next_/, ''), value)
      if (URL.canParse(value)) for (const [parameter, one] of new URL(value).searchParams) keep(parameter, one)
    } else if (value !== null && typeof value === 'object') {
      for (const [member, one] of Object.entries(value)) visit(one, Array.isArray(value) ? name : member)
    }
  }
  visit(body, '')
}
