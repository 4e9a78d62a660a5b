import type Koa from 'koa'
import type { ZodError } from 'zod'
import { findAddress, saveAddress } from '#server/accounts/billing/address.ts'
import { countries } from '#server/accounts/billing/countries.ts'
import { HttpProblem } from '#server/infra/errors.ts'
import { type Html, html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { Address } from '#shared/contract/billing.ts'
import { sendPage } from '../layout.ts'
import { seeOther } from './see-other.ts'
import { signedIn } from './session.ts'
import { signOutForm } from './sign-out-form.ts'

interface Field {
  name: keyof Address
  label: string
  autocomplete: string
  required: boolean
}

const fields: readonly Field[] = [
  { name: 'full_name', label: 'Name', autocomplete: 'name', required: true },
  { name: 'line1', label: 'Street and number', autocomplete: 'address-line1', required: true },
  { name: 'line2', label: 'Flat, floor or building', autocomplete: 'address-line2', required: false },
  { name: 'city', label: 'City', autocomplete: 'address-level2', required: true },
  { name: 'region', label: 'State, province or region', autocomplete: 'address-level1', required: false },
  { name: 'postal_code', label: 'Postal code', autocomplete: 'postal-code', required: true },
  { name: 'country', label: 'Country', autocomplete: 'country', required: true },
  { name: 'phone', label: 'Phone', autocomplete: 'tel', required: false },
]

const countryNames = new Intl.DisplayNames('en', { type: 'region' })
const named = countries
  .map((code) => ({ code, name: countryNames.of(code) ?? code }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'))

/**
 * `/connect/address/`: the form for the address that listing requires. Sellers who only use the extension have no other
 * place for it.
 */
export function addressPages({ db }: Services) {
  const { page, form } = signedIn(db, 'address')
  return {
    showAddressPage: page(async (ctx, { user_id }) => {
      sendForm(ctx, (await findAddress(db, user_id)) ?? { country: 'US' })
    }),

    saveAddressOnPage: form(async (ctx, { user_id }, sent) => {
      const given = Object.fromEntries(fields.map(({ name }) => [name, sent.get(name)?.trim() ?? '']))
      const body = Address.safeParse(given)
      if (!body.success) return sendForm(ctx, given, wrongOf(body.error))
      try {
        await saveAddress(db, user_id, body.data)
      } catch (error) {
        if (!(error instanceof HttpProblem) || error.code !== 'invalid_request') throw error
        return sendForm(ctx, given, new Map([['country', 'Choose a country.']]))
      }
      seeOther(ctx, '/connect/')
    }),
  }
}

/** Formats an address on one line for `/connect/`. */
export function addressLine({ full_name, line1, line2, city, region, postal_code, country }: Address): string {
  const place = [region, postal_code].filter(Boolean).join(' ')
  return [full_name, line1, line2, city, place, countryNames.of(country)].filter(Boolean).join(', ')
}

/** Returns the message for each invalid field. */
function wrongOf(error: ZodError): Map<string, string> {
  const wrong = new Map<string, string>()
  for (const { path, code } of error.issues) {
    const field = fields.find(({ name }) => name === path[0])
    if (!field) continue
    const words = field.label.toLowerCase()
    if (field.name === 'country') wrong.set(field.name, 'Choose a country.')
    else wrong.set(field.name, code === 'too_big' ? `Shorten the ${words}.` : `Enter the ${words}.`)
  }
  return wrong
}

function sendForm(
  ctx: Koa.Context,
  given: Partial<Record<string, string>>,
  wrong: ReadonlyMap<string, string> = new Map(),
): void {
  const failed = wrong.size > 0
  sendPage(ctx, {
    title: failed ? 'Error: your address' : 'Your address',
    status: failed ? 400 : 200,
    body: html`<h1>Your address</h1>
<p>We need the address you ship from. It is not shown to buyers.</p>
${failed && html`<p class="error" role="alert">The address was not saved. Fix the marked fields.</p>`}
<form method="post" action="/connect/address/">
${fields.map((field) => fieldOf(field, given[field.name] ?? '', wrong.get(field.name)))}
<div><button>Save the address</button></div>
</form>
<p><a href="/connect/">Back to your shops</a></p>
${signOutForm}`,
  })
}

function fieldOf({ name, label, autocomplete, required }: Field, value: string, problem: string | undefined): Html {
  const attributes = html`id="${name}" name="${name}" autocomplete="${autocomplete}"${required && html` required`}${
    problem && html` aria-invalid="true" aria-describedby="${name}-problem"`
  }`
  return html`<label for="${name}">${label}${!required && html` <span class="soft">(optional)</span>`}</label>
${problem && html`<p class="error" id="${name}-problem">${problem}</p>`}
${
  name === 'country'
    ? html`<select ${attributes}>${named.map(
        (one) => html`<option value="${one.code}"${one.code === value && html` selected`}>${one.name}</option>`,
      )}</select>`
    : html`<input ${attributes} value="${value}">`
}
`
}
