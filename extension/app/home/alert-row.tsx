import { CircleAlert } from 'lucide-preact'
import { alertDetail, alertText, candidateText } from '#extension/i18n/alert-text.ts'
import { isUrgent } from '#extension/messaging/count-needs.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import { agoText, moneyText, withLocalMoney } from '../common/format.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { Thumb } from '../components/thumb.tsx'
import { useHost } from '../host.ts'
import { text } from './words.ts'

/** At most this many actions stand in a row; the best come first. */
const actionsShown = 3

/** Returns the best actions. A lost connection has an alert of its own, with the action to reconnect. */
function actionsOf({ kind, actions }: Alert, onItem: boolean): Alert['actions'] {
  return actions
    .filter(
      ({ action }) => !(kind === 'delist_overdue' && action === 'reconnect') && !(onItem && action === 'open_item'),
    )
    .slice(0, actionsShown)
}

/** The listing is live, and the seller has not said to have ended it. */
const isStillLive = ({ kind, ended_said_at }: Alert) => kind === 'delist_overdue' && ended_said_at === undefined

/** Words of actions at a listing that should be down. */
const ofLiveListing: {
  [Action in Alert['actions'][number]['action']]?: 'alert.action_retry_now' | 'alert.action_ended'
} = {
  retry: 'alert.action_retry_now',
  dismiss: 'alert.action_ended',
}

/** Returns the words of an action. Dismissing a question is one of its answers. */
function wordsOf(alert: Alert, action: Alert['actions'][number]['action']): string {
  if (alert.kind === 'sale_refunded' && action === 'dismiss') return text('alert.action_gone')
  if (alert.sold && action === 'dismiss') return text('alert.none')
  return text((isStillLive(alert) && ofLiveListing[action]) || `alert.action_${action}`)
}

/**
 * Returns the item's screen that an action leads to, or null. The dialog of listing shows category and price before it
 * publishes anything.
 */
function screenOf(
  { kind }: Alert,
  action: Alert['actions'][number]['action'],
): '' | '/edit' | '/list' | '/unsold' | null {
  if (action === 'edit_item') return '/edit'
  if (action === 'open_item') return ''
  if (action === 'take_back_sale') return '/unsold'
  return action === 'list_again' || (action === 'retry' && kind === 'listing_refused') ? '/list' : null
}

/** A row about a sale or a connection: what happened, what Hapax does, and what helps. */
export function AlertRow(props: {
  alert: Alert
  busy: boolean
  onRetry: (alert: Alert) => void
  onDismiss: (alert: Alert) => void
  /** The seller has ended the listing by hand. */
  onEnded: (alert: Alert) => void
  /** Says which item was sold; null: none. */
  onAnswer?: (alert: Alert, item: string | null) => void
  /** Lets the seller find the item that was sold. Without it, the page of the inventory does. */
  onFind?: ((alert: Alert) => void) | undefined
  /** Hapax tried to end the listing by itself, and stopped. */
  stopped?: boolean
  /** The row stands on the page of its item. */
  onItem?: boolean
}) {
  const { alert, busy, onItem = false } = props
  const isLive = isStillLive(alert)
  const isAsked = alert.sold !== undefined && props.onAnswer !== undefined
  const answerNone = () => props.onAnswer?.(alert, null)
  const addressOf = useWebAddress()
  const { page } = useHost()
  const what = alertText(alert)
  const label = (action: string) => `${action}: ${what}${alert.title ? `, ${alert.title}` : ''}`
  const actions = actionsOf(alert, onItem)
  // Hapax cannot end this listing: its page, where the seller can, is the one thing to do.
  const isSellers = isLive && alert.progress.state === 'waiting_for_seller'
  const main =
    (isSellers && actions.find(({ action }) => action === 'open_listing')) ||
    actions.find(({ action }) => action !== 'dismiss')
  const others = actions.filter((one) => one !== main)
  const isFindMain = !main && (alert.candidates ?? []).length === 0
  const find = alert.sold && <FindItem isMain={isFindMain} alert={alert} label={label} onFind={props.onFind} />
  /** An action as the button of the row, or as a link below its words. */
  const control = ({ action, url }: Alert['actions'][number], isMain: boolean) => {
    const words =
      isMain && isSellers && action === 'open_listing' ? text('alert.action_take_down') : wordsOf(alert, action)
    const screen = screenOf(alert, action)
    if (action === 'dismiss' || (action === 'retry' && screen === null)) {
      const acts = {
        retry: props.onRetry,
        dismiss: isLive ? props.onEnded : isAsked ? answerNone : props.onDismiss,
      }
      return (
        <button
          key={action}
          type="button"
          class={isMain ? undefined : 'link'}
          aria-disabled={busy}
          aria-label={label(words)}
          onClick={() => !busy && acts[action](alert)}
        >
          {words}
        </button>
      )
    }
    const href = screen === null ? addressOf(url) : `${page}#item/${alert.inventory_item_uid}${screen}`
    const isOwnPage = screen !== null && !page
    return (
      href && (
        <a
          key={action}
          class={isMain ? 'button' : undefined}
          href={href}
          target={isOwnPage ? undefined : '_blank'}
          rel={screen === null ? 'noreferrer' : undefined}
          aria-label={label(words)}
        >
          {words}
        </a>
      )
    )
  }
  return (
    <li class={`alert${isUrgent(alert) ? ' grave' : ''}${alert.ended_said_at ? ' said' : ''}`}>
      {alert.inventory_item_uid ? (
        <Thumb src={alert.image} />
      ) : (
        <CircleAlert class="sign" size={18} aria-hidden="true" />
      )}
      <div class="grow">
        <p>
          <strong>{what}</strong>
        </p>
        {alert.title && (
          <p class="cut" title={alert.title}>
            {alert.title}
          </p>
        )}
        <p class="soft">{withLocalMoney(alertDetail(alert, (at) => agoText(at)))}</p>
        <Candidates {...props} label={label} />
        {props.stopped && (
          <p class="soft">
            {text('downs.tried')}{' '}
            <a href={`${page}#takedowns`} target={page ? '_blank' : undefined}>
              {text('downs.why')}
            </a>
          </p>
        )}
        <p class="links">
          {!isFindMain && find}
          {others.map((action) => control(action, false))}
        </p>
      </div>
      {main ? control(main, true) : isFindMain && find}
    </li>
  )
}

const candidatesShown = 3

/** The items that may have been sold, each with its picture and the button that says so. */
function Candidates(props: {
  alert: Alert
  busy: boolean
  label: (action: string) => string
  onAnswer?: (alert: Alert, item: string | null) => void
}) {
  const { alert, busy, label, onAnswer } = props
  const { candidates = [] } = alert
  if (candidates.length === 0 || !onAnswer) return null
  const words = text(alert.kind === 'relist_unclear' ? 'alert.this_one_listed' : 'alert.this_one')
  return (
    <ul class="candidates">
      {candidates.slice(0, candidatesShown).map((candidate) => (
        <li key={candidate.inventory_item_uid}>
          <Thumb src={candidate.image} size={56} />
          <div class="grow">
            <p class="clamp">{candidate.title}</p>
            <p class="soft">
              {moneyText(candidate.price_minor, candidate.currency)} · {candidateText(candidate)}
            </p>
          </div>
          <button
            type="button"
            aria-disabled={busy}
            aria-label={label(`${words}: ${candidate.title}`)}
            onClick={() => !busy && onAnswer(alert, candidate.inventory_item_uid)}
          >
            {words}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Leads to the search for the item that was sold: a dialog on the full page, which the popup opens. */
function FindItem(props: {
  /** The row has no candidate and no other button. */
  isMain: boolean
  alert: Alert
  label: (action: string) => string
  onFind: ((alert: Alert) => void) | undefined
}) {
  const { isMain, alert, onFind } = props
  const { page } = useHost()
  const words = text(isMain ? 'alert.find_first' : 'alert.find')
  return onFind ? (
    <button
      type="button"
      class={isMain ? undefined : 'link'}
      aria-label={props.label(words)}
      onClick={() => onFind(alert)}
    >
      {words}
    </button>
  ) : (
    <a
      class={isMain ? 'button' : undefined}
      href={`${page}#home`}
      target={page ? '_blank' : undefined}
      aria-label={props.label(words)}
    >
      {words}
    </a>
  )
}
