// @vitest-environment happy-dom
import { userEvent } from '@testing-library/user-event'
import { render } from 'preact'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dom, waitFor, within } from '#extension/testing/screen.tsx'
import type { SaleMailOverview } from '#shared/contract/selling/sale-mail.ts'
import { releaseCalls } from '../web/call-with-cookie.ts'
import { gmailFilter } from './forward.tsx'
import { keepLinkToken } from './link-token.ts'
import { SaleMailSetup } from './setup.tsx'

/** The ways in which sale mails arrive, in a simulated DOM, against a server that the test writes. */
let overview: SaleMailOverview
/** Requests that change something, in order. */
let sent: string[]
/** Errors of operations, by status and code. */
let refusals: Record<string, [status: number, code: string, detail: string]>
let root: HTMLElement
const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 })
const mailbox = {
  ...{ host: 'imap.gmail.com', port: 993, user: 'vera@gmail.com', folder: 'INBOX', state: 'waiting' as const },
  ...{ last_error: null, checked_at: new Date().toISOString() },
}
const path = '/api/v1/sale-mail/'

/** Does what the server does with a request, and returns its answer. */
const acts: Record<string, (body: never) => unknown> = {
  [`GET ${path}`]: () => overview,
  [`POST ${path}rotate/`]: () => {
    overview.address = 'sales-new@in.example.com'
    return overview
  },
  [`PUT ${path}mailbox/`]: ({ host, user }: { host: string; user: string }) => {
    overview.mailbox = { ...mailbox, host, user }
    return overview.mailbox
  },
  [`DELETE ${path}mailbox/`]: () => {
    overview.mailbox = null
    return null
  },
  [`POST ${path}recipients/`]: ({ email }: { email: string }) => {
    const added = { email, verified_at: null }
    overview.recipients = [...overview.recipients.filter((one) => one.email !== email), added]
    return added
  },
  [`POST ${path}recipients/confirm/`]: () => {
    const confirmed = { email: 'shop@example.com', verified_at: new Date().toISOString() }
    overview.recipients = [overview.recipients[0]!, confirmed]
    return confirmed
  },
  [`DELETE ${path}recipients/shop%40example.com/`]: () => {
    overview.recipients = overview.recipients.slice(0, 1)
    return null
  },
}

beforeEach(() => {
  releaseCalls()
  sent = []
  refusals = {}
  overview = {
    address: 'sales-0123@in.example.com',
    recipients: [{ email: 'vera@example.com', verified_at: new Date().toISOString() }],
    ...{ mailbox: null, marketplaces: [] },
  }
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const operation = `${init.method} ${new URL(url).pathname}`
    if (init.method !== 'GET') sent.push(`${operation} ${init.body ?? ''}`.trim())
    const refusal = refusals[operation]
    if (refusal) {
      const [status, code, detail] = refusal
      const body = { type: `https://hapax.test/${code}`, title: 'No', status, detail, code, request_id: 'req_1' }
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/problem+json' } })
    }
    const answer = acts[operation]!((init.body ? JSON.parse(String(init.body)) : null) as never)
    const headers = { 'content-type': 'application/json' }
    return new Response(answer === null ? null : JSON.stringify(answer), {
      status: answer === null ? 204 : 200,
      headers,
    })
  })
})
afterEach(() => {
  render(null, root)
  root.remove()
  vi.unstubAllGlobals()
  sessionStorage.clear()
  location.hash = ''
})

async function open(): Promise<void> {
  root = document.body.appendChild(document.createElement('div'))
  render(<SaleMailSetup />, root)
  await dom.findByRole('heading', { name: 'Addresses that marketplaces write to' })
}
/** Says which mailbox the marketplaces write to. */
const choose = async (way: string) =>
  user.selectOptions(await dom.findByRole('combobox', { name: /^Which mailbox/ }), way)
const button = (name: string | RegExp) => dom.getByRole('button', { name })

describe('an address to forward to', () => {
  it('is shown with the one line for Gmail, and replaced after a question', async () => {
    await open()
    dom.getByText('sales-0123@in.example.com')
    dom.getByText(gmailFilter)
    expect(gmailFilter).toBe(
      'from:(orders@poshmark.com OR no-reply@alerts.us.mercari.com OR sold@alerts.depop.com) OR (from:poshmark.com subject:canceled)',
    )
    await choose('Outlook')
    dom.getByText(/“Redirect to” the address/)
    await user.click(button('New address'))
    const dialog = within(dom.getByRole('dialog'))
    dialog.getByText(/The old one stops working at once/)
    expect(sent).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'New address' }))
    await dom.findByText('sales-new@in.example.com')
  })

  it('is not offered where the server takes no mail', async () => {
    overview.address = null
    await open()
    expect(dom.queryByRole('heading', { name: 'Forward your sale mails' })).toBeNull()
    dom.getByRole('heading', { name: 'Let Hapax read your mailbox' })
  })
})

describe('a mailbox', () => {
  it('is proposed by its address, and tried before it is kept', async () => {
    await open()
    await choose('Another mailbox (IMAP)')
    await user.type(dom.getByRole('textbox', { name: 'Email address' }), 'vera@icloud.com')
    expect(dom.getByLabelText<HTMLInputElement>('IMAP server').value).toBe('imap.mail.me.com')
    expect(dom.getByRole('link', { name: 'Make an app password at Apple' }).getAttribute('href')).toMatch(/apple\.com/)
    await user.type(dom.getByLabelText('App password'), 'wrong')
    refusals[`PUT ${path}mailbox/`] = [400, 'mailbox_refused', 'The mail server refused the name or the password.']
    await user.click(button('Read this mailbox'))
    await dom.findByText('The mail server refused the name or the password.')
    refusals = {}
    await user.click(button('Read this mailbox'))
    await dom.findByText(/Connected. New mails are read within minutes/)
    expect(sent.at(-1)).toBe(
      `PUT ${path}mailbox/ {"user":"vera@icloud.com","password":"wrong","host":"imap.mail.me.com","tls":"implicit"}`,
    )
    expect(document.body.innerHTML).not.toContain('wrong')
  })

  it('of Outlook is not what to choose, since no password works there', async () => {
    await open()
    await choose('Another mailbox (IMAP)')
    await user.type(dom.getByRole('textbox', { name: 'Email address' }), 'vera@hotmail.com')
    dom.getByText(/Forward the mails instead/)
  })

  it('says why it cannot be read, and is forgotten after a question', async () => {
    overview.mailbox = { ...mailbox, state: 'failed', last_error: 'The mail server took too long.' }
    await open()
    dom.getByText('The mail server took too long.')
    await user.click(button('Forget'))
    await user.click(within(dom.getByRole('dialog')).getByRole('button', { name: 'Forget' }))
    await waitFor(() => expect(sent).toHaveLength(1))
    await choose('Another mailbox (IMAP)')
    await dom.findByRole('button', { name: 'Read this mailbox' })
    expect(sent).toEqual([`DELETE ${path}mailbox/`])
  })
})

describe('an address that marketplaces write to', () => {
  it('is added with a link, sent again, and removed after a question', async () => {
    await open()
    await user.type(dom.getByLabelText('Another address'), 'shop@example.com')
    await user.click(button('Add'))
    await dom.findByText('A link is on its way to shop@example.com.')
    await user.click(await dom.findByRole('button', { name: 'Send link again: shop@example.com' }))
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(dom.queryByRole('button', { name: 'Remove: vera@example.com' })).toBeNull()
    await user.click(button('Remove: shop@example.com'))
    await user.click(within(dom.getByRole('dialog')).getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(dom.queryByText('shop@example.com')).toBeNull())
  })
})

describe('the link of a mail', () => {
  const follow = (token: string) => {
    location.hash = `#sale-mail/confirm?token=${token}`
    keepLinkToken()
  }

  it('confirms its address once, and leaves no token behind', async () => {
    follow('hpxv_secret')
    expect(location.hash).toBe('#sale-mail/confirm')
    await open()
    await dom.findByText('shop@example.com is confirmed. Sale mails to it count from now on.')
    expect(sent).toEqual([`POST ${path}recipients/confirm/ {"token":"hpxv_secret"}`])
    expect(sessionStorage.length).toBe(0)
  })

  it('that has expired says so, and a new one is sent below', async () => {
    refusals[`POST ${path}recipients/confirm/`] = [400, 'code_invalid', 'This link does not work.']
    follow('hpxv_old')
    await open()
    await dom.findByText(/was used, has expired, or belongs to another account/)
    expect(sessionStorage.length).toBe(0)
  })

  it('waits for a seller who signs in first', async () => {
    refusals[`POST ${path}recipients/confirm/`] = [401, 'unauthenticated', 'Sign in.']
    follow('hpxv_later')
    await open()
    await waitFor(() => expect(sent).toHaveLength(1))
    render(null, root)
    refusals = {}
    render(<SaleMailSetup />, root)
    await dom.findByText(/is confirmed/)
  })

  it('is followed where the screen is open already', async () => {
    await open()
    follow('hpxv_second')
    dispatchEvent(new Event('hashchange'))
    await dom.findByText(/is confirmed/)
  })
})
