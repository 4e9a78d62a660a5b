import type Koa from 'koa'
import type { Config } from '#server/config.ts'
import { html } from '#server/infra/html.ts'
import { sendPage } from './layout.ts'

/**
 * `/privacy`: the privacy policy that extension stores and marketplaces require. It describes what this server stores.
 */
export function privacyPage({ OPERATOR_NAME, OPERATOR_EMAIL }: Config): Koa.Middleware {
  const operator = OPERATOR_NAME ?? 'the person or company that runs this server'
  const body = html`<h1>Privacy</h1>
<p>Hapax keeps an inventory for sellers of one-of-a-kind items. This page says what this server and the browser
extension read, what they store, and who receives it. The server is run by ${operator}${
    OPERATOR_EMAIL && html`; write to <a href="mailto:${OPERATOR_EMAIL}">${OPERATOR_EMAIL}</a>`
  }.</p>
<h2>Your account</h2>
<p>We store your name, email address or phone number, a hash of your password, the address you ship from, and the times
and networks of your sign-ins. We use them to sign you in, to protect your account, and to publish your listings.</p>
<h2>Your shops</h2>
<p>When you connect eBay or Etsy, we store the access they grant us, encrypted, and read your listings and orders. Of an
order we keep its number, items, prices and state. We do not keep your buyers’ names or addresses. A
buyer’s note on an order is kept until you have shipped it, and for 90 days at most.</p>
<h2>The browser extension</h2>
<p>The extension reads your own listings on Poshmark, Mercari and Depop, in tabs that you open, when you start an import
or watch a listing. It sends titles, descriptions, prices, photos and states of your listings to the Hapax server that
you signed in to, and nothing else to anybody. It never sends cookies, passwords or messages, and it does not read
other pages. Permission to reach a server is asked for when you sign in to it.</p>
<p>If you turn on automatic take-downs for a marketplace, the extension also opens the listing of an item that you sold
elsewhere, in a background tab with your own sign-in, and ends it there. It writes down when it did so, which buttons it
pressed and, if it stopped, what the page showed: in the browser, and with the task on the server.</p>
<h2>Who receives data</h2>
<p>Marketplaces receive the listings that you publish there. Our mail, text message and payment providers receive what
they need to do their work: your address or number with the message, and your payment details, which never reach this
server. We sell no data and show no advertising. There are no third-party scripts or trackers.</p>
<h2>How long</h2>
<p>Your data is kept while your account exists. You can export it and close your account at any time. Closing hides your
public pages at once, and your personal data is erased afterwards. Disconnecting a shop destroys its access at once. When
eBay tells us that a shop’s owner deleted their eBay account, we erase that shop’s data.</p>`
  return (ctx) => sendPage(ctx, { title: 'Privacy', body })
}
