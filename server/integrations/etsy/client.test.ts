import { afterEach, describe, expect, it } from 'vitest'
import { PlatformError } from '../errors.ts'
import { retryAfterMs } from '../http.ts'
import { type RateLimits, rateLimitsOf } from './client.ts'
import { errorOfAnswer } from './errors.ts'
import { type RunningEtsySandbox, startEtsySandbox } from './testing/etsy-sandbox.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function start(...options: Parameters<typeof startEtsySandbox>): Promise<RunningEtsySandbox> {
  const running = await startEtsySandbox(...options)
  closing.push(() => running.sandbox.close())
  return running
}
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('an error of Etsy', () => {
  it.each([
    [400, { error: 'There was a problem with /marketplace : Oh dear' }, 'refused'],
    [401, { error: 'Access token is required for this request (requires scope: shops_r).' }, 'unauthorized'],
    [401, { error: 'invalid_token', error_description: 'access token is expired' }, 'unauthorized'],
    [403, { error: 'invalid_token', error_description: 'access token is expired' }, 'unauthorized'],
    [403, { error: 'Invalid API key' }, 'refused'],
    [401, { error: 'API key not found or not active' }, 'refused'],
    [403, { error: 'User does not own Shop 12' }, 'refused'],
    [404, { error: 'Listing not found.' }, 'not_found'],
    [409, { error: 'Conflict' }, 'refused'],
    [429, { error: 'Exceeded rate limit' }, 'rate_limited'],
    [500, { error: 'Server Error' }, 'unavailable'],
    [502, '<html>Bad gateway</html>', 'unavailable'],
    [302, '', 'unavailable'],
  ])('classifies HTTP %i with %o as %s', (status, body, failure) => {
    expect(errorOfAnswer('a call', answer(status, body)).failure).toBe(failure)
  })

  it('has Etsy’s message in one line', () => {
    const { message } = errorOfAnswer('a call', answer(400, { error: `<b>No</b>\n\n${'x'.repeat(900)}` }))
    expect(message).toMatch(/^Etsy refused a call: No x+… Check the item/)
    expect(message.length).toBeLessThan(450)
  })

  it.each([
    [
      'a list',
      [{ path: '/title/1', type: 'invalid_characters', message: 'contains invalid characters' }],
      'Etsy refused a call: title contains invalid characters. Change the title: at most 140 characters, no special signs, and each of % : & + once. (Etsy error invalid_characters, field title)',
      'invalid_characters',
      ['title/1'],
    ],
    [
      'a list of several',
      [
        { path: '/images', type: 'array_too_short', message: 'cannot be less than 1 items' },
        { path: '/when_made', type: 'invalid_enum', message: 'is not one of the allowed values' },
      ],
      'Etsy refused a call: images cannot be less than 1 items. when_made is not one of the allowed values. Add a photo as JPEG, PNG or GIF. (Etsy error array_too_short, field images)',
      'array_too_short',
      ['images', 'when_made'],
    ],
    [
      'a sentence with its field',
      { error: 'There was a problem with /price : must be above min price \u20ab4,420 VND' },
      'Etsy refused a call: price must be above min price \u20ab4,420 VND. Give the item a price within Etsy’s limits for the currency of the shop. (Etsy error price, field price)',
      'http_400',
      ['price'],
    ],
    [
      'a list in an object',
      {
        error: 'unable to update listing',
        error_list: [{ path: '/tags/0', type: 'too_long', message: 'is too long' }],
      },
      'Etsy refused a call: unable to update listing. tags is too long. Etsy takes 13 tags of at most 20 characters. (Etsy error too_long, field tags)',
      'too_long',
      ['tags/0'],
    ],
    [
      'nested objects',
      { error: { code: 'bad_value', message: 'is no number', path: '/products/0/offerings/0/price' } },
      'Etsy refused a call: products offerings price is no number. Give the item a price within Etsy’s limits for the currency of the shop. (Etsy error bad_value, field products offerings price)',
      'bad_value',
      ['products/0/offerings/0/price'],
    ],
    [
      'fields with their faults',
      { errors: { title: ['is required'] } },
      'Etsy refused a call: title is required. Change the title: at most 140 characters, no special signs, and each of % : & + once. (Etsy error title, field title)',
      'http_400',
      ['title'],
    ],
    [
      'OAuth members',
      { error: 'invalid_request', error_description: 'the code is old' },
      'Etsy refused a call: the code is old. Check the item and the shop there, then try again. (Etsy error invalid_request)',
      'invalid_request',
      [],
    ],
    [
      'escaped text',
      { error: 'Don&#39;t &amp; never' },
      "Etsy refused a call: Don't & never. Check the item and the shop there, then try again.",
      'http_400',
      [],
    ],
    [
      'plain text',
      'Missing input parameter',
      'Etsy refused a call: Missing input parameter. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'a JSON text',
      '"Server says no"',
      'Etsy refused a call: Server says no. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'an empty body',
      '',
      'Etsy gave no reason and refused a call. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'an empty list',
      '[]',
      'Etsy gave no reason and refused a call. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'an empty object',
      '{}',
      'Etsy gave no reason and refused a call. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'nulls',
      '{"error":null}',
      'Etsy gave no reason and refused a call. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
    [
      'a web page',
      '<!DOCTYPE html><html><head><title>Request blocked</title></head><body>x</body></html>',
      'Etsy gave no reason and refused a call. Check the item and the shop there, then try again.',
      'http_400',
      [],
    ],
  ])('has field, reason and code from %s', (_name, body, sentence, code, fields) => {
    const error = errorOfAnswer('a call', answer(400, body))
    expect(error).toMatchObject({ failure: 'refused', platformCode: code, fields })
    expect(error.message).toBe(sentence)
  })

  it('survives deep and long lists', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
    expect(errorOfAnswer('a call', answer(400, deep)).message).toContain('no reason')
    const long = Array.from({ length: 900 }, (_, index) => ({ path: `/tags/${index}`, message: 'is odd' }))
    const { message, fields } = errorOfAnswer('a call', answer(400, [...long, { path: '/when_made', message: 'old' }]))
    expect(message.length).toBeLessThan(450)
    expect(fields.length).toBeLessThanOrEqual(20)
  })

  it('has the wait, from seconds and from dates', () => {
    const limited = (headers: Record<string, string>) => errorOfAnswer('a call', answer(429, {}, headers)).retryAfterMs
    expect(limited({ 'retry-after': '7' })).toBe(7_000)
    expect(limited({})).toBe(null)
    const date = 'Thu, 01 Jan 2026 00:00:00 GMT'
    expect(retryAfterMs(new Headers({ date, 'retry-after': 'Thu, 01 Jan 2026 00:02:00 GMT' }))).toBe(120_000)
    expect(retryAfterMs(new Headers({ 'retry-after': 'soon' }))).toBe(null)
    expect(retryAfterMs(new Headers({ 'retry-after': '99999999' }))).toBe(86_400_000)
  })
})

describe('the client', () => {
  it('reports the limits in Etsy’s headers', async () => {
    const reported: RateLimits[] = []
    const { adapter, accessOf } = await start(
      { limits: { perSecond: 10, perDay: 10_000 } },
      { onRateLimits: (limits) => reported.push(limits) },
    )
    await adapter.oauth.identify(accessOf('VintageVeraShop').accessToken)
    expect(reported[0]).toEqual({ perSecond: 10, remainingThisSecond: 9, perDay: 10_000, remainingToday: 9_999 })
    expect(rateLimitsOf(new Headers())).toEqual({
      perSecond: null,
      remainingThisSecond: null,
      perDay: null,
      remainingToday: null,
    })
  })

  it('reads the misspelled header of Etsy’s guide', () => {
    const headers = { 'x-limit-per-second': '150', 'x-remaining-this-secon': '149' }
    expect(rateLimitsOf(new Headers(headers))).toMatchObject({ perSecond: 150, remainingThisSecond: 149 })
  })

  it('reports the wait of a rate limit', async () => {
    const now = new Date()
    const { adapter, accessOf } = await start({ limits: { perSecond: 1, perDay: 100 }, clock: () => now })
    const { accessToken } = accessOf('VintageVeraShop')
    const tries = await Promise.allSettled([1, 2, 3].map(() => adapter.oauth.identify(accessToken)))
    const refused = tries.find((result) => result.status === 'rejected')
    expect(refused?.reason).toMatchObject({ failure: 'rate_limited', retryAfterMs: 1_000, retryable: true })
  })

  it.each(['http_500', 'html_body', 'truncate', 'garbage', 'cut', 'fail_before', 'fail_after', 'drip'] as const)(
    'classifies the fault "%s" as unavailable',
    async (kind) => {
      // The others answer by themselves, however long that takes.
      const { adapter, sandbox, accessOf } = await start({}, kind === 'drip' ? { timeoutMs: 300 } : {})
      sandbox.faults.set({ call: '*', kind, times: 100, delayMs: 50 })
      const error = await adapter.imports
        .readPage(accessOf('VintageVeraShop'), { states: ['active'], cursor: null })
        .catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(PlatformError)
      expect(error).toMatchObject({ failure: 'unavailable', retryable: true })
    },
  )

  it('limits the size of an answer', async () => {
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1_000_000)) })
    const { adapter } = await start({}, { fetch: async () => new Response(endless) })
    await expect(adapter.oauth.identify('1.t')).rejects.toMatchObject({
      failure: 'malformed',
      platformCode: 'too_large',
    })
  })

  it('follows no redirect with its token', async () => {
    const modes: unknown[] = []
    const { adapter } = await start(
      {},
      {
        fetch: async (_, init) => {
          modes.push(init?.redirect)
          return new Response(null, { status: 302, headers: { location: 'https://evil.example' } })
        },
      },
    )
    await expect(adapter.oauth.identify('1.t')).rejects.toMatchObject({ failure: 'unavailable' })
    expect(modes).toEqual(['manual'])
  })
})
