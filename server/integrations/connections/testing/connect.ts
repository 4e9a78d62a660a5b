import { load } from 'cheerio'
import type { TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { type Browser, createBrowser, type Visit } from './browser.ts'

/** Returns the single-use address that starts connecting. */
export async function startConnecting(
  serverUrl: string,
  account: Pick<TestAccount, 'bearer'>,
  slug: string,
): Promise<string> {
  const reply = await apiOf(serverUrl)('POST', `/api/v1/platforms/${slug}/connect/`, { headers: account.bearer })
  if (reply.status !== 200) throw new Error(`connect answered ${reply.status}`)
  return reply.body.connection_url
}

/** Returns a browser that is signed in to an account in the web app, so that connecting asks no question. */
export function signedInBrowser(serverUrl: string, { bearer }: Pick<TestAccount, 'bearer'>): Browser {
  const browser = createBrowser()
  const token = bearer.authorization.replace('Bearer ', '')
  browser.cookies.set(new URL(serverUrl).origin, new Map([['hapax-app', token]]))
  return browser
}

/** Goes up to the platform's redirect and returns the callback address. */
export async function authorize(
  serverUrl: string,
  account: TestAccount,
  slug: string,
): Promise<{ browser: Browser; callback: string }> {
  const browser = signedInBrowser(serverUrl, account)
  const login = await browser.get(await startConnecting(serverUrl, account, slug))
  if (login.location === null) throw new Error(`login answered ${login.status}: ${login.text}`)
  const consent = await browser.get(login.location)
  if (consent.location === null) throw new Error(`consent answered ${consent.status}`)
  return { browser, callback: consent.location }
}

/** Connects the platform's current seller to an account, as a browser would. */
export async function connectShop(serverUrl: string, account: TestAccount, slug: string): Promise<Visit> {
  const { browser, callback } = await authorize(serverUrl, account, slug)
  return browser.open(callback)
}

/** Connects a seller of a sandbox platform by its consent page, as a browser would. */
export async function connectSandboxShop(
  serverUrl: string,
  account: Pick<TestAccount, 'bearer'>,
  { slug, seller }: { slug: string; seller: string },
): Promise<Visit> {
  const browser = signedInBrowser(serverUrl, account)
  const page = await browser.open(await startConnecting(serverUrl, account, slug))
  const form = load(page.text)('form')
  const fields = Object.fromEntries(form.serializeArray().map(({ name, value }) => [name, value]))
  const choice = form
    .find('label')
    .filter((_, label) => load(label).text().startsWith(` ${seller}:`))
    .find('input')
  fields[String(choice.attr('name'))] = String(choice.val())
  const action = new URL(String(form.attr('action')), page.url).href
  const agreed = await browser.post(action, { ...fields, decision: 'agree' })
  return browser.open(agreed.location ?? '')
}

/** Returns the account's shops as the API shows them. */
export async function sellerAccounts(serverUrl: string, account: TestAccount) {
  const reply = await apiOf(serverUrl)('GET', '/api/v1/seller-accounts/', { headers: account.bearer })
  return reply.body as { uid: string; status: string; external_id: string; external_name: string; platform: string }[]
}
