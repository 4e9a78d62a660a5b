import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    works: false,
    environment: { OPERATOR_NAME: 'Ada & Sons', OPERATOR_EMAIL: 'privacy@example.com' },
  })
})
afterAll(() => server?.close())

const page = async (path: string) => (await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })).text()

describe('the privacy page', () => {
  it('names the operator and a contact address', async () => {
    const text = await page('/privacy')
    expect(text).toContain('Ada &#38; Sons')
    expect(text).toContain('mailto:privacy@example.com')
  })
})

describe('every page', () => {
  it.each(['/', '/connect/', '/docs/plain', '/privacy', '/no-such-page'])(
    '%s shows the trademark notice that Etsy requires',
    async (path) => {
      expect((await page(path)).replace(/\s+/g, ' ')).toContain(
        "The term 'Etsy' is a trademark of Etsy, Inc. This application uses the Etsy API but is not endorsed or certified by Etsy, Inc.",
      )
    },
  )
})
