import { describe, expect, it } from 'vitest'
import { createHapax, HapaxError, verifyWebhook } from './index.ts'

/** A client whose requests are answered in turn; a function may throw. */
function answering(...answers: (() => Response)[]) {
  const asked: { url: string; headers: Record<string, string>; body?: string }[] = []
  const send = async (url: unknown, init?: RequestInit) => {
    asked.push({ url: String(url), headers: init?.headers as Record<string, string>, body: init?.body as string })
    return answers[asked.length - 1]!()
  }
  return {
    asked,
    hapax: createHapax({ baseUrl: 'https://hapax.test/', apiKey: 'hpxk_1', fetch: send as typeof fetch }),
  }
}
const json = (body: unknown, status = 200, headers = {}) => Response.json(body, { status, headers })
const params = { uid: 'inv_1' }

describe('the client', () => {
  it('waits as the server asks and repeats with the same key', async () => {
    const later = () => json({ code: 'rate_limited' }, 429, { 'retry-after': '0' })
    const lost = () => {
      throw new TypeError('fetch failed')
    }
    const { hapax, asked } = answering(later, lost, () => json({ uid: 'inv_1' }, 201))
    const body = { title: 'x', images: ['https://a.example/1'], condition: { label: 'x' }, offer: { price_minor: 1 } }
    expect(await hapax.call('createInventoryItem', { body })).toEqual({ uid: 'inv_1' })
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(asked[2]).toMatchObject({ url: 'https://hapax.test/api/v1/inventory/', headers: { 'x-api-key': 'hpxk_1' } })
  })

  it('repeats nothing that may have happened and has no key', async () => {
    const { hapax, asked } = answering(() => {
      throw new TypeError('fetch failed')
    })
    await expect(hapax.call('importInventory', { body: 'title\n' })).rejects.toThrow('fetch failed')
    expect(asked).toHaveLength(1)
  })

  it('throws what the server says, at once', async () => {
    const problem = { code: 'a_code_of_tomorrow', detail: 'No.', request_id: 'req_1', errors: [] }
    const { hapax, asked } = answering(() => json(problem, 409))
    const error = await hapax.call('deleteInventoryItem', { params }).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(HapaxError)
    expect(error).toMatchObject({ status: 409, code: 'a_code_of_tomorrow', message: 'No.', requestId: 'req_1' })
    expect(asked).toHaveLength(1)
  })

  it('passes on members and values that it does not know', async () => {
    const item = { uid: 'inv_1', record: { lifecycle: { state: 'lent' } }, new_member: 1 }
    const { hapax } = answering(() => json(item))
    expect(await hapax.call('getInventoryItem', { params })).toEqual(item)
  })

  it('reads all pages, by cursor and by number', async () => {
    const pages = [() => json({ results: [1, 2], next_cursor: 'c' }), () => json({ results: [3], next_cursor: null })]
    const byCursor = answering(...pages)
    const entries: unknown[] = []
    for await (const entry of byCursor.hapax.pages('listInventory', { query: { q: 'a b' } })) entries.push(entry)
    expect(entries).toEqual([1, 2, 3])
    expect(byCursor.asked[1]!.url).toContain('?q=a+b&cursor=c')
    const byNumber = answering(
      () => json({ count: 3, results: [1, 2] }),
      () => json({ count: 3, results: [3] }),
    )
    const numbered: unknown[] = []
    for await (const entry of byNumber.hapax.pages('listImportItems', { params: { uid: 'job_1' } }))
      numbered.push(entry)
    expect(numbered).toEqual([1, 2, 3])
    expect(byNumber.asked[1]!.url).toContain('page=2')
  })
})

describe('a webhook', () => {
  const secret = `whsec_${btoa('a secret of 24 characters')}`
  async function sign(body: string, timestamp = Math.floor(Date.now() / 1_000)): Promise<Record<string, string>> {
    const bytes = new TextEncoder().encode('a secret of 24 characters')
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
    const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(`evt_1.${timestamp}.${body}`))
    return {
      ...{ 'webhook-id': 'evt_1', 'webhook-timestamp': String(timestamp) },
      'webhook-signature': `v1,AAAA v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
    }
  }

  it('is accepted with one of the secrets', async () => {
    const body = '{"type":"item.created"}'
    expect(await verifyWebhook(['whsec_b2xk', secret], await sign(body), body)).toEqual({ type: 'item.created' })
    expect(await verifyWebhook(secret, new Headers(await sign(body)), new TextEncoder().encode(body))).toBeTruthy()
  })

  it('is refused when it was changed, is old or has no signature', async () => {
    const headers = await sign('{}')
    await expect(verifyWebhook(secret, headers, '{ }')).rejects.toThrow('signature')
    await expect(verifyWebhook('whsec_b2xk', headers, '{}')).rejects.toThrow('signature')
    await expect(verifyWebhook(secret, await sign('{}', 1_700_000_000), '{}')).rejects.toThrow('five minutes')
    await expect(verifyWebhook(secret, {}, '{}')).rejects.toThrow('five minutes')
  })
})
