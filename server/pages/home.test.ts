import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false })
})
afterAll(() => server?.close())

const page = async (path: string) => (await fetch(`${server.url}${path}`)).text()

it('shows sellers the product, with pictures for both widths and color schemes', async () => {
  const home = await page('/')
  const pictures = [...home.matchAll(/(?:src|srcset)="(\/assets\/[^"]+\.webp)"/g)].map(([, path]) => path!)
  expect(pictures).toHaveLength(4)
  for (const path of pictures) {
    const { status, headers } = await fetch(`${server.url}${path}`)
    expect([status, headers.get('content-type')], path).toEqual([200, 'image/webp'])
  }
})

it('names no price where nobody pays, and no marketplace that is not set up', async () => {
  const home = await page('/')
  expect(home).not.toContain('id="price"')
  expect(home.slice(home.indexOf('<main'), home.indexOf('</main>'))).not.toMatch(/eBay|Etsy/)
})

it('leaves to the status page whether the server runs', async () => {
  expect(await page('/')).not.toContain('Running')
  expect(await page('/status')).toContain('Running.')
})
