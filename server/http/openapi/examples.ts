interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  format?: string
  pattern?: string
  minLength?: number
  minimum?: number
  propertyNames?: Schema
}

type Schemas = Record<string, Schema>

/** Values by member name, in sentences and forms that a seller would use. */
const byName: Readonly<Record<string, unknown>> = {
  ...{ brand: 'Pendleton', title: 'Green wool coat', sku: 'COAT-17', description: 'Warm, with a lining of silk.' },
  ...{ label: 'Used, good', notes: 'A small mend at the left cuff.', category: 'Coats', size: 'M', material: 'Wool' },
  ...{ price_minor: 8_500, currency: 'USD', price: '85.00', colors: 'green', default_currency: 'USD' },
  ...{ email: 'seller@example.com', full_name: 'Ada Seller', username: 'ada', phone_number: '4155550123' },
  ...{ password: 'paper lantern 42', password_confirm: 'paper lantern 42', new_password: 'paper lantern 43' },
  ...{ new_password_confirm: 'paper lantern 43', current_password: 'paper lantern 42', dial_code: '+1' },
  ...{ images: 'https://pictures.example.com/coat-1.jpg', image: 'https://pictures.example.com/coat-1.jpg' },
  ...{ platform: 'ebay', marketplace: 'ebay', slug: 'ebay', platforms: 'ebay', channel: 'ebay' },
  ...{ line1: '12 Main Street', city: 'Portland', region: 'OR', postal_code: '97201', country: 'US' },
  ...{ phone: '+14155550123', name: 'Warehouse', code: '123456', isbn: '9780306406157', event_types: 'sale.recorded' },
  ...{ listing_id: '110552301234', listing_url: 'https://www.ebay.com/itm/110552301234' },
  ...{ url: 'https://www.ebay.com/itm/110552301234', detail: 'Done.', country_code: '+1', weight_grams: 900 },
}

/** Bodies that their schemas alone do not give. */
const bodies: Readonly<Record<string, unknown>> = {
  createInventoryItem: {
    ...{ title: 'Green wool coat', sku: 'COAT-17', description: 'Warm, with a lining of silk.' },
    images: ['https://pictures.example.com/coat-1.jpg', 'https://pictures.example.com/coat-2.jpg'],
    condition: { label: 'Used, good', notes: 'A small mend at the left cuff.' },
    offer: { price_minor: 8_500, currency: 'USD' },
    attributes: { brand: 'Pendleton', size: 'M', colors: ['green'] },
  },
  updateInventoryItem: { version: 3, offer: { price_minor: 7_900 }, update_listings: ['ebay'] },
  updateListing: { fields: ['title', 'images'] },
  exportItems: { uids: ['inv_0195a7c2Kx4mPq8TzB6wNf', 'inv_0195a7c2Lm9sRt3VyC7xQh'] },
  importInventory:
    'sku,title,price,currency,condition,images\nCOAT-17,Green wool coat,85.00,USD,Used,https://pictures.example.com/coat-1.jpg\n',
  reauthenticate: { password: 'paper lantern 42' },
  logInBySecondFactor: { signin_token: 'hpxs_0195a7c2Kx4mPq8TzB6wNf', code: '123456' },
  createWebhook: { url: 'https://example.com/hooks/hapax', event_types: ['sale.recorded', 'item.deleted'] },
  bulkList: {
    items: [
      { uid: 'inv_0195a7c2Kx4mPq8TzB6wNf', options: { etsy: { taxonomy_id: '1627', who_made: 'i_did' } } },
      { uid: 'inv_0195a7c2Lm9sRt3VyC7xQh', options: { ebay: { category_id: '57988' } } },
    ],
    platforms: ['ebay', 'etsy'],
    options: { etsy: { when_made: '2020_2026' } },
  },
  putWebPush: {
    endpoint: 'https://fcm.googleapis.com/wp/4f6a2c',
    keys: {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  },
  createApiKey: { name: 'Warehouse', scopes: ['inventory:read', 'listings:write'] },
}

/** Returns an example of a request's body: the members that are required. */
export function exampleBody(operationId: string, schema: unknown, schemas: unknown): unknown {
  if (Object.hasOwn(bodies, operationId)) return bodies[operationId]
  return exampleOf(schema as Schema, '', { schemas: schemas as Schemas, isRequest: true, depth: 0 })
}

/** Returns an example of an answer, with all of its members. */
export function exampleAnswer(schema: unknown, schemas: unknown): unknown {
  return exampleOf(schema as Schema, '', { schemas: schemas as Schemas, isRequest: false, depth: 0 })
}

interface Context {
  schemas: Schemas
  isRequest: boolean
  depth: number
}

function exampleOf(given: Schema, name: string, context: Context): unknown {
  const schema = given.$ref ? (context.schemas[given.$ref.split('/').at(-1)!] ?? {}) : given
  const inner = { ...context, depth: context.depth + 1 }
  if (schema.const !== undefined) return schema.const
  const options = schema.anyOf ?? schema.oneOf
  if (options) return exampleOf(options.find(({ type }) => type !== 'null') ?? {}, name, inner)
  if (schema.allOf?.length && !schema.properties && !schema.type) return exampleOf(schema.allOf[0]!, name, inner)
  if (schema.enum) return schema.enum.includes(byName[name]) ? byName[name] : schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type
  if (type === 'array') return schema.items ? [exampleOf(schema.items, name, inner)] : []
  if (type === 'object' || schema.properties) return objectOf(schema, inner)
  const named = byName[name]
  if (type === 'string') return stringOf(schema, name, typeof named === 'string' ? named : undefined)
  if (type === 'integer' || type === 'number')
    return typeof named === 'number' ? named : Math.max(1, schema.minimum ?? 1)
  return type === 'boolean' ? true : null
}

function objectOf(schema: Schema, context: Context): object {
  const members = Object.entries(schema.properties ?? {})
  const shown = context.isRequest ? members.filter(([name]) => schema.required?.includes(name)) : members
  if (context.depth > 12) return {}
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member, name, context)]))
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T09:26:53.000Z',
  date: '2026-03-14',
  uuid: '4f6a2d1c-7a51-4b6e-9a3e-2f1f0c5b7d10',
  uri: 'https://example.com/',
  email: 'seller@example.com',
}

function stringOf(schema: Schema, name: string, named: string | undefined): string {
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) =>
    pattern ? [new RegExp(`${pattern}`, 'u')] : [],
  )
  const prefix = /^\^?([a-z]{3}_)/.exec(schema.pattern ?? schema.allOf?.[0]?.pattern ?? '')?.[1]
  const id = prefix && `${prefix}${'0195a7c2Kx4mPq8TzB6wNf'.slice(0, 22)}`
  const candidates = [
    named,
    byFormat[schema.format ?? ''],
    id,
    name === 'uid' ? 'inv_0195a7c2Kx4mPq8TzB6wNf' : undefined,
  ]
  const fits = (text: string | undefined): text is string =>
    text !== undefined && text.length >= (schema.minLength ?? 0) && patterns.every((pattern) => pattern.test(text))
  const simple = ['text', '1', '123456', 'EBAY_US', 'a'.repeat(schema.minLength ?? 1), '2026-03-14', '+14155550123']
  return [...candidates, ...simple].find(fits) ?? 'text'
}
