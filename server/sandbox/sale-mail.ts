import { generateKeyPairSync } from 'node:crypto'
import { escapeHtml } from './kit/html.ts'
import { createLocalServer, readRequest, send } from './kit/listener.ts'
import { createPage } from './kit/pages.ts'
import { type NameServer, startNameServer } from './name-server.ts'

export interface SaleMailSandbox {
  url: string
  /** The name server that has the keys of all marketplaces. Its port is that of the page. */
  dns: NameServer
  close(): Promise<void>
}

/** A kind of mail that a marketplace sends. */
interface MailKind {
  label: string
  from: string
  /** The domain that signs it. */
  domain: string
  subject(item: MailItem): string
  text(item: MailItem): string
}

/** An item as the form describes it. */
interface MailItem {
  title: string
  price: string
  size: string
  sku: string
  id: string
  order: string
}

const poshmark = { from: 'Poshmark <orders@poshmark.com>', domain: 'poshmark.com' }
const mercari = { from: 'Mercari <no-reply@alerts.us.mercari.com>', domain: 'alerts.us.mercari.com' }
const depop = { from: 'Depop <sold@alerts.depop.com>', domain: 'alerts.depop.com' }

const kinds: Record<string, MailKind> = {
  'poshmark-sale': {
    ...poshmark,
    label: 'Poshmark: sold',
    subject: ({ title }) => `"${title}" just sold to @sandbox_buyer on Poshmark!`,
    text: ({ title, price, size, sku, order }) =>
      `Great news - you just sold "${title}" on Poshmark.\n\nBuyer\nPat Example\n@sandbox_buyer\n\nOrder ID\n${order}\n\n${title}\n${size && `Size: ${size}\n`}Price: $${price}\n${sku && `SKU: ${sku}\n`}\nYour Earnings (minus fee and taxes) $1.00\n`,
  },
  'poshmark-cancelled': {
    ...poshmark,
    label: 'Poshmark: canceled',
    subject: ({ title }) => `Please do not ship: "${title}" for @sandbox_buyer was canceled`,
    text: ({ title, order }) => `Re: Order Id ${order}\nWe wanted to let you know that "${title}" was canceled.\n`,
  },
  'poshmark-offer': {
    ...poshmark,
    label: 'Poshmark: an offer (changes nothing)',
    subject: ({ title }) => `You have an offer on "${title}"!`,
    text: () => 'Offers expire in 24 hours.\n',
  },
  'mercari-sale': {
    ...mercari,
    label: 'Mercari: sold',
    subject: ({ title }) => `You've made a sale: ${title}`,
    text: ({ title, price, id }) =>
      `Congratulations! You made a sale.\n\nItem details\n\n${title}\n\n${id && `ID: ${id}\n\n`}Price\n$${price}\n\nShipping to\nPat Example\n`,
  },
  'mercari-cancelled': {
    ...mercari,
    label: 'Mercari: canceled',
    subject: ({ title }) => `Transaction canceled: ${title}`,
    text: ({ title }) => `The transaction for ${title} was canceled.\n`,
  },
  'depop-sale': {
    ...depop,
    label: 'Depop: sold',
    subject: () => 'Your USPS shipping label and sale confirmation for @sandbox_buyer.',
    text: ({ title, price, size }) =>
      `You've made a sale!\nOrder details\nimage ${title.length > 45 ? `${title.slice(0, 45)}...` : title}\n${size && `Size:\n${size}\n`}$${price}\nShip to\nPat Example\n`,
  },
  'ebay-sale': {
    label: 'eBay: sold (its order is fetched)',
    from: 'eBay <ebay@ebay.com>',
    domain: 'ebay.com',
    subject: ({ title }) => `You made the sale for ${title}`,
    text: ({ price, order }) => `Sold:\n$${price}\nOrder:\n${order}\n`,
  },
  'etsy-sale': {
    label: 'Etsy: sold (its order is fetched)',
    from: 'Etsy Transactions <transaction@etsy.com>',
    domain: 'etsy.com',
    subject: ({ price, order }) => `You made a sale on Etsy - Ship by Oct 9 - [$${price}, Order #${order}]`,
    text: ({ title, price }) => `Item:               ${title}\nItem price:         US$${price}\n`,
  },
  'vinted-sale': {
    label: 'Vinted: sold (not connected)',
    from: 'Team Vinted <no-reply@vinted.com>',
    domain: 'vinted.com',
    subject: () => 'You sold an item on Vinted',
    text: ({ title, price }) => `${title}\n$${price}\n`,
  },
  'forged-sale': {
    label: 'Poshmark: sold, with a forged signature (refused)',
    from: poshmark.from,
    domain: 'sendgrid.info',
    subject: ({ title }) => `"${title}" just sold to @sandbox_buyer on Poshmark!`,
    text: ({ title }) => `You just sold "${title}" on Poshmark.\n`,
  },
}

/**
 * Starts a page that sends the mails of marketplaces to the listener of Hapax at `smtpPort`, signed with keys of its own,
 * which its name server publishes.
 */
export async function startSaleMailSandbox({
  port,
  smtpPort,
}: {
  port: number
  smtpPort: number
}): Promise<SaleMailSandbox> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

  const deliver = async (form: URLSearchParams): Promise<string> => {
    const kind = kinds[form.get('kind') ?? '']
    if (!kind) throw new Error('There is no such kind of mail.')
    const text = (name: string, usual = '') => form.get(name)?.trim() || usual
    const item: MailItem = {
      ...{ title: text('title', 'An item'), price: text('price', '10.00'), size: text('size'), sku: text('sku') },
      ...{ id: text('id'), order: text('order', '6ab7cb1fff8a471e6bfa36ed') },
    }
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
    try {
      const { response } = await transport.sendMail({
        envelope: { from: `bounces@${kind.domain}`, to: [text('address')] },
        from: kind.from,
        to: text('seller'),
        subject: kind.subject(item),
        text: kind.text(item),
        dkim: { domainName: kind.domain, keySelector: 'sandbox', privateKey: pem },
      })
      return response
    } finally {
      transport.close()
    }
  }

  const server = createLocalServer(async (message, response) => {
    try {
      const request = await readRequest(message, 100_000)
      const form = request.method === 'POST' ? new URLSearchParams(request.body) : request.query
      // A link of the sandbox's page names an item's mail, which one press sends.
      const isSent = request.method === 'POST' || form.has('kind')
      const said = isSent ? await deliver(form).catch((error: Error) => error.message) : null
      send(response, {
        status: 200,
        type: 'text/html; charset=utf-8',
        body: page('Send a sale mail', formOf(form, said)),
      })
    } catch (error) {
      send(response, { status: 400, type: 'text/plain', body: String(error) })
    }
  })
  const url = await server.listen(port)
  // TCP first: its free ports are taken more often than those of UDP.
  const dns = await startNameServer({ port: Number(new URL(url).port) }).catch(async (error: unknown) => {
    await server.close()
    throw error
  })
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`
  for (const { domain } of Object.values(kinds)) dns.texts.set(`sandbox._domainkey.${domain}`, record)
  return {
    url,
    dns,
    async close() {
      await server.close()
      await dns.close()
    },
  }
}

const page = createPage({
  name: 'Sandbox mail',
  banner: 'mails that marketplaces would send. Nothing leaves this machine.',
  accent: '#3b4a6b',
})

const fields: [name: string, label: string, hint: string][] = [
  ['address', 'Address of the seller at Hapax', 'sales-…'],
  ['seller', 'Address that the marketplace writes to', 'a confirmed address of the account'],
  ['title', 'Title of the item', ''],
  ['price', 'Price in dollars', '64.00'],
  ['size', 'Size', ''],
  ['sku', 'SKU (Poshmark)', ''],
  ['id', 'Listing (Mercari)', 'm10000000001'],
  ['order', 'Order', '24 hex digits for Poshmark, 12-34567-89012 for eBay, digits for Etsy'],
]

function formOf(given: URLSearchParams, said: string | null): string {
  const inputs = fields.map(
    ([name, label, hint]) =>
      `<label>${escapeHtml(label)} <input name="${name}" size="40" value="${escapeHtml(given.get(name) ?? '')}" placeholder="${escapeHtml(hint)}"></label>`,
  )
  const buttons = Object.entries(kinds).map(
    ([kind, { label }]) => `<button name="kind" value="${kind}">${escapeHtml(label)}</button>`,
  )
  return `${said === null ? '' : `<p role="status">Sent. The server of Hapax answered: ${escapeHtml(said)}</p>`}
<form method="post" action="/">${inputs.join('\n')}<h2>Send</h2>${buttons.join('\n')}</form>`
}
