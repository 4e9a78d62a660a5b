import type Koa from 'koa'
import { problem } from '#server/infra/errors.ts'
import { readForm } from './read-form.ts'

/**
 * Whether a form was sent from a page of ours: browsers name the sender in Sec-Fetch-Site and Origin, and
 * no page can forge either. A request that names none is no browser's, and is refused.
 */
export function isOwnForm(ctx: Koa.Context): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '' && site !== 'same-origin') return false
  const origin = ctx.get('origin')
  if (origin === '') return site === 'same-origin'
  return URL.canParse(origin) && new URL(origin).host === ctx.host
}

/** The fields of a form that was sent from a page of ours. Throws 403 for any other, and as `readForm` does. */
export async function readOwnForm(ctx: Koa.Context): Promise<Map<string, string>> {
  if (!isOwnForm(ctx)) throw problem('wrong_credential_kind', 'This form was not sent from a page of Hapax.')
  return readForm(ctx)
}
