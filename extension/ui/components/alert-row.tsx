import { CircleAlert, RotateCcw } from 'lucide-preact'
import { alertDetail, alertText, isGrave } from '#extension/i18n/alert-text.ts'
import { text } from '#extension/i18n/text.ts'
import type { Alarm } from '#shared/contract/orders.ts'
import { agoText } from '../format.ts'
import { useHost } from '../host.ts'
import { useWebAddress } from '../picture-address.ts'
import { Thumb } from './thumb.tsx'

/** At most this many actions stand in a row; the best come first. */
const actionsShown = 2

/** Returns the best actions. A lost connection has an alert of its own, with the action to reconnect. */
function actionsOf({ kind, actions }: Alarm): Alarm['actions'] {
  const own = kind === 'delist_overdue' ? actions.filter(({ action }) => action !== 'reconnect') : actions
  return own.slice(0, actionsShown)
}

/** A row about a sale or a connection: what happened, what Hapax does, and what helps. */
export function AlertRow(props: {
  alert: Alarm
  busy: boolean
  onRelist: (alert: Alarm) => void
  onDismiss: (alert: Alarm) => void
  /** The seller has ended the listing by hand. */
  onEnded: (alert: Alarm) => void
}) {
  const { alert, busy } = props
  const isLive = alert.kind === 'delist_overdue'
  const addressOf = useWebAddress()
  const { page } = useHost()
  const what = alertText(alert)
  const label = (action: string) => `${action}: ${what}${alert.title ? `, ${alert.title}` : ''}`
  return (
    <li class={isGrave(alert) ? 'alert grave' : 'alert'}>
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
        <p class="soft">{alertDetail(alert, (at) => agoText(at))}</p>
        <p class="links">
          {actionsOf(alert).map(({ action, url }) => {
            const words = text(isLive && action === 'dismiss' ? 'alert.action_ended' : `alert.action_${action}`)
            if (action === 'list_again' || action === 'dismiss') {
              const act = action === 'list_again' ? props.onRelist : isLive ? props.onEnded : props.onDismiss
              return (
                <button
                  key={action}
                  type="button"
                  class="link"
                  aria-disabled={busy}
                  aria-label={label(words)}
                  onClick={() => !busy && act(alert)}
                >
                  {action === 'list_again' && <RotateCcw size={14} aria-hidden="true" />}
                  {words}
                </button>
              )
            }
            if (action === 'edit_item') {
              return (
                <a
                  key={action}
                  href={`${page}#item/${alert.inventory_item_uid}/edit`}
                  target={page ? '_blank' : undefined}
                  aria-label={label(words)}
                >
                  {words}
                </a>
              )
            }
            const href = addressOf(url)
            return (
              href && (
                <a key={action} href={href} target="_blank" rel="noreferrer" aria-label={label(words)}>
                  {words}
                </a>
              )
            )
          })}
        </p>
      </div>
    </li>
  )
}
