import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Parameter } from './document.ts'
import { bodyText, type Draft, sentOf } from './draft.ts'
import { pick } from './values.ts'

/** Inputs of a mutation. */
export interface Chance {
  random(): number
  /** Ids of another tenant by prefix. */
  foreign: ReadonlyMap<string, readonly string[]>
}

/** Values as JSON text, because JSON.stringify cannot produce all of them. */
const hostileValues = [
  ...['null', 'true', '0', '-0', '-1', '1e308', '1e999', '-1e-999', '12345678901234567890', '0.1', '2147483648'],
  ...['[]', '{}', '[[]]', '[null]', '""', '" "', '"a"', '{"$gt":""}', '{"__proto__":{"a":1}}', '["a","a"]'],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff\\ud800"', '"\\ufeff"', '"\\u202e"', '"e\\u0301"'],
  ...['"\\r\\nBcc: x@example.com"', '"NaN"', '"1e5"', '"0x10"', '"\u0664\u0661\u0665"', '"2020-13-45T99:99:99Z"'],
  ...[
    '"-271821-04-20"',
    '"275760-09-14T00:00:00Z"',
    '"0000-00-00"',
    '"9999-12-31"',
    '"1970-01-01T00:00:00.123456789+14:00"',
  ],
  ...["\"' or '1'='1\"", '"$1 $<x> $(user_id) $/x/"', '"%_\\\\"', '"../../etc/passwd"', '"{{7*7}}"'],
  ...['"http://169.254.169.254/"', '"http://[::1]:1/"', '"https://user:pass@x.invalid/"', '"javascript:alert(1)"'],
  ...['"https://x.invalid:99999/"', '"https://xn--/"', '"https://x.invalid/%ff%00"', '"//x.invalid"'],
  JSON.stringify('x'.repeat(70_000)),
  JSON.stringify('\u{1f600}'.repeat(300)),
  JSON.stringify('\u0001'.repeat(2_000)),
  `[${'1,'.repeat(3_000)}1]`,
]

const hostileSegments = [
  ...['', '.', '..', '%2e%2e', '%2f', '%00', '%ff', '%zz', '%', '%e2%82', '%ud800', 'null', '0', '-1', '1e9'],
  ...['%F0%9F%98%80', "'%20or%20'1'='1", '__proto__', 'constructor', 'x'.repeat(5_000), ';a=b', '%0d%0aX-A:%20b'],
]

const hostileQuery = [
  ...hostileSegments,
  ...[
    '+',
    '%20',
    '1',
    '-1',
    '0',
    '1.5',
    '99999999999999999999',
    '1e3',
    '%00',
    '%c0%af',
    '%ed%a0%80',
    'a&b',
    '[]',
    '%26',
  ],
  ...['true', 'eyJhIjoxfQ', 'W10', 'AAAA', 'bnVsbA', 'MTAwMDAwMDAwMDAwMDAw', '2020-01-01T00:00:00Z', 'x'.repeat(4_000)],
]

const hostileHeaders = [
  '',
  ' ',
  '*',
  '"1"',
  'W/"1"',
  '-1',
  'NaN',
  '\u00e9\u00ff',
  '0x1',
  ',,,',
  '\t',
  'x'.repeat(3_000),
  "'",
  '"',
  '\\',
]

type Mutation = (draft: Draft, chance: Chance) => void

/** A place in a JSON value. */
type Place = [holder: Record<string, unknown>, key: string]

function placesOf(value: unknown, found: Place[] = []): Place[] {
  if (value === null || typeof value !== 'object') return found
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key])
    placesOf((value as Record<string, unknown>)[key], found)
  }
  return found
}

/** Replaces a member by JSON text. */
function write(draft: Draft, [holder, key]: Place, json: string): void {
  const before = holder[key]
  holder[key] = 'PUT HERE'
  const text = bodyText(draft)
  const marker = draft.operation.body?.type === 'application/json' ? '"PUT HERE"' : 'PUT+HERE'
  const value = marker === 'PUT+HERE' ? encodeURIComponent(json).replaceAll('%22', '') : json
  draft.bytes = Buffer.from(text.replace(marker, () => value))
  holder[key] = before
  try {
    draft.body = JSON.parse(draft.bytes.toString())
  } catch {
    draft.isBodyAsWritten = false
  }
}

const ofBody: Record<string, Mutation> = {
  'a hostile value': (draft, { random }) =>
    write(draft, pick(random, placesOf(draft.body)), pick(random, hostileValues)),
  'a member missing': (draft, { random }) => {
    const [holder, key] = pick(random, placesOf(draft.body))
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  'a member of another type': (draft, { random }) => {
    const [holder, key] = pick(random, placesOf(draft.body))
    const value = holder[key]
    holder[key] = typeof value === 'string' ? pick(random, [1, [value], { value }, false]) : String(value)
  },
  'an extra member': (draft, { random }) => {
    const holders = [draft.body, ...placesOf(draft.body).map(([holder, key]) => holder[key])].filter(
      (one) => one !== null && typeof one === 'object' && !Array.isArray(one),
    ) as Record<string, unknown>[]
    const name = pick(random, ['extra', 'id', 'user_id', 'constructor', '', 'a.b', 'uid', '\u{1f600}'])
    pick(random, holders)[name] = pick(random, [1, 'x', null, {}, []])
  },
  'a text too long or too short': (draft, { random }) => {
    const texts = placesOf(draft.body).filter(([holder, key]) => typeof holder[key] === 'string')
    if (texts.length === 0) return
    const [holder, key] = pick(random, texts)
    holder[key] = pick(random, [
      '',
      'x'.repeat(10_001),
      `${holder[key]}${' '.repeat(1_001)}`,
      'é'.repeat(501),
      'x'.repeat(600_001),
    ])
  },
  'a number out of bounds': (draft, { random }) => {
    const numbers = placesOf(draft.body).filter(([holder, key]) => typeof holder[key] === 'number')
    if (numbers.length === 0) return
    const [holder, key] = pick(random, numbers)
    holder[key] = pick(random, [-1, 0.5, 2 ** 31, 2 ** 53, 2 ** 63, 1e300, -(2 ** 53), 1e-9])
  },
  'a list too long': (draft, { random }) => {
    const lists = placesOf(draft.body).filter(([holder, key]) => Array.isArray(holder[key]))
    if (lists.length === 0) return
    const [holder, key] = pick(random, lists)
    holder[key] = Array.from({ length: pick(random, [101, 1_001]) }, () => (holder[key] as unknown[])[0] ?? 'x')
  },
  'an id of another tenant in the body': (draft, { random, foreign }) => {
    // Skip free text such as a SKU, where another tenant's id would be stored and shown.
    const ids = placesOf(draft.body).filter(
      ([holder, key]) => /^[a-z]{3}_\w{22}$/.test(String(holder[key])) && (Array.isArray(holder) || /uid$/.test(key)),
    )
    if (ids.length === 0) return
    const [holder, key] = pick(random, ids)
    const others = foreign.get(String(holder[key]).slice(0, 4)) ?? []
    if (others.length > 0) holder[key] = pick(random, others)
  },
  'a body that is no JSON': (draft, { random }) => {
    const text = bodyText(draft)
    const half = text.slice(0, text.length / 2)
    draft.isBodyAsWritten = false
    draft.bytes = pick<() => Buffer>(random, [
      () => Buffer.from(half),
      () => Buffer.from(`${text}x`),
      () => Buffer.from(`\ufeff${text}`),
      () => Buffer.from(`${'['.repeat(5_000)}${']'.repeat(5_000)}`),
      () => Buffer.from(text.replace('{', '{"a":1,"a":2,')),
      () => Buffer.concat([Buffer.from(half), Buffer.from([0xff, 0xfe, 0xc0, 0x80])]),
      () => Buffer.from(text, 'utf16le'),
      () => Buffer.from(`\u0000${text}`),
      () => Buffer.from(' '.repeat(2_000)),
      () => Buffer.alloc(0),
      () => Buffer.from('null'),
      () => Buffer.from(`[${text}]`),
      () => Buffer.from("{'a':1}"),
    ])()
  },
  'another content type': (draft, { random }) => {
    draft.isBodyAsWritten = false
    const type = pick(random, [
      ...['', 'text/plain', 'application/xml', 'application/json; charset=utf-16', 'application/json; charset="', ';'],
      ...[
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
        'application/ld+json',
      ],
      ...[
        'APPLICATION/JSON',
        'application/json;charset=UTF-8',
        'application/json, application/json',
        'text/json',
        '*/*',
      ],
    ])
    draft.headers['content-type'] = type
    if (type === '') delete draft.headers['content-type']
  },
  'another encoding': (draft, { random }) => {
    const plain = Buffer.from(bodyText(draft))
    draft.isBodyAsWritten = false
    const encode = pick<() => [string, Buffer]>(random, [
      () => ['gzip', gzipSync(plain)],
      () => ['gzip', plain],
      () => ['gzip', gzipSync(plain).subarray(0, 15)],
      () => ['gzip', gzipSync(Buffer.alloc(20_000_000, ' '))],
      () => ['deflate', deflateSync(plain)],
      () => ['deflate', plain],
      () => ['br', brotliCompressSync(plain)],
      () => ['br', plain],
      () => ['identity', plain],
      () => ['zstd', plain],
      () => ['gzip, gzip', gzipSync(gzipSync(plain))],
      () => ['', plain],
      () => ['x', plain],
    ])
    const [encoding, bytes] = encode()
    draft.headers['content-encoding'] = encoding
    draft.bytes = bytes
  },
}

const ofQuery: Record<string, Mutation> = {
  'a hostile parameter': (draft, { random }) => {
    const names = draft.operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name)
    const name = pick(random, [...names, ...names, 'extra', '__proto__', '%00', '', '%ff'])
    draft.query = [...draft.query.filter(([one]) => one !== name), [name, pick(random, hostileQuery)]]
  },
  'a parameter twice': (draft, { random }) => {
    if (draft.query.length > 0) draft.query.push(pick(random, draft.query))
    else draft.query.push(['a', '1'], ['a', '2'])
  },
}

const hostilePath = (draft: Draft, random: () => number, { name }: Parameter) => {
  draft.path[name] = pick(random, hostileSegments)
}

const ofPath: Record<string, Mutation> = {
  'a hostile path value': (draft, { random }) => {
    const names = draft.operation.parameters.filter((one) => one.in === 'path')
    if (names.length > 0) hostilePath(draft, random, pick(random, names))
  },
  'an id of another tenant in the path': (draft, { random, foreign }) => {
    for (const [name, value] of Object.entries(draft.path)) {
      const others = foreign.get(value.slice(0, 4)) ?? []
      if (others.length > 0 && random() < 0.8) draft.path[name] = pick(random, others)
    }
  },
  'another path': (draft, { random }) => {
    const [path = ''] = sentOf(draft).target.split('?')
    draft.pathname = pick(random, [
      path.replace(/\/$/, ''),
      `${path}/`,
      path.replace('/', '//'),
      path.toUpperCase(),
      `${path}%2f`,
      `${path}..`,
      `${path}extra/`,
      path.replaceAll('/', '/./'),
      path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ])
  },
  'another method': (draft, { random }) => {
    draft.method = pick(random, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'])
  },
}

const ofHeaders: Record<string, Mutation> = {
  'no credential': (draft) => {
    draft.isCredentialIntact = false
    delete draft.headers.authorization
    delete draft.headers['x-api-key']
  },
  'a bad credential': (draft, { random }) => {
    draft.isCredentialIntact = false
    const { authorization, 'x-api-key': key } = draft.headers
    const secret = key ?? authorization?.slice(7) ?? 'hpxt_x'
    delete draft.headers.authorization
    delete draft.headers['x-api-key']
    Object.assign(
      draft.headers,
      pick(random, [
        { authorization: `Bearer ${secret}`, 'x-api-key': secret },
        { authorization: secret },
        { authorization: `Basic ${Buffer.from(`a:${secret}`).toString('base64')}` },
        { authorization: `Bearer ${secret.slice(0, -1)}` },
        { authorization: `Bearer ${secret}x` },
        { authorization: 'Bearer' },
        { authorization: 'Bearer \u00e9' },
        { 'x-api-key': secret.toUpperCase() },
        { 'x-api-key': '' },
        { 'x-api-key': `${secret}, ${secret}` },
      ]),
    )
  },
  'a hostile header': (draft, { random }) => {
    const own = draft.operation.parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase())
    const name = pick(random, [
      ...[...own, ...own, ...own],
      ...['accept', 'accept-language', 'user-agent', 'origin', 'referer', 'cookie', 'range', 'if-none-match'],
      ...[
        'if-match',
        'idempotency-key',
        'last-event-id',
        'x-forwarded-for',
        'x-forwarded-host',
        'x-http-method-override',
      ],
      ...['sec-fetch-site', 'x-ebay-signature', 'stripe-signature', 'webhook-signature', 'x-request-id', 'forwarded'],
    ])
    draft.headers[name] = pick(random, [...hostileHeaders, 'text/html', 'https://evil.invalid', '::1', 'bytes=0-1'])
  },
  'a foreign host': (draft, { random }) => {
    draft.headers.host = pick(random, ['evil.invalid', '', '[::1', '127.0.0.1:1', 'a b', '\u00e9'])
    draft.mayBeNoHttp = true
  },
  'headers beyond the limit': (draft) => {
    draft.headers['x-long'] = 'x'.repeat(20_000)
    draft.mayBeNoHttp = true
  },
  'an expectation': (draft, { random }) => {
    draft.headers.expect = pick(random, ['100-continue', 'x'])
    draft.mayBeNoHttp = true
  },
  'a body where none belongs': (draft, { random }) => {
    if (draft.operation.body) return
    draft.bytes = Buffer.from(pick(random, ['{}', '[]', '{"a":1}', 'x', ' ', '\u0000']))
    draft.headers['content-type'] = pick(random, ['application/json', 'text/plain', 'multipart/form-data; boundary=x'])
  },
}

/** Applies one mutation to a valid request. */
export function mutate(draft: Draft, chance: Chance): void {
  const { random } = chance
  const hasBody = draft.body !== null && typeof draft.body === 'object' && Object.keys(draft.body).length > 0
  const kinds = [ofPath, ofHeaders, ofQuery, ...(hasBody ? [ofBody, ofBody, ofBody, ofBody] : [])]
  const [name, change] = pick(random, Object.entries(pick(random, kinds)))
  change(draft, chance)
  draft.mutation = name
}
