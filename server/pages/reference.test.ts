import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { errorCodes } from '#shared/contract/declaring/errors.ts'
import { eventStreams } from '#shared/contract/events.ts'
import { contract } from '#shared/contract/index.ts'
import { advice } from '#shared/contract/selling/advice.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

const read = async (path: string) => (await fetch(`${server.url}${path}`)).text()
const plain = (page: string) =>
  page
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

describe('the API reference', () => {
  it('lists every endpoint, the event stream and the common rules', async () => {
    const page = await read('/docs/plain')
    for (const id of Object.keys({ ...contract, ...eventStreams })) expect(page).toContain(`<details id="${id}">`)
    expect(plain(page)).toContain('webhook-signature')
    expect(page).toContain('If-Match')
  })

  it('explains every error at the address that its problem names', async () => {
    const page = await read('/docs/errors')
    for (const code of errorCodes) {
      expect(page).toContain(`<tr id="${code}">`)
      expect(plain(page)).toContain(advice[code].replaceAll('`', ''))
    }
  })
})
