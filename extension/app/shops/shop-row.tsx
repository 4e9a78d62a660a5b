import { Ellipsis } from 'lucide-preact'
import { isConnected, type PlatformHealth } from '#extension/messaging/overview.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import { agoText } from '../common/format.ts'
import { Menu } from '../components/menu.tsx'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { ConnectLink } from './connect-link.tsx'
import { HealthDot, healthText, sightText } from './health.tsx'
import { text } from './words.ts'

interface Row {
  platform: PlatformHealth
  /** When it was last seen, from `ageOf`. */
  age: number | null
  importing: boolean
  onImport: () => void
  /** The seller's shops there, with what ends their connection. */
  shops: readonly SellerAccount[]
  onLeave: (shop: SellerAccount) => void
  lastImport: ImportJob | null
}

/** A platform with its shop, its health and one action. */
export function ShopRow(props: Row) {
  const { platform, age, shops, lastImport, onLeave } = props
  const shop = shopName(platform.shop)
  const sight = sightText(platform, age)
  return (
    <li>
      <PlatformIcon platform={platform.slug} size={24} />
      <div class="grow">
        <p class="cut">
          <strong>{platform.name}</strong> {platform.health !== 'none' && <span class="soft">{shop}</span>}
        </p>
        <p class="soft health" title={sight ?? undefined}>
          <HealthDot health={platform.health} age={age} />
          <span>
            {[healthText(platform, age), platform.answer?.sale_sight?.speed === 'browser' && sight]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </p>
        {shops.some(({ is_on_vacation }) => is_on_vacation) && <p class="warn">{text('shops.on_vacation')}</p>}
        {shops.some(({ sale_notices }) => sale_notices === 'consent_needed') && (
          <p class="warn">{text('shops.consent_needed')}</p>
        )}
        {lastImport && (
          <p class="soft">
            {lastImportText(lastImport)}{' '}
            {lastImport.items_failed > 0 && (
              <a href={`#imports/${lastImport.id}/failed`}>{text('shops.import_details')}</a>
            )}
          </p>
        )}
      </div>
      <Action {...props} />
      {shops.length > 0 && (
        <Menu
          class="more"
          label={`${text('inventory.more')}, ${platform.name}`}
          icon={<Ellipsis size={16} aria-hidden="true" />}
        >
          {(close) =>
            shops.map((one) => (
              <button
                key={one.uid}
                type="button"
                onClick={() => {
                  close()
                  onLeave(one)
                }}
              >
                {text('shops.disconnect_one', { shop: shopName(one.external_name) })}
              </button>
            ))
          }
        </Menu>
      )}
    </li>
  )
}

function lastImportText({ completed_at, items_imported, items_failed }: ImportJob): string {
  const when = agoText(Date.parse(completed_at ?? ''))
  const results = [
    text('shops.import_added', { n: items_imported }),
    items_failed > 0 && text('import.not_read', { n: items_failed }),
  ]
  return text('shops.last_import', { when, results: results.filter(Boolean).join(', ') })
}

/** Returns the name of a shop. Mercari identifies sellers by a number, and others may be an internal id. */
export function shopName(name: string | null): string {
  return name && !/^\d+$|^seller \d+$/.test(name) ? name : text('shop.yours')
}

function Action({ platform, importing, onImport }: Row) {
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
  const words = text('open')
  return (
    <a class="button" href={url} target="_blank" rel="noreferrer" aria-label={`${words}, ${name}`}>
      {words}
    </a>
  )
}
