import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Listing, ListingFailure } from '#shared/listing.ts'
import { findPlatform } from '#shared/platforms.ts'
import { ebay } from './ebay/testing/compliance-subject.ts'
import { PlatformError, type PlatformFailure } from './errors.ts'
import { etsy } from './etsy/testing/compliance-subject.ts'
import type { ListingPage, ShopAccess, TokenGrant } from './port.ts'
import type { ComplianceFault, ComplianceRun, ComplianceSubject } from './testing/compliance.ts'

/*
 * Guarantees of every adapter. A platform takes part with a ComplianceSubject. Each test uses real HTTP between the
 * adapter and a fake platform.
 */
const subjects: ComplianceSubject[] = [ebay, etsy]

/** Longer than any answer takes. Slow ones are for the impatient adapter. */
const timeoutMs = 300_000

describe.each(subjects)('the adapter of $slug', (subject) => {
  let run: ComplianceRun
  const thrown: unknown[] = []
  const tokens: string[] = []

  beforeAll(async () => {
    run = await subject.start({ fetch, timeoutMs })
  })
  afterEach(() => run.clearFaults())
  afterAll(() => run.close())

  /** Returns the error of a rejected promise, and records it for the test about secrets. */
  async function errorOf(promise: Promise<unknown>): Promise<PlatformError> {
    const error = await promise.then(
      () => new Error('It succeeded.'),
      (reason: unknown) => reason,
    )
    thrown.push(error)
    if (error instanceof PlatformError) return error
    throw error
  }

  async function codeOf(seller: string): Promise<{ code: string; codeVerifier: string | null }> {
    // The verifier and S256 challenge of RFC 7636, appendix B.
    const codeVerifier = run.adapter.oauth.pkce ? 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' : null
    const codeChallenge = run.adapter.oauth.pkce ? 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' : null
    const url = run.adapter.oauth.authorizeUrl({ state: 's', redirectUri: run.redirectUri, codeChallenge })
    const back = new URL(await run.consent(url, seller, 'agree'))
    return { code: back.searchParams.get('code')!, codeVerifier }
  }

  async function connect(seller: string): Promise<TokenGrant & { refresh_token: string }> {
    const { code, codeVerifier } = await codeOf(seller)
    const grant = await run.adapter.oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier })
    tokens.push(code, grant.access_token, grant.refresh_token!)
    return { ...grant, refresh_token: grant.refresh_token! }
  }

  async function accessOf(seller: string): Promise<ShopAccess> {
    const { access_token: accessToken } = await connect(seller)
    return { accessToken, shop: await run.adapter.oauth.identify(accessToken) }
  }

  /** Reads all pages of an import, and calls `between` after each. */
  async function readAll(
    access: ShopAccess,
    states: Parameters<typeof run.adapter.imports.readPage>[1]['states'] = ['active'],
    between: (page: ListingPage, number: number) => void = () => {},
  ): Promise<ListingPage[]> {
    const pages: ListingPage[] = []
    let cursor: string | null = null
    do {
      const page: ListingPage = await run.adapter.imports.readPage(access, { states, cursor })
      pages.push(page)
      between(page, pages.length)
      cursor = page.nextCursor
    } while (cursor !== null && pages.length < 1_000)
    return pages
  }
  const listingsOf = (pages: ListingPage[]) => pages.flatMap((page) => page.listings)
  const idsOf = (pages: ListingPage[]) =>
    pages.flatMap((page) => [...page.listings, ...page.failures]).map((entry) => entry.listing_id)

  describe('signing in', () => {
    it('matches the catalog and names https policy pages', () => {
      const entry = findPlatform(subject.slug)
      expect(run.adapter.slug).toBe(entry?.slug)
      expect(run.adapter.imports.states).toEqual(entry?.import_states)
      for (const url of Object.values(run.adapter.policyUrls)) expect(new URL(url).protocol).toBe('https:')
    })

    it('puts the state but no secret into the authorization URL', () => {
      const url = run.adapter.oauth.authorizeUrl({ state: 'a&b="c"', redirectUri: run.redirectUri, codeChallenge: 'x' })
      expect(new URL(url).searchParams.get('state')).toBe('a&b="c"')
      expect(url).not.toContain(run.clientSecret)
      expect(new URL(url).searchParams.has('code_challenge')).toBe(run.adapter.oauth.pkce)
    })

    it('exchanges codes for tokens that identify the same shop', async () => {
      const first = await connect(run.sellers.busy)
      const second = await connect(run.sellers.busy)
      expect(first.expires_in_seconds).toBeGreaterThan(60)
      expect(first.scopes.length).toBeGreaterThan(0)
      const shop = await run.adapter.oauth.identify(first.access_token)
      expect(shop.external_name).toBe(run.sellers.busy)
      expect(URL.canParse(shop.url)).toBe(true)
      expect(await run.adapter.oauth.identify(second.access_token)).toEqual(shop)
      const other = await run.adapter.oauth.identify((await connect(run.sellers.small)).access_token)
      expect(other.external_id).not.toBe(shop.external_id)
    })

    it('returns no code when the seller declines', async () => {
      const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
      const url = run.adapter.oauth.authorizeUrl({ state: 'kept', redirectUri: run.redirectUri, codeChallenge })
      const { searchParams } = new URL(await run.consent(url, run.sellers.busy, 'decline'))
      expect([searchParams.get('state'), searchParams.has('code'), searchParams.has('error')]).toEqual([
        'kept',
        false,
        true,
      ])
    })

    it('exchanges a code only once', async () => {
      const { code, codeVerifier } = await codeOf(run.sellers.small)
      const exchange = () => run.adapter.oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier })
      tokens.push((await exchange()).access_token)
      expect((await errorOf(exchange())).failure).toBe('reconnect')
    })

    it('refreshes repeatedly with the newest refresh token', async () => {
      const first = await connect(run.sellers.small)
      const second = await run.adapter.oauth.refresh(first.refresh_token)
      const third = await run.adapter.oauth.refresh(second.refresh_token ?? first.refresh_token)
      tokens.push(second.access_token, third.access_token)
      expect(third.access_token).not.toBe(second.access_token)
      expect((await run.adapter.oauth.identify(third.access_token)).external_name).toBe(run.sellers.small)
    })

    it('reports an expired access token and works after a refresh', async () => {
      const { access_token, refresh_token } = await connect(run.sellers.small)
      const shop = await run.adapter.oauth.identify(access_token)
      run.expireAccess(run.sellers.small)
      const access = { accessToken: access_token, shop }
      expect((await errorOf(readAll(access))).failure).toBe('unauthorized')
      expect((await errorOf(run.adapter.oauth.identify(access_token))).failure).toBe('unauthorized')
      const refreshed = await run.adapter.oauth.refresh(refresh_token)
      expect(idsOf(await readAll({ shop, accessToken: refreshed.access_token }))).toHaveLength(
        run.activeListings(run.sellers.small).length,
      )
    })

    it('requires a reconnection after the consent is withdrawn', async () => {
      const grant = await connect(run.sellers.empty)
      run.revoke(run.sellers.empty)
      expect((await errorOf(run.adapter.oauth.refresh(grant.refresh_token))).failure).toBe('reconnect')
      expect((await errorOf(run.adapter.oauth.identify(grant.access_token))).failure).toBe('unauthorized')
    })

    it('rejects made-up tokens', async () => {
      expect((await errorOf(run.adapter.oauth.identify('made-up'))).failure).toBe('unauthorized')
      expect((await errorOf(run.adapter.oauth.refresh('made-up'))).failure).toBe('reconnect')
    })

    it.each<[ComplianceFault, PlatformFailure]>([
      ['http_500', 'unavailable'],
      ['html_body', 'unavailable'],
      ['fail_before', 'unavailable'],
      ['fail_after', 'unavailable'],
      ['cut', 'unavailable'],
      ['slow', 'unavailable'],
      ['rate_limit', 'rate_limited'],
    ])('classifies "%s" on token and identity calls as %s', async (kind, failure) => {
      const { access_token, refresh_token } = await connect(run.sellers.small)
      const { oauth } = kind === 'slow' ? run.impatient : run.adapter
      run.fault('token', kind, 1)
      expect((await errorOf(oauth.refresh(refresh_token))).failure).toBe(failure)
      run.fault('identity', kind, 1)
      expect((await errorOf(oauth.identify(access_token))).failure).toBe(failure)
      expect((await run.adapter.oauth.identify(access_token)).external_name).toBe(run.sellers.small)
    })
  })

  describe('reading a shop', () => {
    it('reads every active listing once and exactly', async () => {
      const truth = run.activeListings(run.sellers.busy)
      const pages = await readAll(await accessOf(run.sellers.busy))
      expect(pages.length).toBeGreaterThan(1)
      expect(idsOf(pages).toSorted()).toEqual(truth.map((listing) => listing.listing_id).toSorted())
      expect(pages[0]?.total).toBe(truth.length)
      const readable = truth.filter((listing) => !listing.isUnreadable)
      const read = listingsOf(pages).map(({ listing_id, title, price_minor, currency, sku, images, quantity }) => ({
        listing_id,
        title,
        price_minor,
        currency,
        sku: sku ?? null,
        images,
        quantity: quantity ?? 1,
        isUnreadable: false,
      }))
      const byId = (a: { listing_id: string }, b: { listing_id: string }) => (a.listing_id < b.listing_id ? -1 : 1)
      expect(read.toSorted(byId)).toEqual(readable.toSorted(byId))
      expect(listingsOf(pages).every((listing) => listing.state === 'available')).toBe(true)
    })

    it('returns pages that the shared schemas accept', async () => {
      for (const page of await readAll(await accessOf(run.sellers.busy), run.adapter.imports.states)) {
        for (const listing of page.listings) Listing.parse(JSON.parse(JSON.stringify(listing)))
        for (const failure of page.failures) ListingFailure.parse(JSON.parse(JSON.stringify(failure)))
      }
    })

    it('returns the same page for the same cursor', async () => {
      const access = await accessOf(run.sellers.small)
      const read = () => run.adapter.imports.readPage(access, { states: ['active'], cursor: null })
      expect(await read()).toEqual(await read())
    })

    it('reads an empty shop as empty', async () => {
      const pages = await readAll(await accessOf(run.sellers.empty), run.adapter.imports.states)
      expect(idsOf(pages)).toEqual([])
      expect(pages.at(0)?.total).toBe(0)
    })

    it('never reads sold listings as available', async () => {
      const pages = await readAll(await accessOf(run.sellers.busy), ['sold'])
      expect(idsOf(pages).toSorted()).toEqual(run.soldIds(run.sellers.busy).toSorted())
      expect(listingsOf(pages).every(({ state, quantity }) => state === 'sold' && quantity === 0)).toBe(true)
    })

    it('reads all states in one import', async () => {
      const active = run.activeListings(run.sellers.busy).map((listing) => listing.listing_id)
      const ids = new Set(idsOf(await readAll(await accessOf(run.sellers.busy), run.adapter.imports.states)))
      for (const id of [...active, ...run.soldIds(run.sellers.busy)]) expect(ids).toContain(id)
    })

    it('misses nothing when listings sell during an import', async () => {
      const own = await subject.start({ fetch, timeoutMs })
      try {
        const before = own.activeListings(own.sellers.busy).map((listing) => listing.listing_id)
        const url = own.adapter.oauth
        const code = new URL(
          await own.consent(
            url.authorizeUrl({
              state: 's',
              redirectUri: own.redirectUri,
              codeChallenge: url.pkce ? 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM' : null,
            }),
            own.sellers.busy,
            'agree',
          ),
        ).searchParams.get('code')!
        const codeVerifier = url.pkce ? 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk' : null
        const grant = await url.exchangeCode({ code, redirectUri: own.redirectUri, codeVerifier })
        const access = { accessToken: grant.access_token, shop: await url.identify(grant.access_token) }
        const seen = new Set<string>()
        let cursor: string | null = null
        let pages = 0
        do {
          const page: ListingPage = await own.adapter.imports.readPage(access, { states: ['active'], cursor })
          for (const id of idsOf([page])) seen.add(id)
          pages++
          // Sell listings that were read, so that unread ones move forward, and add a new one.
          if (pages < 4) for (const { listing_id } of page.listings.slice(0, 7 * pages)) own.sell(listing_id)
          if (pages < 4) own.add(own.sellers.busy, `New while importing ${pages}`)
          cursor = page.nextCursor
        } while (cursor !== null)
        expect(before.filter((id) => !seen.has(id))).toEqual([])
      } finally {
        await own.close()
      }
    })

    it('returns a failure for a listing that was deleted meanwhile', async () => {
      const access = await accessOf(run.sellers.small)
      const gone = run.add(run.sellers.small, 'Soon gone')
      const [first] = run.activeListings(run.sellers.small)
      expect(await run.adapter.imports.readOne(access, first!.listing_id)).toMatchObject({ title: first!.title })
      run.remove(gone)
      const result = await run.adapter.imports.readOne(access, gone)
      expect(result).toMatchObject({ listing_id: gone, error_code: 'fetch_failed' })
    })

    it('reads a page with a listing that always fails', async () => {
      const access = await accessOf(run.sellers.small)
      const [, poisoned] = run.activeListings(run.sellers.small)
      run.poison(poisoned!.listing_id)
      const pages = await readAll(access)
      expect(pages.flatMap((page) => page.failures)).toMatchObject([
        { listing_id: poisoned!.listing_id, error_code: 'fetch_failed' },
      ])
      expect(listingsOf(pages)).toHaveLength(run.activeListings(run.sellers.small).length - 1)
    })

    it.each<[ComplianceFault, PlatformFailure]>([
      ['http_500', 'unavailable'],
      ['html_body', 'unavailable'],
      ['fail_before', 'unavailable'],
      ['fail_after', 'unavailable'],
      ['cut', 'unavailable'],
      ['slow', 'unavailable'],
      ['rate_limit', 'rate_limited'],
      ['token_invalid', 'unauthorized'],
    ])('classifies "%s" on a page as %s and can read it again', async (kind, failure) => {
      const access = await accessOf(run.sellers.small)
      const read = ({ imports } = run.adapter) => imports.readPage(access, { states: ['active'], cursor: null })
      const reader = kind === 'slow' ? run.impatient : run.adapter
      run.fault('list', kind, 1)
      const error = await errorOf(read(reader))
      expect(error).toMatchObject({ failure, platform: subject.slug })
      expect(error.retryable).toBe(failure !== 'unauthorized')
      run.fault('item', kind, Number.POSITIVE_INFINITY, 3)
      if (kind === 'rate_limit' && subject.readsDetailsLater) {
        const unread = (await read(reader)).listings.filter(({ details_unread }) => details_unread)
        expect(unread).toHaveLength(run.activeListings(run.sellers.small).length - 3)
      } else {
        expect((await errorOf(read(reader))).failure).toBe(failure)
      }
      run.clearFaults()
      expect(idsOf([await read()])).toHaveLength(run.activeListings(run.sellers.small).length)
    })

    it('recovers from a single failure of a listing', async () => {
      const access = await accessOf(run.sellers.small)
      run.fault('item', 'http_500', 1, 2)
      const pages = await readAll(access)
      expect(listingsOf(pages)).toHaveLength(run.activeListings(run.sellers.small).length)
    })

    it('reads the ids of all active listings', async () => {
      for (const seller of [run.sellers.busy, run.sellers.empty]) {
        const access = await accessOf(seller)
        const ids: string[] = []
        let cursor: string | null = null
        do {
          const page: { ids: string[]; nextCursor: string | null } = await run.adapter.imports.readLiveIds!(
            access,
            cursor,
          )
          ids.push(...page.ids)
          cursor = page.nextCursor
        } while (cursor !== null)
        expect(ids.toSorted()).toEqual(
          run
            .activeListings(seller)
            .filter(({ quantity }) => quantity > 0)
            .map(({ listing_id }) => listing_id)
            .toSorted(),
        )
      }
    })

    it('rejects a foreign cursor', async () => {
      const access = await accessOf(run.sellers.small)
      for (const cursor of ['', 'nonsense', '{}', '[]', 'null', '{"page":-1}']) {
        expect((await errorOf(run.adapter.imports.readPage(access, { states: ['active'], cursor }))).failure).toBe(
          'malformed',
        )
      }
    })

    it('aborts with the reason of the signal', async () => {
      const access = await accessOf(run.sellers.small)
      const stop = new AbortController()
      run.fault('item', 'slow', Number.POSITIVE_INFINITY)
      const reading = run.adapter.imports.readPage(
        { ...access, signal: stop.signal },
        { states: ['active'], cursor: null },
      )
      const reason = new Error('the worker stops')
      stop.abort(reason)
      await expect(reading).rejects.toBe(reason)
    })
  })

  it('shows no token and no secret in the errors of these tests', () => {
    expect(thrown.length).toBeGreaterThan(20)
    for (const error of thrown) {
      const shown = inspect(error, { depth: 10, showHidden: true })
      for (const secret of [run.clientSecret, ...tokens]) expect(shown).not.toContain(secret)
      expect(shown).not.toContain(Buffer.from(`:${run.clientSecret}`).toString('base64').slice(4, 16))
    }
  })
})
