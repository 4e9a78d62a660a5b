import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PlatformError, type PlatformFailure } from '../errors.ts'
import { withWarnings } from '../warnings.ts'
import { createTrading, readAnswer, requestXml } from './client.ts'
import { fixtureText } from './testing/fixture.ts'

const answer = (text: string, status = 200, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers(headers),
  text,
})

function errorOf(given: ReturnType<typeof answer>): PlatformError {
  try {
    readAnswer('GetItem', given)
  } catch (error) {
    if (error instanceof PlatformError) return error
    throw error
  }
  throw new Error('It succeeded.')
}

const errors = (code: string, more = '') =>
  `<GetItemResponse><Ack>Failure</Ack><Errors><ShortMessage>No.</ShortMessage><ErrorCode>${code}</ErrorCode><SeverityCode>Error</SeverityCode>${more}</Errors></GetItemResponse>`

describe('answers of the Trading API', () => {
  it('accepts the Acks Success and Warning', () => {
    expect(readAnswer('GetItem', answer(fixtureText('get-item-fixed-price.xml')))).toHaveProperty('Item')
    expect(readAnswer('GetItem', answer(fixtureText('get-item-auction.xml')))).toHaveProperty('Item')
  })

  const warning = (code: string, words: string) =>
    `<Errors><LongMessage>${words}</LongMessage><ErrorCode>${code}</ErrorCode><SeverityCode>Warning</SeverityCode></Errors>`
  const saidIn = async (text: string) => {
    const said: string[] = []
    await withWarnings(
      (sentence) => said.push(sentence),
      async () => readAnswer('ReviseItem', answer(`<ReviseItemResponse>${text}</ReviseItemResponse>`)),
    ).catch(() => {})
    return said
  }

  it('passes on each warning, the unknown ones in eBay’s words', async () => {
    const all = [
      warning('21992', 'AutoDecline has been disabled or is no longer available.'),
      warning('21919258', 'Sie können die Steuerung nicht verwenden &amp; mehr.'),
    ]
    expect(await saidIn(`<Ack>Warning</Ack>${all.join('')}`)).toEqual([
      expect.stringMatching(/^eBay no longer declines low offers/),
      'eBay says: Sie können die Steuerung nicht verwenden & mehr. (warning 21919258)',
    ])
  })

  it('passes on warnings beside an error, and none that mean nothing', async () => {
    const redundant = warning('21917091', 'The existing price and quantity values are identical.')
    expect(await saidIn(`<Ack>Success</Ack>${redundant}`)).toEqual([])
    const error = '<Errors><ErrorCode>37</ErrorCode><SeverityCode>Error</SeverityCode></Errors>'
    expect(await saidIn(`<Ack>Failure</Ack>${error}${warning('5', 'Left out.')}`)).toEqual([
      'eBay says: Left out. (warning 5)',
    ])
  })

  it.each<[string, PlatformFailure]>([
    ['930', 'unauthorized'],
    ['931', 'unauthorized'],
    ['932', 'unauthorized'],
    ['21916984', 'unauthorized'],
    ['21917053', 'unauthorized'],
    ['518', 'rate_limited'],
    ['17', 'not_found'],
    ['10007', 'unavailable'],
    ['240', 'refused'],
    ['99999999', 'refused'],
  ])('classifies error %s in HTTP 200 as %s', (code, failure) => {
    expect(errorOf(answer(errors(code)))).toMatchObject({ failure, platformCode: code })
  })

  it('classifies a system error without a code as retryable', () => {
    const text =
      '<GetItemResponse><Ack>Failure</Ack><Errors><ErrorClassification>SystemError</ErrorClassification></Errors></GetItemResponse>'
    expect(errorOf(answer(text))).toMatchObject({ failure: 'unavailable', retryable: true })
  })

  it('classifies a partial failure by its errors, not warnings', () => {
    const error = errorOf(answer(fixtureText('failure-mixed.xml')))
    expect(error).toMatchObject({ failure: 'not_found', platformCode: '17' })
    expect(error.message).toBe(
      'eBay refused the request for the listing: Der Artikel wurde gelöscht. ' +
        'The listing was deleted, or belongs to another account. (eBay error 17)',
    )
  })

  it('gives an error about the token precedence', () => {
    const two = errors('240').replace(
      '</GetItemResponse>',
      '<Errors><ErrorCode>931</ErrorCode></Errors></GetItemResponse>',
    )
    expect(errorOf(answer(two)).failure).toBe('unauthorized')
  })

  it.each<[number, PlatformFailure]>([
    [301, 'unavailable'],
    [401, 'unauthorized'],
    [403, 'refused'],
    [404, 'not_found'],
    [408, 'unavailable'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [503, 'unavailable'],
  ])('classifies HTTP %i without XML as %s', (status, failure) => {
    expect(errorOf(answer('Error', status))).toMatchObject({ failure, platformCode: `http_${status}` })
  })

  it('trusts eBay’s XML more than the HTTP status', () => {
    expect(errorOf(answer(errors('518'), 500)).failure).toBe('rate_limited')
  })

  it('reports the Retry-After time', () => {
    expect(errorOf(answer('', 429, { 'retry-after': '15' })).retryAfterMs).toBe(15_000)
  })

  it.each([
    ['a page of HTML', '<!DOCTYPE html><html><body>Sorry<br></body></html>'],
    ['well-formed HTML', '<html><body>Sorry</body></html>'],
    ['half an answer', fixtureText('get-item-fixed-price.xml').slice(0, 1500)],
    ['nothing', ''],
  ])('classifies %s in HTTP 200 as retryable', (_, text) => {
    expect(errorOf(answer(text))).toMatchObject({ failure: 'unavailable', retryable: true })
  })

  it.each([
    ['another document', '<rss><channel/></rss>'],
    ['another call’s success', '<GetUserResponse><Ack>Success</Ack></GetUserResponse>'],
    ['no Ack', '<GetItemResponse><Item/></GetItemResponse>'],
    ['an unknown Ack', '<GetItemResponse><Ack>Perhaps</Ack></GetItemResponse>'],
    ['a failure without a reason', '<GetItemResponse><Ack>Failure</Ack></GetItemResponse>'],
  ])('classifies %s as malformed', (_, text) => {
    expect(errorOf(answer(text))).toMatchObject({ failure: 'malformed', retryable: false })
  })
})

describe('requests to the Trading API', () => {
  it('escape their values', () => {
    expect(requestXml('GetItem', { ItemID: '1</ItemID><X>&"' })).toContain(
      '<ItemID>1&#60;/ItemID&#62;&#60;X&#62;&#38;&#34;</ItemID>',
    )
  })

  it('omit undefined fields', () => {
    expect(requestXml('GetItem', { A: undefined, B: { C: undefined, D: 1 } })).toContain('<B><D>1</D></B>')
    expect(requestXml('GetItem', { A: undefined })).not.toContain('<A>')
  })
})

describe('a large answer', () => {
  const item = '<Item><A b="1">2</A><C/></Item>'
  const ask = (text: string, signal?: AbortSignal) =>
    createTrading({ apiUrl: 'https://api.example', exchange: async () => answer(text) })({
      ...{ name: 'GetItem', accessToken: 'token', fields: {}, signal },
    })
  const large = `<GetItemResponse><Ack>Success</Ack>${item.repeat(20_000)}</GetItemResponse>`

  it('is parsed on a thread of its own, whose time ends', async () => {
    expect((await ask(large)).Item).toHaveLength(20_000)
    const late = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    onTestFinished(() => late.mockRestore())
    await expect(ask(large)).rejects.toMatchObject({ failure: 'unavailable', platformCode: 'not_xml' })
    expect(await ask('<GetItemResponse><Ack>Success</Ack></GetItemResponse>')).toMatchObject({ Ack: 'Success' })
  })

  it('that is cut off is an outage', async () => {
    await expect(ask(large.slice(0, -10))).rejects.toMatchObject({ failure: 'unavailable', platformCode: 'not_xml' })
  })

  it('ends with its call', async () => {
    const leaving = new AbortController()
    const asked = ask(large, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(asked).rejects.toThrow('gone')
  })
})
