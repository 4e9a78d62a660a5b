import { type PageAnswer, ReadingStopped } from './port.ts'
import { parseJson } from './raw.ts'

/** The parts of a site that identify a refusal. */
export interface Site {
  name: string
  /** Origins of valid answers. A redirect to another origin is a log-out. */
  origins: readonly string[]
  /** Matches the path of the sign-in page. */
  login: RegExp
}

/** Throws ReadingStopped on network errors, log-outs, rate limits and server errors. */
export function refuseAnswer(site: Site, answer: PageAnswer): void {
  const mayAsk = answer.status === 403 || answer.status === 503
  if (mayAsk && isChallenge(answer.text)) throw challenge(site)
  if (answer.status === 403 && !isJson(answer.text)) throw challenge(site)
  if (answer.status === 0 || answer.status >= 500) {
    throw new ReadingStopped('unreachable', `${site.name} did not answer.`)
  }
  refuseStatus(site, answer.status)
  const path = pathOf(site, answer.url)
  if (path === null || site.login.test(path)) throw loggedOut(site)
}

/** Returns the path of a URL on the site, or null. Avoids URL parsing where a prefix matches. */
function pathOf({ origins }: Site, address: string): string | null {
  const origin = origins.find((one) => address.startsWith(one) && address[one.length] === '/')
  if (origin !== undefined) return address.slice(origin.length)
  const url = URL.parse(address)
  return url && origins.includes(url.origin) ? url.pathname : null
}

/** Throws ReadingStopped for an error status inside the answer's body. */
export function refuseStatus(site: Site, status: number): void {
  if (status === 401 || status === 403 || status === 419) throw loggedOut(site)
  if (status === 429) throw new ReadingStopped('rate_limited', `${site.name} limits the request rate.`)
}

/** Detects bot challenge pages by their scripts. Call it only on pages that could not be parsed. */
export function isChallenge(text: string): boolean {
  return /px-captcha|cf-chl|cf_chl_opt|challenge-platform|captcha-delivery|g-recaptcha|h-captcha|<title>\s*(?:Just a moment|Attention Required|Forbidden)/i.test(
    text,
  )
}

/** Creates the error for a bot challenge, which only the seller can solve. */
export function challenge(site: Site): ReadingStopped {
  return new ReadingStopped('challenge', `${site.name} asks you to confirm that you are human.`)
}

/** Creates the error for a signed-out seller. */
export function loggedOut(site: Site): ReadingStopped {
  return new ReadingStopped('logged_out', `${site.name} asks you to sign in.`)
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined
}
