import type { Page } from 'puppeteer'
import { expect } from 'vitest'
import { waitForContentScript } from './content-script.ts'
import { type Fixture, prepareFixturesOf, signIn } from './fixture.ts'

/** The common parts of a platform's site. */
export interface AnySite {
  secrets: string[]
  close(): Promise<void>
}

/** A platform's site, our server's stand-in, and a signed-in browser with the extension. */
export interface SiteFixture<Site extends AnySite> extends Fixture<Site> {
  popup: Page
}

/** Prepares fixtures like `prepareFixturesOf`, signed in. */
export function prepareSiteFixtures<Site extends AnySite, Options>(startSite: (options?: Options) => Promise<Site>) {
  const fixtures = prepareFixturesOf(startSite)
  return {
    ...fixtures,
    async start(options?: Options): Promise<SiteFixture<Site>> {
      const fixture = await fixtures.start(options)
      return { ...fixture, popup: await signIn(fixture) }
    },
  }
}

/** Opens a page of the site in its own tab. */
export async function openPage({ chrome }: SiteFixture<AnySite>, url: string): Promise<Page> {
  const page = await chrome.newPage()
  await page.setViewport({ width: 1000, height: 640 })
  await page.goto(url)
  return page
}

/** Returns the ids of all listings on the server, with duplicates. */
export function importedIds({ hapax }: SiteFixture<AnySite>): string[] {
  return hapax.server.inventory.flatMap((item) => item.record.channel_listings ?? []).map((one) => one.listing_id)
}

/** Expects that the content script got its answer and shows nothing on this page. */
export async function expectNothingOffered(fixture: SiteFixture<AnySite>, page: Page): Promise<void> {
  await waitForContentScript(fixture, page)
  expect(await page.$('hapax-import'), page.url()).toBeNull()
}

/** Returns everything that the extension stores outside pages, as text. */
async function storedByExtension({ popup }: SiteFixture<AnySite>): Promise<string> {
  return popup.evaluate(async () => {
    const storage = Reflect.get(Reflect.get(globalThis, 'chrome'), 'storage')
    const databases = await indexedDB.databases()
    const rows = await Promise.all(
      databases.map(
        ({ name }) =>
          new Promise<unknown[]>((resolve, reject) => {
            const opening = indexedDB.open(name!)
            opening.onerror = () => reject(opening.error)
            opening.onsuccess = async () => {
              const tables = [...opening.result.objectStoreNames]
              const transaction = opening.result.transaction(tables)
              const all = tables.map(
                (table) =>
                  new Promise((done) => {
                    const getting = transaction.objectStore(table).getAll()
                    getting.onsuccess = () => done(getting.result)
                  }),
              )
              resolve(await Promise.all(all))
              opening.result.close()
            }
          }),
      ),
    )
    return JSON.stringify([await storage.local.get(), rows])
  })
}

/** Expects no cookie or token of the platform in requests to the server or in the extension's storage. */
export async function expectNothingSecretLeft(fixture: SiteFixture<AnySite>): Promise<void> {
  const sent = JSON.stringify(fixture.hapax.server.requests)
  const stored = await storedByExtension(fixture)
  for (const secret of fixture.site.secrets) {
    expect(sent).not.toContain(secret)
    expect(stored).not.toContain(secret)
  }
  expect(fixture.hapax.server.requests.filter((request) => request.headers.cookie)).toEqual([])
}
