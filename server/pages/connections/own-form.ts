import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { readForm } from './read-form.ts'

/**
 * Returns whether a page of this server sent the form. Browsers name the sender in Sec-Fetch-Site and Origin, which
 * pages cannot forge. A request without either does not come from a browser and is refused.
 */
function isOwnForm(ctx: Koa.Context): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '' && site !== 'same-origin') return false
  const origin = ctx.get('origin')
  if (origin === '') return site === 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === ctx.host
}

/** Returns the fields of a form that a page of this server sent. Throws 403 for any other, and as `readForm` does. */
export async function readOwnForm(ctx: Koa.Context): Promise<Map<string, string>> {
  if (!isOwnForm(ctx)) throw problem('wrong_credential_kind', 'This form was not sent from a page of Hapax.')
  return readForm(ctx)
}
