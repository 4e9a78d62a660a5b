import { placeText } from '#extension/i18n/place-name.ts'
import type { Check } from '#shared/contract/catalog/checks.ts'
import { type PlatformSlug, platformOf } from '#shared/platforms.ts'
import { agoText, moneyText, sinceText } from '../common/format.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { Thumb } from '../components/thumb.tsx'
import { text } from './words.ts'

/** One finding: the item, what is wrong with it, and one press that mends it. */
export function CheckCard(props: {
  check: Check
  onMend: (check: Check) => void
  onDismiss: (check: Check) => void
  onFree: (check: Check) => void
}) {
  const { check } = props
  const what = whatText(check)
  const title = check.item_title
  const named = (words: string) => (title ? `${words}: ${title}` : `${words}: ${what}`)
  return (
    <li class={check.kind === 'sold_live' ? 'check alert grave' : 'check'}>
      {check.inventory_item_uid ? <Thumb src={check.item_image} /> : <ShopIcon check={check} />}
      <div class="grow">
        {title && (
          <p class="cut">
            <a class="plain" href={`#item/${check.inventory_item_uid}`}>
              {title}
            </a>
          </p>
        )}
        <p>{what}</p>
        <p class="soft">{detailsOf(check).join(' ')}</p>
      </div>
      <div class="acts">
        <Act check={check} named={named} onMend={props.onMend} />
        {check.can_free && (
          <button
            type="button"
            class="quiet"
            aria-label={named(text('checks.no_sale'))}
            onClick={() => props.onFree(check)}
          >
            {text('checks.no_sale')}
          </button>
        )}
        {check.can_dismiss && (
          <button
            type="button"
            class="quiet"
            aria-label={named(text('checks.dismiss'))}
            onClick={() => props.onDismiss(check)}
          >
            {text('checks.dismiss')}
          </button>
        )}
      </div>
    </li>
  )
}

function ShopIcon({ check }: { check: Check }) {
  const slug = check.manual[0]?.marketplace
  return slug ? <PlatformIcon platform={slug} size={24} /> : null
}

/** Names the price that a press writes. */
const setPriceText = ({ marketplace, new_price_minor, currency }: Check['listings'][number]) =>
  text('checks.act.set_price', {
    platform: platformOf(marketplace).name,
    price: moneyText(new_price_minor ?? 0, currency),
  })

/** Whether one press lets Hapax mend a finding. Others lead to a page of the marketplace, where the seller does. */
export const isOnePress = ({ action, manual }: Check): boolean => action !== 'open' && manual.length === 0

/** The press that mends. Where only the seller can, it opens the page, and asks Hapax for the task. */
function Act(props: { check: Check; named: (words: string) => string; onMend: (check: Check) => void }) {
  const { check, named, onMend } = props
  const toMend = check.listings.filter(({ to_mend }) => to_mend)
  const addressOf = useWebAddress()
  const [page] = check.manual
  const isManual = page && (check.action === 'open' || check.manual.length === toMend.length)
  if (isManual) {
    const href = addressOf(page.url)
    if (!href) return null
    const words = text('checks.act.open', { platform: platformOf(page.marketplace).name })
    return (
      <a
        class="button"
        href={href}
        target="_blank"
        rel="noreferrer"
        aria-label={named(words)}
        onClick={() => check.action !== 'open' && !check.task_uid && onMend(check)}
      >
        {words}
      </a>
    )
  }
  if (check.action === 'open') return null
  const words =
    check.action === 'set_price'
      ? listOf(toMend.map(setPriceText))
      : text(`checks.act.${check.action}`, { n: toMend.length })
  return (
    <button type="button" aria-label={named(words)} onClick={() => onMend(check)}>
      {words}
    </button>
  )
}

const listOf = (parts: readonly string[]) => new Intl.ListFormat('en').format(parts)
const namesOf = (slugs: readonly PlatformSlug[]) => listOf([...new Set(slugs)].map((slug) => platformOf(slug).name))

function whatText(check: Check): string {
  const { kind, listings, sold_on } = check
  const toMend = listings.filter(({ to_mend }) => to_mend)
  const platforms = namesOf((toMend.length > 0 ? toMend : listings).map(({ marketplace }) => marketplace))
  switch (kind) {
    case 'sold_live': {
      if (!sold_on) return text('checks.somewhere_live', { platforms })
      const words = check.item_state === 'reserved' ? 'checks.held_live' : 'checks.sold_live'
      return text(words, { place: placeText(sold_on), platforms })
    }
    case 'listed_twice':
      return text('checks.listed_twice', { n: listings.length, platforms })
    case 'price_differs': {
      const prices = listings.map(({ price_minor, currency, marketplace }) =>
        text('checks.price_on', {
          price: moneyText(price_minor, currency),
          platform: platformOf(marketplace).name,
        }),
      )
      return text('checks.below_rule', { prices: listOf(prices) })
    }
    case 'sale_unconfirmed': {
      const platform = sold_on && sold_on !== 'outside' ? platformOf(sold_on).name : ''
      return text(`checks.sale_unconfirmed.${check.witness ?? 'api'}`, { platform })
    }
    case 'shop_unread':
      return text('checks.shop_unread', {
        platform: namesOf(check.manual.map(({ marketplace }) => marketplace)),
        when: agoText(Date.parse(check.since)),
      })
  }
}

function detailsOf(check: Check): string[] {
  const { kind, item_state, taking_down, ended_on = [], waiting_on = [] } = check
  return [
    kind === 'sale_unconfirmed' ? readingText(check) : null,
    kind === 'sale_unconfirmed' && item_state ? text('checks.holds', { state: text(`state.${item_state}`) }) : null,
    taking_down.length > 0 ? text('checks.taking_down', { platforms: namesOf(taking_down) }) : null,
    ended_on.length > 0 ? text('checks.ended_on', { platforms: namesOf(ended_on) }) : null,
    waiting_on.length > 0 ? text('checks.waiting_on', { platforms: namesOf(waiting_on) }) : null,
    check.alert_uid ? text('checks.alert') : null,
    check.conflict ? text('checks.conflict') : null,
    kind === 'shop_unread' ? null : text('checks.since', { when: agoText(Date.parse(check.since)) }),
  ].filter((one) => one !== null)
}

/** Says what the witness that should know of a sale was last seen to say. */
function readingText({ sold_on, read_at, since }: Check): string | null {
  if (!sold_on || sold_on === 'outside') return null
  if (!read_at) return text('checks.never_read')
  const at = Date.parse(read_at)
  const what = platformOf(sold_on).capabilities.orders ? 'orders' : 'page'
  if (at > Date.parse(since)) return text(`checks.read.${what}`, { when: agoText(at) })
  return text(`checks.unread.${what}`, { when: sinceText(at) })
}
