import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { readConfig } from '#server/config.ts'
import { readCatalogue } from './catalogue.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ works: false, environment: { READING_OFF: 'poshmark<0.3.0, depop' } })
})
afterAll(() => server?.close())

async function ask(version: string) {
  const { key } = await buildAccount(server.services.db)
  const path = `/api/v1/extension/catalogue/?version=${encodeURIComponent(version)}`
  return apiOf(server.url)('GET', path, { headers: key })
}
const offFor = (version: string, READING_OFF?: string) =>
  readCatalogue(readConfig(READING_OFF === undefined ? {} : { READING_OFF }).READING_OFF, version)
    .filter(({ reading }) => !reading)
    .map(({ slug }) => slug)

describe('the catalogue of readable platforms', () => {
  it('lets every version read everything by default', () => {
    expect(offFor('0.1.0')).toEqual([])
  })

  it('turns reading off below a version, or for all versions', async () => {
    const { status, body } = await ask('0.1.0')
    expect([status, body]).toEqual([
      200,
      {
        platforms: [
          { slug: 'poshmark', reading: false, until_version: '0.3.0' },
          { slug: 'mercari', reading: true, until_version: null },
          { slug: 'depop', reading: false, until_version: null },
        ],
      },
    ])
    expect((await ask('0.3.0')).body.platforms).toMatchObject([
      { slug: 'poshmark', reading: true, until_version: null },
      { reading: true },
      { slug: 'depop', reading: false },
    ])
  })

  it.each([
    ['0.2.9', true],
    ['0.2.10', true],
    ['0.3', false],
    ['0.3.0.1', false],
    ['0.10.0', false],
    ['1', false],
  ])('version %s is below 0.3.0: %s', (version, below) => {
    expect(offFor(version, 'poshmark<0.3.0')).toEqual(below ? ['poshmark'] : [])
  })

  it.each(['', 'abc', '1.2.3.4.5', '-1'])('refuses the version %j', async (version) => {
    expect((await ask(version)).status).toBe(400)
  })

  it.each(['ebay', 'poshmark<', 'poshmark<soon', 'nowhere<1'])('refuses to start with READING_OFF=%j', (text) => {
    expect(() => readConfig({ READING_OFF: text })).toThrow('READING_OFF')
  })
})
