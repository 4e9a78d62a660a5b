// @vitest-environment happy-dom

import { userEvent } from '@testing-library/user-event'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dom, waitFor, within } from '#extension/testing/screen.tsx'
import type { PricedSubscription } from '#shared/contract/account/billing.ts'
import { releaseCalls } from '../web/call-with-cookie.ts'
import { HomeNotices } from '../web/home-notices.tsx'
import { AccountPage } from './account-page.tsx'

/** The account screen in a simulated DOM, against answers of an API that the test writes. */

type Answer = { status?: number; body: unknown } | ((body: unknown) => { status?: number; body: unknown })
let answers: Record<string, Answer>
/** Requests that change something, in order. */
let sent: [operation: string, body: unknown][]
let root: HTMLElement

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
const payments = {
  ...{ is_subscribed: false, renews: null, problem: null, lists_until: null, first_payment_at: null },
  ...{ can_subscribe: true, can_manage: false, ended: null },
} satisfies PricedSubscription['payments']
const later = '2031-05-06T07:08:09.000Z'
const problem = (status: number, code: string, detail = 'No.') => ({
  status,
  body: { type: `https://hapax.test/${code}`, title: 'No', status, detail, code, request_id: 'req_1' },
})

beforeEach(() => {
  releaseCalls()
  sent = []
  answers = {
    'GET /api/auth/validate/': { body: { valid: true, user: { id: 1, username: 'vera', email: 'vera@example.com' } } },
    'GET /api/auth/email-verification/': { body: { email: 'vera@example.com', email_verified: true } },
    'GET /api/v1/user/subscription/': {
      body: { active: true, source: 'trial', ends_at: later, price: '$12 a month', payments },
    },
    'GET /api/v1/user/address/': { body: null },
    'GET /api/v1/user/second-factor/': { body: { totp_confirmed_at: null, recovery_codes_left: 0, passkeys: 0 } },
    'GET /api/v1/user/passkeys/': { body: [] },
    'GET /api/v1/user/sessions/': { body: [] },
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const operation = `${init.method} ${new URL(url).pathname}`
    const body: unknown = init.body ? JSON.parse(String(init.body)) : null
    if (init.method !== 'GET') sent.push([operation, body])
    const known = answers[operation] ?? problem(404, 'not_found')
    const { status = 200, body: answer } = typeof known === 'function' ? known(body) : known
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    return new Response(status === 204 ? null : JSON.stringify(answer), { status, headers: { 'content-type': type } })
  })
})
afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
  location.hash = ''
})

function open(hash: string): void {
  location.hash = hash
  root = document.body.appendChild(document.createElement('div'))
  render(<AccountPage />, root)
}
const button = (name: string) => dom.findByRole('button', { name })
const sections = () => dom.queryAllByRole('heading', { level: 2 }).map((one) => one.textContent)
const reads = (words: string | RegExp) => waitFor(() => expect(document.body.textContent).toMatch(words))

describe('the account screen', () => {
  it.each([
    ['#account', ['Subscription', 'Shipping address'], 'General'],
    ['#account/address', ['Shipping address'], 'General'],
    ['#account/subscription', ['Subscription'], 'General'],
    ['#account/notifications', ['Notifications', 'Email alerts'], 'Notifications'],
    ['#account/security', ['Authenticator app', 'Passkeys', 'Password', 'Sessions'], 'Security'],
    ['#account/api', ['API keys', 'Webhooks'], 'API and webhooks'],
    ['#account/data', ['Your data', 'Close the account'], 'Your data'],
    ['#account/unheard', ['Subscription', 'Shipping address'], 'General'],
  ])('shows the parts of %s and marks its place in the navigation', async (hash, parts, current) => {
    open(hash)
    await waitFor(() => expect(sections()).toEqual(parts))
    const links = within(dom.getByRole('navigation', { name: 'Account' })).getAllByRole('link')
    expect(links.filter((one) => one.hasAttribute('aria-current')).map((one) => one.textContent)).toEqual([current])
  })

  it('does not speak of subscriptions where none is sold', async () => {
    answers['GET /api/v1/user/subscription/'] = {
      body: { active: true, source: 'open', ends_at: null, price: null, payments },
    }
    open('#account')
    await waitFor(() => expect(sections()).toEqual(['Shipping address']))
    expect(document.body.textContent).not.toMatch(/subscri/i)
  })

  it('leads from screen to screen', async () => {
    open('#account/security')
    location.hash = (await dom.findByRole('link', { name: 'API and webhooks' })).getAttribute('href')!
    await waitFor(() => expect(sections()).toEqual(['API keys', 'Webhooks']))
  })
})

describe('the server', () => {
  const owned = { registration: 'invited', invitations: 2, backed_up_at: later, backup_is_late: false }

  it('says which version runs, and shows strangers no more', async () => {
    answers['GET /api/v1/server/'] = { body: { version: '7.8.9', owned: null } }
    open('#account')
    await reads('Hapax 7.8.9')
    expect(dom.queryByRole('button', { name: 'Invite somebody' })).toBeNull()
    expect(document.body.textContent).not.toMatch(/backup/i)
  })

  it('gives its owner a link once, and ends the others', async () => {
    answers['GET /api/v1/server/'] = { body: { version: '7.8.9', owned } }
    answers['POST /api/v1/server/invitations/'] = {
      status: 201,
      body: { url: 'https://hapax.test/connect/register/?invitation=hpxi_x', expires_at: later },
    }
    answers['DELETE /api/v1/server/invitations/'] = { status: 204, body: null }
    open('#account')
    await user.click(await button('Invite somebody'))
    await reads('https://hapax.test/connect/register/?invitation=hpxi_x')
    await user.click(await button('Close'))
    expect(document.body.textContent).not.toContain('hpxi_x')
    await user.click(await button('End 2 unused invitations'))
    expect(sent.map(([operation]) => operation)).toEqual([
      'POST /api/v1/server/invitations/',
      'DELETE /api/v1/server/invitations/',
    ])
  })

  it.each(['open', 'closed'])('invites nobody where registration is %s', async (registration) => {
    answers['GET /api/v1/server/'] = { body: { version: '7.8.9', owned: { ...owned, registration } } }
    open('#account')
    await reads('Last backup')
    expect(dom.queryByRole('button', { name: 'Invite somebody' })).toBeNull()
  })

  it.each([
    [null, 'There is no backup yet. A backup should run every day'],
    ['2020-01-02T03:04:05.000Z', /Last backup: .+ A backup should run every day/],
  ])('warns its owner on the first screen of a backup of %s', async (backed_up_at, words) => {
    answers['GET /api/v1/server/'] = {
      body: { version: '7.8.9', owned: { ...owned, backed_up_at, backup_is_late: true } },
    }
    root = document.body.appendChild(document.createElement('div'))
    render(<HomeNotices />, root)
    await reads(words)
  })

  it('warns of no backup that is in time', async () => {
    answers['GET /api/v1/server/'] = { body: { version: '7.8.9', owned } }
    answers['GET /api/auth/email-verification/'] = { body: { email: 'vera@example.com', email_verified: false } }
    root = document.body.appendChild(document.createElement('div'))
    render(<HomeNotices />, root)
    await reads('Confirm your address')
    expect(dom.queryByRole('alert')).toBeNull()
  })
})

describe('the confirmation of the email address', () => {
  it('is asked for at the top of the first screen, too', async () => {
    answers['GET /api/auth/email-verification/'] = { body: { email: 'vera@example.com', email_verified: false } }
    root = document.body.appendChild(document.createElement('div'))
    render(<HomeNotices />, root)
    await reads('Confirm your address to get alerts by mail. Open the link that was sent to vera@example.com.')
    expect(await button('Send the link again')).toBeTruthy()
  })

  it('is no longer asked for after the link was opened in another tab', async () => {
    answers['GET /api/auth/email-verification/'] = { body: { email: 'vera@example.com', email_verified: false } }
    root = document.body.appendChild(document.createElement('div'))
    render(<HomeNotices />, root)
    await button('Send the link again')
    answers['GET /api/auth/email-verification/'] = { body: { email: 'vera@example.com', email_verified: true } }
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(dom.queryByRole('button', { name: 'Send the link again' })).toBeNull())
  })

  it('leads to the mail, where a sandbox keeps it', async () => {
    const mails_at = 'http://localhost:8080/sandbox/'
    answers['GET /api/auth/email-verification/'] = {
      body: { email: 'vera@example.com', email_verified: false, mails_at },
    }
    root = document.body.appendChild(document.createElement('div'))
    render(<HomeNotices />, root)
    const link = await dom.findByRole('link', { name: 'Open the mail' })
    expect(link.getAttribute('href')).toBe(mails_at)
  })

  it('is offered again until it is used', async () => {
    answers['GET /api/auth/email-verification/'] = { body: { email: 'vera@example.com', email_verified: false } }
    answers['POST /api/auth/email-verification/request/'] = { body: { detail: 'Sent.' } }
    open('#account')
    await user.click(await button('Send the link again'))
    await reads('A link is on its way')
    expect(sent).toEqual([['POST /api/auth/email-verification/request/', null]])
    answers['POST /api/auth/email-verification/request/'] = problem(429, 'rate_limited', 'Asked for too often.')
    await user.click(await button('Send the link again'))
    await reads(/too often|too many/i)
  })

  it('is not asked for once the address is confirmed, or without one', async () => {
    open('#account')
    await reads('Signed in as vera@example.com')
    expect(dom.queryByRole('button', { name: 'Send the link again' })).toBeNull()
  })
})

describe('the kinds of alerts', () => {
  it('are saved by group, with what else the settings hold by then', async () => {
    const money = ['oversell', 'excess_quantity', 'delist_overdue', 'sold_while_withdrawn', 'sale_refunded']
    let kept: object = {
      ...{ shipping_policy_url: null, returns_policy_url: null, default_currency: null, sku_required: false },
      ...{ alert_mails: [...money, 'sale_unclear'], push_kinds: ['sale'], price_rules: {} },
    }
    answers['GET /api/v1/user/settings/'] = () => ({ body: kept })
    answers['PUT /api/v1/user/settings/'] = (body) => {
      kept = Object(body)
      return { body }
    }
    open('#account/notifications')
    const box = async (name: RegExp) => (await dom.findByRole('checkbox', { name })) as HTMLInputElement
    const states = async () =>
      (await dom.findAllByRole('checkbox')).map((one) => {
        const { checked, indeterminate } = one as HTMLInputElement
        return indeterminate ? 'some' : checked
      })
    await box(/^Money at risk/)
    // One kind was chosen elsewhere.
    expect(await states()).toEqual([true, 'some', false])
    expect(await box(/^Hapax needs you.* \(1 of 4 kinds\)$/)).toBeTruthy()
    // Another page switches the notifications off meanwhile.
    kept = { ...kept, push_kinds: [] }
    await user.click(await box(/^Money at risk/))
    await waitFor(() => expect(kept).toMatchObject({ alert_mails: ['sale_unclear'], push_kinds: [] }))
    await waitFor(async () => expect(await states()).toEqual([false, 'some', false]))
    answers['PUT /api/v1/user/settings/'] = problem(503, 'unavailable', 'Hapax cannot answer right now.')
    await user.click(await box(/^Hapax needs you/))
    expect((await dom.findByRole('alert')).textContent).not.toBe('')
    expect(kept).toMatchObject({ alert_mails: ['sale_unclear'] })
    expect(await states()).toEqual([false, 'some', false])
  })
})

describe('the address', () => {
  it('is saved whole and shown again', async () => {
    const address = {
      full_name: 'Vera Vintage',
      line1: '1 Mill Lane',
      city: 'Portland',
      postal_code: '97201',
      country: 'CA',
    }
    answers['GET /api/v1/user/address/'] = { body: address }
    answers['PUT /api/v1/user/address/'] = (body) => ({ body })
    open('#account/address')
    const line1 = (await dom.findByLabelText('Street and number')) as HTMLInputElement
    expect([line1.value, line1.required]).toEqual(['1 Mill Lane', true])
    expect((dom.getByLabelText('Country') as HTMLSelectElement).value).toBe('CA')
    await user.clear(line1)
    await user.type(line1, '2 Mill Lane')
    await user.type(dom.getByLabelText(/^State/), 'BC')
    await user.click(await button('Save address'))
    await reads('Address saved')
    const whole = { ...address, line1: '2 Mill Lane', line2: '', region: 'BC', phone: '' }
    expect(sent).toEqual([['PUT /api/v1/user/address/', whole]])
  })

  it('leads back from the errand that needed it: the tab closes, or shows the first screen', async () => {
    answers['PUT /api/v1/user/address/'] = (body) => ({ body })
    const [close, replace] = [vi.fn(), vi.fn()]
    vi.stubGlobal('close', close)
    vi.spyOn(location, 'replace').mockImplementation(replace)
    open('#account/address')
    for (const label of ['Name', 'Street and number', 'City', 'Postal code']) {
      await user.type(await dom.findByLabelText(label), 'x')
    }
    expect(dom.queryByRole('button', { name: 'Go back' })).toBeNull()
    await user.click(await button('Save address'))
    await user.click(await button('Go back'))
    expect(close).toHaveBeenCalledOnce()
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/app/'))
  })

  it('is kept among the settings without a way back', async () => {
    answers['PUT /api/v1/user/address/'] = (body) => ({ body })
    open('#account')
    for (const label of ['Name', 'Street and number', 'City', 'Postal code']) {
      await user.type(await dom.findByLabelText(label), 'x')
    }
    await user.click(await button('Save address'))
    await reads('Address saved')
    expect(dom.queryByRole('button', { name: 'Go back' })).toBeNull()
  })

  it('names the field that the server refuses', async () => {
    const refused = problem(400, 'invalid_request')
    const errors = [{ field: 'postal_code', code: 'too_big', message: 'must have at most 20 characters' }]
    answers['PUT /api/v1/user/address/'] = { status: 400, body: { ...refused.body, errors } }
    open('#account/address')
    for (const label of ['Name', 'Street and number', 'City', 'Postal code']) {
      await user.type(await dom.findByLabelText(label), 'x')
    }
    await user.click(await button('Save address'))
    expect((await dom.findByRole('alert')).textContent).toContain('postal code must have at most 20 characters')
    expect(document.body.textContent).not.toContain('Address saved')
  })
})

describe('the subscription', () => {
  const shows = (changes: Partial<PricedSubscription>) => {
    answers['GET /api/v1/user/subscription/'] = {
      body: { active: true, source: 'trial', ends_at: later, price: '$12 a month', payments, ...changes },
    }
    open('#account/subscription')
  }
  const paid = { ...payments, is_subscribed: true, renews: true, can_subscribe: false, can_manage: true }
  const over = { active: false, source: 'none', ends_at: null } as const

  it.each<[string, Partial<PricedSubscription>, (string | RegExp)[], string[]]>([
    [
      'a trial whose days are kept',
      { payments: { ...payments, first_payment_at: later } },
      [/Trial until/, /\$12 a month\. Your trial days are kept/],
      ['Subscribe'],
    ],
    ['a trial that ends soon', {}, ['The first paid period begins at once.'], ['Subscribe']],
    [
      'a trial with a subscription after it',
      { payments: paid },
      ['Then your subscription begins.'],
      ['Change the card or cancel'],
    ],
    [
      'a trial that ended',
      { ...over, payments: { ...payments, ended: { source: 'trial', at: later } } },
      [/Your trial ended on/, /cannot be listed/],
      ['Subscribe'],
    ],
    [
      'a subscription that renews',
      { source: 'stripe', payments: paid },
      [/Active until .* It renews by itself\./],
      ['Change the card or cancel'],
    ],
    [
      'a subscription that was cancelled',
      { source: 'stripe', payments: { ...paid, renews: false } },
      ['It was canceled, and ends then.'],
      ['Change the card or cancel'],
    ],
    [
      'a failed payment',
      { source: 'stripe', payments: { ...paid, problem: 'payment_failed', lists_until: later } },
      [/The last payment failed.*Listing goes on until/],
      ['Change the card or cancel'],
    ],
    [
      'a payment that is not finished',
      { ...over, payments: { ...paid, problem: 'payment_incomplete' } },
      ['The first payment has not gone through.'],
      ['Change the card or cancel'],
    ],
    [
      'a paused subscription',
      { ...over, payments: { ...paid, problem: 'paused' } },
      ['is paused at Stripe'],
      ['Change the card or cancel'],
    ],
    [
      'a subscription that ended',
      { ...over, payments: { ...payments, can_manage: true, ended: { source: 'stripe', at: later } } },
      [/Your subscription ended on/],
      ['Subscribe', 'See your invoices'],
    ],
    [
      'a subscription given by the operator',
      { source: 'operator', payments: { ...payments, can_subscribe: false } },
      [/given by whoever runs this server/, /ask whoever runs this server/],
      [],
    ],
    [
      'a server that takes no payments',
      { ...over, payments: { ...payments, can_subscribe: false } },
      ['There is no subscription.', /ask whoever runs this server/],
      [],
    ],
  ])('names %s', async (_name, changes, words, buttons) => {
    shows(changes)
    for (const each of words) await reads(each)
    expect(dom.queryAllByRole('button').map((one) => one.textContent)).toEqual(buttons)
  })

  it.each([
    ['Subscribe', 'checkout', {}],
    ['Change the card or cancel', 'portal', { payments: paid }],
  ])('says why "%s" led nowhere', async (label, page, changes) => {
    answers[`POST /api/v1/user/subscription/${page}/`] = problem(503, 'unavailable', 'Stripe does not answer.')
    shows(changes)
    await user.click(await button(label))
    expect((await dom.findByRole('alert')).textContent).not.toBe('')
    expect(sent).toEqual([[`POST /api/v1/user/subscription/${page}/`, null]])
  })

  it('looks for the confirmation of a payment', async () => {
    answers['GET /api/v1/user/subscription/'] = { body: { ...over, price: null, payments } }
    open('#account/subscription/paid')
    await reads('Stripe has not confirmed a payment yet')
    expect(dom.queryByRole('button', { name: 'Subscribe' })).toBeNull()
    answers['GET /api/v1/user/subscription/'] = {
      body: { active: true, source: 'stripe', ends_at: later, price: null, payments: paid },
    }
    expect(dom.queryByRole('button', { name: 'Go back' })).toBeNull()
    await reads('It renews by itself.')
    expect(await button('Go back')).toBeTruthy()
  })
})

describe('a proof that the server asks for', () => {
  const on = { totp_confirmed_at: '2026-01-02T03:04:05.000Z', recovery_codes_left: 9, passkeys: 0 }
  const codes = ['first-code', 'second-code']

  it.each([
    [' 123 456 ', { totp_code: '123 456' }],
    ['abcd-efgh-ijkl', { recovery_code: 'abcd-efgh-ijkl' }],
  ])('is a code where the account has a second factor: %s', async (typed, proof) => {
    answers['GET /api/v1/user/second-factor/'] = { body: on }
    answers['POST /api/v1/user/second-factor/recovery-codes/'] = problem(403, 'reauthentication_required')
    answers['POST /api/auth/reauthenticate/'] = () => {
      answers['POST /api/v1/user/second-factor/recovery-codes/'] = { body: { recovery_codes: codes } }
      return { body: { detail: 'Proven.' } }
    }
    open('#account/security')
    await user.click(await button('Get new recovery codes'))
    const dialog = within(await dom.findByRole('dialog'))
    await user.type(await dialog.findByLabelText('Code'), typed)
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    // The action is repeated after the proof.
    await waitFor(() => expect(document.querySelector('code.secret')?.textContent).toBe(codes.join('\n')))
    expect(sent).toContainEqual(['POST /api/auth/reauthenticate/', proof])
  })

  it('is the password where the account has none', async () => {
    answers['POST /api/v1/user/second-factor/totp/begin/'] = problem(403, 'reauthentication_required')
    answers['POST /api/auth/reauthenticate/'] = problem(400, 'wrong_password', 'The current password is wrong.')
    open('#account/security')
    await user.click(await button('Set up an app'))
    const dialog = within(await dom.findByRole('dialog'))
    await user.type(await dialog.findByLabelText('Password'), 'wrong lantern 42')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(dialog.getByRole('alert').textContent).not.toBe(''))
    expect(sent).toContainEqual(['POST /api/auth/reauthenticate/', { password: 'wrong lantern 42' }])
    expect(document.querySelector('svg.qr')).toBeNull()
  })
})

describe('passkeys', () => {
  it('are removed after a question', async () => {
    const passkey = { uid: 'psk_1234567890123456789012', name: 'My phone', created_at: later, last_used_at: null }
    answers['GET /api/v1/user/passkeys/'] = { body: [passkey] }
    answers[`DELETE /api/v1/user/passkeys/${passkey.uid}/`] = () => {
      answers['GET /api/v1/user/passkeys/'] = { body: [] }
      return { status: 204, body: null }
    }
    open('#account/security')
    await user.click(await button('Remove, My phone'))
    expect(sent).toEqual([])
    await user.click(within(await dom.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
    await reads('No passkeys yet')
  })
})
