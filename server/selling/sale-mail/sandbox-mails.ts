import { type Html, html } from '#server/infra/html.ts'
import type { Services } from '#server/services.ts'
import { decimalFromMinor } from '#shared/money.ts'
import { platformOf } from '#shared/platforms.ts'
import { readAddress } from './address.ts'
import * as sql from './queries.ts'

/** Returns links of the sandbox's page to the stand-in that writes sale mails, for items of the newest accounts. */
export async function sandboxMails(services: Services): Promise<Html> {
  const items = await services.db.any(sql.listNewestAccounts({ limit: 5 }))
  const pageOf = (
    { email, title, price_minor, currency, size, sku, platform }: (typeof items)[number],
    address: string,
  ) => {
    const fields: Record<string, string> = { seller: email, address }
    if (title && currency) {
      const price = decimalFromMinor(Number(price_minor), currency)
      Object.assign(fields, { kind: `${platform}-sale`, title, price, size: size ?? '', sku: sku ?? '' })
    }
    // The stand-in's page has the port of its name server. It sends the mail of an item that the address names.
    return `http://${services.config.SALE_MAIL_DNS}/?${new URLSearchParams(fields)}`
  }
  const links = []
  for (const item of items) {
    const address = await readAddress(services, services.db, item.user_id)
    if (address === null) continue
    const words = item.title ? `${platformOf(item.platform).name} sold “${item.title}”` : 'Write a sale mail'
    links.push(
      html`<li><a href="${pageOf(item, address)}">${words}</a> <span class="soft">to ${item.email}</span></li>`,
    )
  }
  return html`${links.length > 0 && html`<h2>Sale mails</h2>`}
<ul>${links}</ul>`
}
