import { type PageAnswer, ReadingStopped } from './port.ts'
import { parseJson } from './raw.ts'

/** A site as far as its refusals go. */
export interface Site {
  /** For the seller to read. */
  name: string
  /** Where its answers come from; anywhere else is where a log-out leads. */
  origins: readonly string[]
  /** Path of the sign-in page. */
  login: RegExp
}

/** Throws ReadingStopped for what is no answer to what was asked: no network, a log-out, "slow down", trouble there. */
export function refuseAnswer(site: Site, answer: PageAnswer): void {
  if (answer.status === 403 && (isChallenge(answer.text) || !isJson(answer.text))) throw challenge(site)
  if (answer.status === 0 || answer.status >= 500) {
    throw new ReadingStopped('unreachable', `${site.name} did not answer.`)
  }
  refuseStatus(site, answer.status)
  const path = pathOf(site, answer.url)
  if (path === null || site.login.test(path)) throw loggedOut(site)
}

/** Path of an address of the site, told by its beginning where it can be; null for any other address. */
function pathOf({ origins }: Site, address: string): string | null {
  const origin = origins.find((one) => address.startsWith(one) && address[one.length] === '/')
  if (origin !== undefined) return address.slice(origin.length)
  const url = URL.parse(address)
  return url && origins.includes(url.origin) ? url.pathname : null
}

/** The same for a status that an answer carries inside. */
export function refuseStatus(site: Site, status: number): void {
  if (status === 401 || status === 403 || status === 419) throw loggedOut(site)
  if (status === 429) throw new ReadingStopped('rate_limited', `${site.name} asks to go slower.`)
}

/** Pages that want proof of a person, by what their scripts are called; asked only where nothing else was understood. */
export function isChallenge(text: string): boolean {
  return /px-captcha|cf-chl|cf_chl_opt|challenge-platform|captcha-delivery|g-recaptcha|h-captcha|<title>\s*(?:Just a moment|Attention Required|Forbidden)/i.test(
    text,
  )
}

/** The site wants proof of a person, which only the seller can give. */
export function challenge(site: Site): ReadingStopped {
  return new ReadingStopped('challenge', `${site.name} wants to see that you are a person.`)
}

/** The site does not know the seller any more. */
export function loggedOut(site: Site): ReadingStopped {
  return new ReadingStopped('logged_out', `${site.name} asks you to sign in.`)
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined
}
