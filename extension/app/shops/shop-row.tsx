import { text } from '#extension/i18n/text.ts'
import { isConnected, type PlatformHealth } from '#extension/messaging/overview.ts'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { ConnectLink } from './connect-link.tsx'
import { HealthDot, healthText, sightText } from './health.tsx'

/** A platform with its shop, its health and one action. */
export function ShopRow(props: {
  platform: PlatformHealth
  /** When it was last seen, from `ageOf`. */
  age: number | null
  importing: boolean
  onImport: () => void
}) {
  const { platform, age } = props
  const shop = shopName(platform.shop)
  const sight = sightText(platform, age)
  return (
    <li>
      <PlatformIcon platform={platform.slug} size={24} />
      <div class="grow">
        <p class="cut">
          <strong>{platform.name}</strong> {platform.health !== 'none' && <span class="soft">{shop}</span>}
        </p>
        <p class="soft health">
          <HealthDot health={platform.health} age={age} />
          <span>{healthText(platform, age)}</span>
        </p>
        {sight && <p class="soft">{sight}</p>}
      </div>
      <Action {...props} />
    </li>
  )
}

/** Returns the name of a shop. Mercari identifies sellers by a number, and others may be an internal id. */
export function shopName(name: string | null): string {
  return name && !/^\d+$|^seller \d+$/.test(name) ? name : text('shop.yours')
}

function Action({ platform, importing, onImport }: Parameters<typeof ShopRow>[0]) {
  const { connection, health, name, slug, url } = platform
  if ((slug === 'ebay' || slug === 'etsy') && !isConnected(health)) {
    const words = text(health === 'needs_you' ? 'shop.reconnect' : 'shop.connect')
    return <ConnectLink platform={slug} name={name} words={words} />
  }
  if (connection === 'oauth') {
    const words = text(importing ? 'shop.importing' : 'shop.import')
    return (
      <button
        type="button"
        aria-disabled={importing}
        aria-label={`${words}, ${name}`}
        onClick={() => !importing && onImport()}
      >
        {words}
      </button>
    )
  }
  const words = text('shop.open_closet')
  return (
    <a class="button" href={url} target="_blank" rel="noreferrer" aria-label={`${words}, ${name}`}>
      {words}
    </a>
  )
}
