import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { connectionPages } from '#shared/contract/connections.ts'
import { contract, webhooks } from '#shared/contract/index.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { apiSurface } from './testing/api-surface.ts'

const served = apiSurface(openApiDocument({ ...contract, ...connectionPages, ...webhooks }, 'http://hapax.test'))

/** The surface that clients were built against: an operation or schema, then its facts, indented. */
function readFixture(): Map<string, string[]> {
  const surface = new Map<string, string[]>()
  for (const line of readFileSync(new URL('./fixtures/api-surface.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')) {
    if (line.startsWith(' ')) [...surface.values()].at(-1)!.push(line.slice(1))
    else surface.set(line, [])
  }
  return surface
}

/** Facts that changed on purpose since the fixture was written, each with its reason. */
const wanted: { reason: string; facts: string[] }[] = [
  {
    reason: 'Items to list may be given in `items`, with options of their own, instead of `uids`.',
    facts: [
      'POST /api/v1/inventory/bulk/list/: body json.uids! maxItems 10000',
      'POST /api/v1/inventory/bulk/list/: body json.uids! minItems 1',
      'POST /api/v1/inventory/bulk/list/: body json.uids! type "array"',
      'POST /api/v1/inventory/bulk/list/: body json.uids![] maxLength 40',
      'POST /api/v1/inventory/bulk/list/: body json.uids![] type "string"',
    ],
  },
  {
    reason: 'API keys with the scope listings:write may disconnect a shop, so the endpoint refuses a missing scope.',
    facts: ['DELETE /api/v1/seller-accounts/{uid}/: 403 wrong_credential_kind'],
  },
  {
    reason: 'A shop to reconnect is a missing prerequisite of the request (400), not a conflict.',
    facts: [
      'POST /api/v1/marketplace/import/jobs/create/: 409 reconnect_required',
      'POST /api/v1/marketplace/{platform}/import/: 409 reconnect_required',
      'POST /api/v1/inventory/{uid}/platforms/{slug}/list/: 409 reconnect_required',
      'POST /api/v1/inventory/{uid}/platforms/{slug}/price/: 409 reconnect_required',
      'GET /api/v1/inventory/{uid}/platforms/{slug}/choices/: 409 reconnect_required',
      'GET /api/v1/platforms/{slug}/choices/: 409 reconnect_required',
      'GET /api/v1/platforms/{slug}/categories/: 409 reconnect_required',
    ],
  },
  {
    reason: 'An import by the extension is not refused because another account has read the shop.',
    facts: ['POST /api/v1/extension/imports/: 409 shop_in_use'],
  },
  {
    reason: 'There are more types of events to choose from, such as item.deleted.',
    facts: [
      'POST /api/v1/webhooks/: body json.event_types anyOf maxItems 21',
      'PATCH /api/v1/webhooks/{uid}/: body json.event_types anyOf maxItems 21',
      'POST /api/v1/webhooks/{uid}/replay/: body json.event_types anyOf maxItems 21',
    ],
  },
  {
    reason: 'A listing without a price has that of the item, by the price rule of the platform.',
    facts: [
      'POST /api/v1/inventory/{uid}/platforms/{slug}/list/: body json.price! pattern "^\\\\d{1,10}(\\\\.\\\\d{1,2})?$"',
      'POST /api/v1/inventory/{uid}/platforms/{slug}/list/: body json.price! type "string"',
    ],
  },
  {
    reason: 'The eBay site is one of a closed list instead of any text.',
    facts: [
      'POST /api/v1/inventory/{uid}/platforms/{slug}/list/: body json.options.marketplace_id maxLength 50',
      'GET /api/v1/inventory/{uid}/platforms/{slug}/choices/: query marketplace_id maxLength 50',
      'GET /api/v1/platforms/{slug}/choices/: query marketplace_id maxLength 50',
      'GET /api/v1/platforms/{slug}/categories/: query marketplace_id maxLength 50',
      'GET /api/v1/platforms/{slug}/listing-defaults/: 200 json.marketplace_id maxLength 50',
      'PUT /api/v1/platforms/{slug}/listing-defaults/: body json.marketplace_id maxLength 50',
      'PUT /api/v1/platforms/{slug}/listing-defaults/: 200 json.marketplace_id maxLength 50',
    ],
  },
]

/** Pages of the server that the web app took over. No program calls pages, and links to them lead into the app. */
const takenOver = [
  'GET /connect/address/',
  'POST /connect/address/',
  'GET /connect/subscription/',
  'GET /connect/subscription/back/',
  'POST /connect/subscription/checkout/',
  'POST /connect/subscription/portal/',
  'POST /connect/confirmation/',
  'POST /connect/{slug}/',
  'POST /connect/shops/{uid}/disconnect/',
  'POST /connect/sign-out/',
]

it('keeps every operation, member, bound and error code', () => {
  const gone = [...readFixture()].flatMap(([name, facts]) => {
    if (takenOver.includes(name) && !served.has(name)) return []
    const now = new Set(served.get(name))
    return facts.filter((fact) => !now.has(fact)).map((fact) => `${name}: ${fact}`)
  })
  expect(gone.sort()).toEqual(wanted.flatMap(({ facts }) => facts).sort())
})

/** The required members of requests: every path in a fact that ends with a mark of obligation. */
const requiredOf = (facts: readonly string[]) =>
  new Set(
    facts
      .filter((fact) => /^(path|query|header|body)/.test(fact))
      .flatMap((fact) => [...fact.matchAll(/!/g)].map(({ index }) => fact.slice(0, index + 1))),
  )

it('requires nothing new in a request that clients know', () => {
  const known = readFixture()
  const added = [...served].flatMap(([name, facts]) => {
    const before = known.get(name)
    if (!before) return []
    const required = requiredOf(before)
    // Members of a new optional object may be required: clients that know nothing of it do not send it.
    const isInKnown = (member: string) => before.some((fact) => fact.startsWith(member.replace(/[. ]\w+!$/, '')))
    return [...requiredOf(facts)].filter((member) => !required.has(member) && isInKnown(member))
  })
  expect(added).toEqual([])
})
