import type { PlatformHealth } from '../../../overview/overview.ts'
import { text } from '../../../texts/text.ts'
import { agoText } from '../format.ts'

/** A platform, the shop that is known there, and the one thing to do about it. */
export function ShopRow(props: {
  platform: PlatformHealth
  connectUrl: string
  importing: boolean
  onImport: () => void
}) {
  const { platform } = props
  return (
    <li>
      <div class="grow">
        <strong>{platform.name}</strong>
        <p class="soft cut">{stateText(platform)}</p>
      </div>
      {platform.connection === 'extension' ? (
        <a
          class="button"
          href={platform.url}
          target="_blank"
          rel="noreferrer"
          aria-label={label('shop.open_closet', platform)}
        >
          {text('shop.open_closet')}
        </a>
      ) : platform.health === 'ok' ? (
        <button
          type="button"
          aria-disabled={props.importing}
          aria-label={label('shop.import', platform)}
          onClick={() => !props.importing && props.onImport()}
        >
          {text(props.importing ? 'shop.importing' : 'shop.import')}
        </button>
      ) : (
        <a
          class="button"
          href={props.connectUrl}
          target="_blank"
          rel="noreferrer"
          aria-label={label('shop.connect', platform)}
        >
          {text(platform.health === 'needs_you' ? 'shop.reconnect' : 'shop.connect')}
        </a>
      )}
    </li>
  )
}

function stateText({ connection, health, name, shop, seen_at }: PlatformHealth): string {
  if (health === 'ok') return text('shop.seen', { shop: shop ?? name, when: agoText(seen_at ?? Date.now()) })
  if (connection === 'extension') {
    return health === 'none' ? text('shop.not_seen') : text('shop.signed_out', { platform: name })
  }
  return health === 'none' ? text('shop.not_connected') : text('shop.reconnect_needed', { platform: name })
}

function label(name: 'shop.open_closet' | 'shop.import' | 'shop.connect', platform: PlatformHealth): string {
  return `${text(name)}, ${platform.name}`
}
