import { text } from '#extension/i18n/text.ts'
import type { PlatformHealth } from '#extension/messaging/overview.ts'
import { agoText } from '#extension/ui/format.ts'

/** A platform with its shop and one action. */
export function ShopRow(props: {
  platform: PlatformHealth
  /** When it was last seen, from `ageOf`. */
  age: number | null
  connectUrl: string
  importing: boolean
  onImport: () => void
}) {
  const { platform } = props
  const action = actionText(platform, props.importing)
  const label = `${action}, ${platform.name}`
  const importable = platform.connection === 'oauth' && platform.health === 'ok'
  return (
    <li>
      <div class="grow">
        <strong>{platform.name}</strong>
        <p class="soft cut">{stateText(platform, props.age)}</p>
      </div>
      {importable ? (
        <button
          type="button"
          aria-disabled={props.importing}
          aria-label={label}
          onClick={() => !props.importing && props.onImport()}
        >
          {action}
        </button>
      ) : (
        <a
          class="button"
          href={platform.connection === 'extension' ? platform.url : props.connectUrl}
          target="_blank"
          rel="noreferrer"
          aria-label={label}
        >
          {action}
        </a>
      )}
    </li>
  )
}

function actionText({ connection, health }: PlatformHealth, importing: boolean): string {
  if (connection === 'extension') return text('shop.open_closet')
  if (health === 'ok') return text(importing ? 'shop.importing' : 'shop.import')
  return text(health === 'needs_you' ? 'shop.reconnect' : 'shop.connect')
}

function stateText(
  { connection, health, name, shop: known, seen_at, reading_off }: PlatformHealth,
  age: number | null,
): string {
  // Mercari identifies sellers by a number that means nothing to them.
  const shop = known && !/^\d+$/.test(known) ? known : text('shop.yours')
  if (reading_off) return text('shop.reading_off')
  if (age !== null) return text('shop.unasked', { shop, when: agoText(age, Date.now(), true) })
  if (health === 'ok') return text('shop.seen', { shop, when: agoText(seen_at ?? Date.now()) })
  if (connection === 'extension') {
    return health === 'none' ? text('shop.not_seen') : text('shop.signed_out', { platform: name })
  }
  return health === 'none' ? text('shop.not_connected') : text('shop.reconnect_needed', { platform: name })
}
